-- +goose Up
-- What workers on other machines show, as hashes.
CREATE TABLE worker_tokens(name TEXT PRIMARY KEY, hash BLOB NOT NULL, made_by INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;

-- +goose Down
DROP TABLE worker_tokens;
