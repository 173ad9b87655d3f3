-- Joins COUNT customers, c-FIRST and those that follow, then asks for /healthz until it is stopped.
-- Arguments: PATH, COUNT, FIRST, KEY (of an operator, who may name customers). One thread only.
local path, left, next_one, headers
local tried = false

function init(args)
  path, left, next_one = args[1], tonumber(args[2]), tonumber(args[3])
  headers = {["Authorization"] = "Bearer " .. args[4], ["Content-Type"] = "application/json"}
end

function request()
  if not tried then -- wrk looks at one request before it begins, and does not send it
    tried = true
    return wrk.format("GET", "/healthz")
  end
  if left == 0 then return wrk.format("GET", "/healthz") end
  left = left - 1
  local body = string.format('{"customerId":"c-%08d"}', next_one)
  next_one = next_one + 1
  return wrk.format("POST", path, headers, body)
end
