-- +goose Up
-- What people ask each other: the code is what a link holds.
CREATE TABLE challenges(
  id TEXT COLLATE "C" PRIMARY KEY, version BIGINT NOT NULL, owner BIGINT NOT NULL REFERENCES users(id) ON DELETE CASCADE, is_open BIGINT NOT NULL,
  room TEXT COLLATE "C" NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL, state TEXT COLLATE "C" NOT NULL);
CREATE INDEX challenges_owner ON challenges(owner, is_open);
CREATE INDEX challenges_expires ON challenges(expires);

-- +goose Down
DROP TABLE challenges;
