-- Each request out of a file once, in order; then asks for /healthz until it is stopped, which the
-- harness does not count. A line: METHOD PATH TICKET BODY, separated by tabs. Arguments: FILE. One thread
-- only. DONE in the output says how many of the file were answered 201, how many not, and in what time.
local tried, sent, good, bad, last_status = false, 0, 0, 0, 0
local ffi = require "ffi"
ffi.cdef [[ typedef struct { long s; long ns; } when; int clock_gettime(int, when *); ]]
local clock = ffi.new("when")

local function now()
  ffi.C.clock_gettime(1, clock)
  return tonumber(clock.s) + tonumber(clock.ns) / 1e9
end

local requests, total, begin = {}, 0, nil

function init(args)
  for line in io.lines(args[1]) do
    local method, path, ticket, body = line:match("([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)")
    total = total + 1
    requests[total] = wrk.format(method, path, {
      ["X-Admission-Ticket"] = ticket, ["Content-Type"] = "application/json"}, body)
  end
end

function request()
  if not tried then -- wrk looks at one request before it begins, and does not send it
    tried = true
    return wrk.format("GET", "/healthz")
  end
  begin = begin or now()
  if sent == total then return wrk.format("GET", "/healthz") end
  sent = sent + 1
  return requests[sent]
end

function response(status)
  if status == 200 then return end -- of /healthz
  if status == 201 then good = good + 1 else bad, last_status = bad + 1, status end
  if good + bad == total then
    local finish = now()
    io.write(string.format('\nDONE {"total":%d,"good":%d,"bad":%d,"last_bad_status":%d,"seconds":%.6f}\n',
                           total, good, bad, last_status, finish - begin))
    io.flush()
  end
end
