-- +goose Up
-- Which games went through which positions, in runs (sqlstore/positions.go): all of it can be
-- made again from records. Games are loose that are in no run yet, or, if they stay so,
-- whose record in a run is not theirs any more.
CREATE TABLE position_runs(run BIGSERIAL PRIMARY KEY, least BIGINT NOT NULL, games BIGINT NOT NULL);
CREATE TABLE position_blocks(run BIGINT NOT NULL, first_key BIGINT NOT NULL, data BYTEA NOT NULL, PRIMARY KEY(run, first_key));
CREATE TABLE loose(n BIGINT PRIMARY KEY REFERENCES games(n) ON DELETE CASCADE, stays BIGINT NOT NULL);
INSERT INTO loose(n, stays) SELECT n, 0 FROM records WHERE length(positions) > 0;
DROP TABLE positions;

-- +goose Down
-- The program before would have to be given the games again to find them by positions.
DROP TABLE loose; DROP TABLE position_blocks; DROP TABLE position_runs;
CREATE TABLE positions(position_key BIGINT NOT NULL, n BIGINT NOT NULL, ply BIGINT NOT NULL, PRIMARY KEY(position_key, n));
