-- +goose Up
-- What the hall's engine says of a game that is over.
CREATE TABLE reviews(n INTEGER PRIMARY KEY REFERENCES games(n) ON DELETE CASCADE, data BLOB NOT NULL) STRICT;

-- +goose Down
DROP TABLE reviews;
