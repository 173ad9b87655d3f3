-- The waiting room of the usual design on nginx: INCR, then ZADD and ZRANK in one write, for a join; ZRANK
-- for a poll; an admitter that takes the first fans off the queue with ZPOPMIN.
local redis = require "nginx.redis"

local queue = {}

local ADMIT = [[
local first = redis.call('ZPOPMIN', 'queue', ARGV[1])
for i = 1, #first, 2 do redis.call('SET', 'admitted:' .. first[i], first[i + 1], 'EX', 300) end
return #first / 2]]

local POOL_IDLE_MS, POOL_SIZE = 60000, 2000
local set

function queue.setup(options) set = options end

local function connected(work)
  local db = redis:new()
  db:set_timeout(10000)
  local ok, err = db:connect(set.socket)
  if not ok then return nil, err end
  local got, failed = work(db)
  if failed then
    db:close()
  else
    db:set_keepalive(POOL_IDLE_MS, POOL_SIZE)
  end
  return got, failed
end

local function fail(why)
  ngx.log(ngx.ERR, "redis: ", why)
  ngx.status = 503
  ngx.print('{"status":"UNAVAILABLE"}')
end

local function answer(status, body)
  ngx.status = status
  ngx.header["Cache-Control"] = "no-store"
  ngx.header["Retry-After"] = "45"
  ngx.header["Content-Length"] = #body
  ngx.print(body)
end

local function waiting(id, rank)
  return '{"ticketId":"' .. id .. '","status":"WAITING","position":' .. (rank + 1) ..
         ',"ahead":' .. rank .. ',"pollAfterSeconds":45}'
end

function queue.join()
  ngx.req.discard_body()
  local id = ngx.var.request_id -- 128 random bits
  local rank, err = connected(function(db)
    local seq, failed = db:incr("queue:seq")
    if not seq then return nil, failed end
    db:init_pipeline(2)
    db:zadd("queue", seq, id)
    db:zrank("queue", id)
    local got
    got, failed = db:commit_pipeline()
    return got and got[2], failed
  end)
  if err then return fail(err) end
  answer(202, waiting(id, rank))
end

function queue.poll()
  local id = ngx.var.ticket
  local rank, err = connected(function(db) return db:zrank("queue", id) end)
  if err then return fail(err) end
  if rank ~= ngx.null then return answer(200, waiting(id, rank)) end
  local admitted
  admitted, err = connected(function(db) return db:exists("admitted:" .. id) end)
  if err then return fail(err) end
  if admitted == 1 then return answer(200, '{"ticketId":"' .. id .. '","status":"ADMITTED"}') end
  answer(404, '{"ticketId":"' .. id .. '","status":"UNKNOWN"}')
end

function queue.start_admitter()
  if set.admit_per_second == 0 or ngx.worker.id() ~= 0 then return end
  ngx.timer.every(1, function()
    local _, err = connected(function(db) return db:eval(ADMIT, 0, set.admit_per_second) end)
    if err then ngx.log(ngx.ERR, "admitter: ", err) end
  end)
end

return queue
