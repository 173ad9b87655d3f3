// The waiting room as it is usually built: Fastify and ioredis over a sorted set. A join is INCR, then
// ZADD and ZRANK in one write; a poll is ZRANK; an admitter takes the first fans off the queue with
// ZPOPMIN. With JOIN=script a join is one Lua script instead, which is less usual and faster.
//
// As the documentation of both advises: answers with a schema (fast-json-stringify), no request log,
// commands of one turn of the loop in one write (auto-pipelining), scripts by their hash, Redis over
// its Unix socket. WORKERS processes share the port.
import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import Fastify from "fastify";
import Redis from "ioredis";

const { PORT, REDIS_SOCKET, WORKERS = "1", ADMIT_PER_SECOND = "0", JOIN = "commands" } = process.env;

const scripts = {
  join: {
    numberOfKeys: 0,
    lua: `local seq = redis.call('INCR', 'queue:seq')
redis.call('ZADD', 'queue', seq, ARGV[1])
return redis.call('ZRANK', 'queue', ARGV[1])`,
  },
  admit: {
    numberOfKeys: 0,
    lua: `local first = redis.call('ZPOPMIN', 'queue', ARGV[1])
for i = 1, #first, 2 do redis.call('SET', 'admitted:' .. first[i], first[i + 1], 'EX', 300) end
return #first / 2`,
  },
};

const ticketSchema = {
  type: "object",
  properties: {
    ticketId: { type: "string" },
    status: { type: "string" },
    position: { type: "integer" },
    ahead: { type: "integer" },
    pollAfterSeconds: { type: "integer" },
  },
};
const schema = { response: { "2xx": ticketSchema, "4xx": ticketSchema } };

function waiting(reply, status, ticketId, rank) {
  reply.code(status).header("cache-control", "no-store").header("retry-after", "45");
  return { ticketId, status: "WAITING", position: rank + 1, ahead: rank, pollAfterSeconds: 45 };
}

async function joinByCommands(redis, id) {
  const seq = await redis.incr("queue:seq");
  const [, rank] = await Promise.all([redis.zadd("queue", seq, id), redis.zrank("queue", id)]);
  return rank;
}

async function serve() {
  const redis = new Redis({ path: REDIS_SOCKET, enableAutoPipelining: true, scripts });
  const app = Fastify({ logger: false, keepAliveTimeout: 60000 });
  app.post("/queue/join", { schema }, async (request, reply) => {
    const id = randomUUID();
    const rank = JOIN === "script" ? await redis.join(id) : await joinByCommands(redis, id);
    return waiting(reply, 202, id, rank);
  });
  app.get("/queue/tickets/:ticket", { schema }, async (request, reply) => {
    const { ticket } = request.params;
    const rank = await redis.zrank("queue", ticket);
    if (rank !== null) return waiting(reply, 200, ticket, rank);
    const admitted = await redis.exists(`admitted:${ticket}`);
    reply.code(admitted ? 200 : 404);
    return { ticketId: ticket, status: admitted ? "ADMITTED" : "UNKNOWN" };
  });
  await app.listen({ host: "127.0.0.1", port: Number(PORT), backlog: 4096 });
}

function startAdmitter() {
  const rate = Number(ADMIT_PER_SECOND);
  if (rate === 0) return;
  const redis = new Redis({ path: REDIS_SOCKET, scripts });
  setInterval(() => redis.admit(rate).catch((error) => console.error(error)), 1000);
}

const workers = Number(WORKERS);
if (workers > 1 && cluster.isPrimary) {
  for (let i = 0; i < workers; i++) cluster.fork();
  startAdmitter();
} else {
  await serve();
  if (cluster.isPrimary) startAdmitter();
}
