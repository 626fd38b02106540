package sqlstore

import (
	"database/sql"
	"slices"
	"strings"
)

// col is a column of a row with its value, or a pointer to it: where it is read into, and
// what is written.
type col struct {
	name  string
	value any
}

// without leaves columns out: those that the database numbers, or that stay as they are.
func without(cols []col, names ...string) []col {
	return slices.DeleteFunc(cols, func(c col) bool { return slices.Contains(names, c.name) })
}

// names returns those of columns between commas.
func names(cols []col) string {
	list := make([]string, len(cols))
	for i, c := range cols {
		list[i] = c.name
	}
	return strings.Join(list, ", ")
}

func values(cols []col) []any {
	list := make([]any, len(cols))
	for i, c := range cols {
		list[i] = c.value
	}
	return list
}

// insertion returns the statement that adds a row.
func insertion(table string, cols []col) string {
	return "INSERT INTO " + table + "(" + names(cols) + ") VALUES (" + marks(len(cols)) + ")"
}

// assignment returns what sets columns, and its arguments.
func assignment(cols []col) (string, []any) {
	list := make([]string, len(cols))
	for i, c := range cols {
		list[i] = c.name + " = ?"
	}
	return strings.Join(list, ", "), values(cols)
}

func (x *tx) insert(table string, cols ...col) error {
	_, err := x.exec(insertion(table, cols), values(cols)...)
	return err
}

// insertNew adds a row and tells whether it did: not if one with the same key is there.
func (x *tx) insertNew(table string, cols ...col) (bool, error) {
	n, err := x.exec(insertion(table, cols)+" ON CONFLICT DO NOTHING", values(cols)...)
	return n > 0, err
}

// number adds a row and reads the number that its table gives it.
func (x *tx) number(n *int64, table, column string, cols ...col) error {
	_, err := x.row([]any{n}, insertion(table, cols)+" RETURNING "+column, values(cols)...)
	return err
}

// put adds a row, or replaces the one with the same key.
func (x *tx) put(table string, key []string, cols ...col) error {
	var set []string
	for _, c := range cols {
		if !slices.Contains(key, c.name) {
			set = append(set, c.name+" = excluded."+c.name)
		}
	}
	replace := " ON CONFLICT(" + strings.Join(key, ", ") + ") DO UPDATE SET " + strings.Join(set, ", ")
	_, err := x.exec(insertion(table, cols)+replace, values(cols)...)
	return err
}

// update changes the rows for which a condition holds, and returns how many.
func (x *tx) update(table string, cols []col, cond string, args ...any) (int64, error) {
	set, list := assignment(cols)
	return x.exec("UPDATE "+table+" SET "+set+" WHERE "+cond, append(list, args...)...)
}

// addVersioned adds a row whose changes are counted: version must be 0 and becomes 1.
func (x *tx) addVersioned(what, table, id string, version *int64, cols ...col) error {
	if *version != 0 {
		return conflict(what, id)
	}
	ok, err := x.insertNew(table, append([]col{{"id", ident(id)}, {"version", 1}}, cols...)...)
	if err != nil || !ok {
		return or(err, taken(what, id))
	}
	*version = 1
	return nil
}

// setVersioned changes a row if it is stored with that version, and counts the change.
func (x *tx) setVersioned(what, table, id string, version *int64, cols ...col) error {
	set, list := assignment(cols)
	n, err := x.exec("UPDATE "+table+" SET version = version + 1, "+set+" WHERE id = ? AND version = ?", append(list, id, *version)...)
	if err != nil {
		return err
	}
	if n == 0 {
		ok, err := x.has("SELECT 1 FROM "+table+" WHERE id = ?", id)
		if err != nil || !ok {
			return or(err, notFound(what, id))
		}
		return conflict(what, id)
	}
	*version++
	return nil
}

// get reads the one row that from finds; cols says where its columns go. What and name
// are of the error if there is none.
func get[T any](x *tx, what string, name any, cols func(*T) []col, from string, args ...any) (T, error) {
	var v T
	list := cols(&v)
	ok, err := x.row(values(list), "SELECT "+names(list)+" "+from, args...)
	return found(v, ok, err, what, name)
}

// rows reads all rows that from finds; cols says where the columns of one go.
func rows[T any](x *tx, cols func(*T) []col, from string, args ...any) (out []T, err error) {
	var v T
	return answers(x, &v, cols, "SELECT "+names(cols(&v))+" "+from, x.query, args)
}

// answers reads all rows of a query into v, one after the other, and returns them.
func answers[T any](
	x *tx, v *T, cols func(*T) []col, query string, ask func(string, []any) (*sql.Rows, error), args []any,
) (out []T, err error) {
	args, err = x.prepare(args)
	if err != nil {
		return nil, err
	}
	r, err := ask(x.d.bind(query), args)
	if err != nil {
		return nil, x.fail(err)
	}
	defer r.Close() //nolint:errcheck // Err below tells more
	dest := into(values(cols(v)))
	for r.Next() {
		if err := r.Scan(dest...); err != nil {
			return nil, x.fail(err)
		}
		out = append(out, *v)
	}
	if err := r.Err(); err != nil {
		return nil, x.fail(err)
	}
	return out, nil
}

// insertAll adds rows of the same columns, up to maxBatch by one statement. What stands
// behind the values is the end of the statement.
func (x *tx) insertAll(table string, list [][]col, end string) error {
	for batch := range batches(list) {
		query, args := insertionOf(table, batch, end)
		args, err := x.prepare(args)
		if err != nil {
			return err
		}
		s, err := x.kept(x.d.bind(query))
		if err != nil {
			return x.fail(err)
		}
		if _, err := s.ExecContext(x.ctx, args...); err != nil {
			return x.fail(err)
		}
	}
	return nil
}

// insertionOf returns the statement that adds rows, and its arguments.
func insertionOf(table string, list [][]col, end string) (string, []any) {
	one := "(" + marks(len(list[0])) + ")"
	args := make([]any, 0, len(list)*len(list[0]))
	for _, row := range list {
		args = append(args, values(row)...)
	}
	return "INSERT INTO " + table + "(" + names(list[0]) + ") VALUES " + one + strings.Repeat(", "+one, len(list)-1) + end, args
}

type where struct {
	conds []string
	args  []any
}

func (w *where) add(cond string, args ...any) {
	w.conds = append(w.conds, cond)
	w.args = append(w.args, args...)
}

// given adds a condition on a value that a query names: none on a zero value.
func given[T comparable](w *where, cond string, v T) {
	if v != *new(T) {
		w.add(cond, v)
	}
}

// String returns the clause, empty without conditions.
func (w *where) String() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// in adds that a column has one of the values.
func in[T any](w *where, column string, list []T) {
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = v
	}
	w.add(column+" IN ("+marks(len(list))+")", args...)
}
