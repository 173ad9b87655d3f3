-- GET of random paths out of a file, one a line. Arguments: FILE, HEADERS ("plain" or "browser"),
-- DELAY (milliseconds that a connection waits before each request, 0 for none).
local here = debug.getinfo(1, "S").source:match("@(.*/)")
dofile(here .. "report.lua")

-- What a browser of today sends with a poll of its page, beside Host.
local browser = {
  ["Connection"] = "keep-alive",
  ["sec-ch-ua"] = '"Chromium";v="128", "Not;A=Brand";v="24", "Google Chrome";v="128"',
  ["sec-ch-ua-mobile"] = "?0",
  ["sec-ch-ua-platform"] = '"Windows"',
  ["User-Agent"] = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " ..
                   "Chrome/128.0.0.0 Safari/537.36",
  ["Accept"] = "application/json",
  ["Sec-Fetch-Site"] = "same-origin",
  ["Sec-Fetch-Mode"] = "cors",
  ["Sec-Fetch-Dest"] = "empty",
  ["Referer"] = "https://tickets.example.com/shows/hamlet/wait",
  ["Accept-Encoding"] = "gzip, deflate, br, zstd",
  ["Accept-Language"] = "en-GB,en;q=0.9,de;q=0.8",
}

local requests, count, pause = {}, 0, 0

function init(args)
  if args[2] == "browser" then
    for name, value in pairs(browser) do wrk.headers[name] = value end
  end
  for path in io.lines(args[1]) do
    count = count + 1
    requests[count] = wrk.format("GET", path)
  end
  pause = tonumber(args[3] or "0")
  math.randomseed(os.time())
  if pause > 0 then
    delay = function() return math.random(0, 2 * pause) end
  end
end

function request()
  return requests[math.random(count)]
end
