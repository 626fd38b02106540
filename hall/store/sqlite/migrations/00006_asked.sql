-- +goose Up
-- Whom a challenge asks; 0 is whoever has its code.
ALTER TABLE challenges ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
CREATE INDEX challenges_asked ON challenges(asked, is_open);

-- +goose Down
DROP INDEX challenges_asked;
ALTER TABLE challenges DROP COLUMN asked;
