-- +goose Up
-- What the hall's engine says of a game that is over.
CREATE TABLE reviews(n BIGINT PRIMARY KEY REFERENCES games(n) ON DELETE CASCADE, data BYTEA NOT NULL);

-- +goose Down
DROP TABLE reviews;
