-- +goose Up
-- Which games went through which positions, in runs (sqlstore/positions.go): all of it can be
-- made again from records. Games are loose that are in no run yet, or, if they stay so,
-- whose record in a run is not theirs any more.
CREATE TABLE position_runs(run INTEGER PRIMARY KEY AUTOINCREMENT, least INTEGER NOT NULL, games INTEGER NOT NULL) STRICT;
CREATE TABLE position_blocks(
  run INTEGER NOT NULL, first_key INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(run, first_key)) STRICT, WITHOUT ROWID;
CREATE TABLE loose(n INTEGER PRIMARY KEY REFERENCES games(n) ON DELETE CASCADE, stays INTEGER NOT NULL) STRICT;
INSERT INTO loose(n, stays) SELECT n, 0 FROM records WHERE length(positions) > 0;
DROP TABLE positions;
DELETE FROM sqlite_stat1 WHERE tbl = 'positions';
INSERT INTO sqlite_stat1(tbl, idx, stat) VALUES
  ('loose', NULL, '500'), ('position_runs', NULL, '200'), ('position_blocks', 'position_blocks', '100000 500 1');

-- +goose Down
-- The program before would have to be given the games again to find them by positions.
DROP TABLE loose; DROP TABLE position_blocks; DROP TABLE position_runs;
CREATE TABLE positions(position_key INTEGER NOT NULL, n INTEGER NOT NULL, ply INTEGER NOT NULL, PRIMARY KEY(position_key, n)) STRICT, WITHOUT ROWID;
