-- Seats as shops keep them: one row each, held by a conditional UPDATE. The fill factor leaves room for
-- the new version of a row on its own page (heap-only tuples), so no index is written.
CREATE TABLE seats (
  id bigint PRIMARY KEY,
  state text NOT NULL DEFAULT 'AVAILABLE',
  held_by text,
  held_until timestamptz
) WITH (fillfactor = 50);
INSERT INTO seats (id) SELECT generate_series(0, :seats - 1);
VACUUM (FREEZE, ANALYZE) seats;
CHECKPOINT;
