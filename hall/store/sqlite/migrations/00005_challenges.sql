-- +goose Up
-- What people ask each other: the code is what a link holds.
CREATE TABLE challenges(
  id TEXT PRIMARY KEY, version INTEGER NOT NULL, owner INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE, is_open INTEGER NOT NULL,
  room TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
CREATE INDEX challenges_owner ON challenges(owner, is_open);
CREATE INDEX challenges_expires ON challenges(expires);

-- +goose Down
DROP TABLE challenges;
