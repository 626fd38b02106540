-- +goose Up
-- What passed between the engine of a seat and its host, compressed.
CREATE TABLE consoles(
  n BIGINT NOT NULL REFERENCES games(n) ON DELETE CASCADE, seat BIGINT NOT NULL, data BYTEA NOT NULL, PRIMARY KEY(n, seat));

-- +goose Down
DROP TABLE consoles;
