-- +goose Up
-- What workers on other machines show, as hashes.
CREATE TABLE worker_tokens(name TEXT COLLATE "C" PRIMARY KEY, hash BYTEA NOT NULL, made_by BIGINT NOT NULL, created BIGINT NOT NULL);

-- +goose Down
DROP TABLE worker_tokens;
