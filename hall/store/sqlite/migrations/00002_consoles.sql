-- +goose Up
-- What passed between the engine of a seat and its host, compressed.
CREATE TABLE consoles(
  n INTEGER NOT NULL REFERENCES games(n) ON DELETE CASCADE, seat INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(n, seat)) STRICT;

-- +goose Down
DROP TABLE consoles;
