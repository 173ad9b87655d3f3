-- POST of the same path with no body: a fan without a name joins. Arguments: PATH, DELAY (milliseconds
-- that a connection waits before each request, 0 for none).
local here = debug.getinfo(1, "S").source:match("@(.*/)")
dofile(here .. "report.lua")

local raw

function init(args)
  raw = wrk.format("POST", args[1], nil, "") -- with Content-Length: 0
  local pause = tonumber(args[2] or "0")
  if pause > 0 then
    math.randomseed(os.time())
    delay = function() return math.random(0, 2 * pause) end
  end
end

function request()
  return raw
end
