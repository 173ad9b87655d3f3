-- One hold of one seat. Each client goes through seats of its own, so every UPDATE finds its seat free.
\set n :n + 1
\set seat :client_id * :seats_per_client + :n
UPDATE seats
  SET state = 'HELD', held_by = 'fan-' || :seat, held_until = now() + interval '5 minutes'
  WHERE id = :seat AND (state = 'AVAILABLE' OR (state = 'HELD' AND held_until <= now()));
