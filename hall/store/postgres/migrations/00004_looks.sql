-- +goose Up
-- How names of accounts look at a glance: no two look the same. It can be made again from
-- the names, and dumps do not have it.
CREATE TABLE name_looks(look TEXT COLLATE "C" PRIMARY KEY, user_id BIGINT NOT NULL UNIQUE REFERENCES users(id) ON DELETE CASCADE);

-- +goose Down
DROP TABLE name_looks;
