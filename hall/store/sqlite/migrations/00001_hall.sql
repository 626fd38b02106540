-- +goose Up
-- Times are microseconds since 1970 in UTC, yes and no are 1 and 0, JSON is kept as
-- text. What ends in _key is folded: compared without regard to case.

CREATE TABLE users(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, role TEXT NOT NULL,
  password TEXT NOT NULL, owner INTEGER NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL, disabled INTEGER NOT NULL,
  failed INTEGER NOT NULL, locked_until INTEGER NOT NULL, settings TEXT NOT NULL) STRICT;
CREATE INDEX users_owner ON users(owner) WHERE owner <> 0;
CREATE INDEX users_guest ON users(seen) WHERE kind = 'guest';

CREATE TABLE tokens(
  id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE, name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE, created INTEGER NOT NULL, used INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT;
CREATE INDEX tokens_user ON tokens(user_id);

CREATE TABLE sessions(
  hash BLOB PRIMARY KEY, user_id INTEGER NOT NULL, data BLOB NOT NULL, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions(user_id) WHERE user_id <> 0;
CREATE INDEX sessions_expires ON sessions(expires);

CREATE TABLE requests(
  user_id INTEGER NOT NULL, request_key TEXT NOT NULL, hash BLOB NOT NULL, status INTEGER NOT NULL, header TEXT NOT NULL,
  body BLOB NOT NULL, expires INTEGER NOT NULL, PRIMARY KEY(user_id, request_key)) STRICT;
CREATE INDEX requests_expires ON requests(expires);

CREATE TABLE audit(
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor INTEGER NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL,
  detail TEXT NOT NULL, origin TEXT NOT NULL) STRICT;
CREATE INDEX audit_actor ON audit(actor);
CREATE INDEX audit_subject ON audit(subject);
CREATE INDEX audit_action ON audit(action);

CREATE TABLE rooms(
  id TEXT PRIMARY KEY, version INTEGER NOT NULL, name TEXT NOT NULL, owner INTEGER NOT NULL, game TEXT NOT NULL, listed INTEGER NOT NULL,
  is_open INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
CREATE INDEX rooms_changed ON rooms(changed, id);
CREATE INDEX rooms_open ON rooms(changed, id) WHERE is_open = 1;
CREATE INDEX rooms_game ON rooms(game, changed, id);
CREATE INDEX rooms_owner ON rooms(owner, changed, id);

CREATE TABLE messages(
  id INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL REFERENCES rooms(id) ON DELETE CASCADE, at INTEGER NOT NULL, user_id INTEGER NOT NULL,
  name TEXT NOT NULL, channel TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX messages_room ON messages(room);

CREATE TABLE saved(
  id TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE, name TEXT NOT NULL, spec TEXT NOT NULL,
  position TEXT NOT NULL, moves TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE INDEX saved_user ON saved(user_id, created);

-- A game has a number, by which the big tables (games, records, positions) can be
-- divided. What must be unique beside it stands in two narrow tables, which need
-- not be divided with them.
CREATE TABLE game_ids(id TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE game_places(place TEXT NOT NULL, idx INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY(place, idx)) STRICT, WITHOUT ROWID;

CREATE TABLE games(
  n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, spec TEXT NOT NULL, game TEXT NOT NULL, room TEXT NOT NULL, tournament TEXT NOT NULL,
  idx INTEGER NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL, worker TEXT NOT NULL,
  name1 TEXT NOT NULL, name2 TEXT NOT NULL, name1_key TEXT NOT NULL, name2_key TEXT NOT NULL, user1 INTEGER NOT NULL, user2 INTEGER NOT NULL,
  engine1 TEXT NOT NULL, engine2 TEXT NOT NULL, subject1 TEXT NOT NULL, subject2 TEXT NOT NULL,
  rated INTEGER NOT NULL, speed TEXT NOT NULL, opening TEXT NOT NULL, opening_key TEXT NOT NULL,
  created INTEGER NOT NULL, begun INTEGER NOT NULL, ended INTEGER NOT NULL, played INTEGER NOT NULL,
  hidden INTEGER NOT NULL, listed INTEGER NOT NULL, job TEXT NOT NULL,
  points1 REAL NOT NULL, points2 REAL NOT NULL, board1 REAL NOT NULL, board2 REAL NOT NULL, has_board INTEGER NOT NULL,
  reason TEXT NOT NULL, detail TEXT NOT NULL, winner INTEGER NOT NULL, plies INTEGER NOT NULL, seconds1 REAL NOT NULL, seconds2 REAL NOT NULL,
  ruled INTEGER NOT NULL, note TEXT NOT NULL) STRICT;
CREATE INDEX games_room ON games(room) WHERE room <> '';
CREATE INDEX games_tournament ON games(tournament) WHERE tournament <> '';
CREATE INDEX games_game ON games(game);
CREATE INDEX games_spec ON games(spec);
CREATE INDEX games_live ON games(state) WHERE state <> 'over';
CREATE INDEX games_name1 ON games(name1_key);
CREATE INDEX games_name2 ON games(name2_key);
CREATE INDEX games_subject1 ON games(subject1) WHERE subject1 <> '';
CREATE INDEX games_subject2 ON games(subject2) WHERE subject2 <> '';
CREATE INDEX games_reason ON games(reason) WHERE reason <> '';
CREATE INDEX games_opening ON games(opening_key) WHERE opening_key <> '';
CREATE INDEX games_played ON games(played);

-- The names of openings that any game began from, for searches in them.
CREATE TABLE openings(opening_key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- positions of a record are the keys and plies of the table positions, which is an
-- index and can be made again from them.
CREATE TABLE records(n INTEGER PRIMARY KEY REFERENCES games(n) ON DELETE CASCADE, record BLOB NOT NULL, positions BLOB NOT NULL) STRICT;
CREATE TABLE positions(position_key INTEGER NOT NULL, n INTEGER NOT NULL, ply INTEGER NOT NULL, PRIMARY KEY(position_key, n)) STRICT, WITHOUT ROWID;

CREATE TABLE ratings(
  subject TEXT NOT NULL, game TEXT NOT NULL, speed TEXT NOT NULL, name TEXT NOT NULL, value REAL NOT NULL, deviation REAL NOT NULL,
  volatility REAL NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
  at INTEGER NOT NULL, last_game TEXT NOT NULL, PRIMARY KEY(subject, game, speed)) STRICT;
CREATE INDEX ratings_leaders ON ratings(game, speed, value);

CREATE TABLE rating_history(
  id INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, game TEXT NOT NULL, speed TEXT NOT NULL, at INTEGER NOT NULL,
  played TEXT NOT NULL, value REAL NOT NULL, deviation REAL NOT NULL) STRICT;
CREATE INDEX rating_history_subject ON rating_history(subject, game, speed);

CREATE TABLE tournaments(
  id TEXT PRIMARY KEY, version INTEGER NOT NULL, name TEXT NOT NULL, owner INTEGER NOT NULL, game TEXT NOT NULL, state TEXT NOT NULL,
  listed INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, settings TEXT NOT NULL, secret BLOB NOT NULL) STRICT;
CREATE INDEX tournaments_created ON tournaments(created, id);
CREATE INDEX tournaments_state ON tournaments(state) WHERE state NOT IN ('finished', 'cancelled');
CREATE INDEX tournaments_game ON tournaments(game, created, id);
CREATE INDEX tournaments_owner ON tournaments(owner, created, id);

CREATE TABLE tournament_events(
  tournament TEXT NOT NULL REFERENCES tournaments(id) ON DELETE CASCADE, seq INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
  by_user INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY(tournament, seq)) STRICT;

CREATE TABLE engines(
  name TEXT PRIMARY KEY, spec TEXT NOT NULL, hash TEXT NOT NULL, games TEXT NOT NULL, enabled INTEGER NOT NULL, added INTEGER NOT NULL) STRICT;

-- What the planner shall think of the tables, whatever they hold by now: how many
-- rows an index has, and how many of them agree in a value. It never learns better
-- and never worse, so that a query that was found quick stays so.
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1(tbl, idx, stat) VALUES
  ('games', 'games_room', '500000 20'), ('games', 'games_tournament', '500000 1000'), ('games', 'games_game', '1000000 100000'),
  ('games', 'games_spec', '1000000 50000'), ('games', 'games_live', '1000 100'), ('games', 'games_name1', '1000000 200'),
  ('games', 'games_name2', '1000000 200'), ('games', 'games_subject1', '1000000 300'), ('games', 'games_subject2', '1000000 300'),
  ('games', 'games_reason', '1000000 60000'), ('games', 'games_opening', '1000000 100'), ('games', 'games_played', '1000000 1'),
  ('positions', 'positions', '50000000 20 1'), ('game_ids', 'game_ids', '1000000 1'), ('game_places', 'game_places', '1000000 30 1'),
  ('records', NULL, '1000000'), ('openings', 'openings', '5000 1'),
  ('messages', 'messages_room', '1000000 100'), ('rating_history', 'rating_history_subject', '1000000 500 100 50'),
  ('users', 'users_owner', '1000 2'), ('users', 'users_guest', '10000 1');

-- +goose Down
DROP TABLE engines; DROP TABLE tournament_events; DROP TABLE tournaments; DROP TABLE rating_history; DROP TABLE ratings;
DROP TABLE positions; DROP TABLE records; DROP TABLE openings; DROP TABLE games; DROP TABLE game_places; DROP TABLE game_ids;
DROP TABLE saved; DROP TABLE messages; DROP TABLE rooms; DROP TABLE audit; DROP TABLE requests; DROP TABLE sessions; DROP TABLE tokens; DROP TABLE users;
