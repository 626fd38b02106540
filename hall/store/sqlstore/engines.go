package sqlstore

import "kibitz/hall/store"

// engines is store.Engines: the engines that the hall offers.
type engines struct{ *tx }

func engineCols(e *store.Engine) []col {
	return []col{
		{"name", (*ident)(&e.Name)}, {"spec", &e.Spec}, {"hash", &e.Hash}, {"games", &e.Games}, {"enabled", &e.Enabled}, {"added", &e.Added},
	}
}

func (x engines) SetEngine(e *store.Engine) error {
	return x.put("engines", []string{"name"}, engineCols(e)...)
}

func (x engines) Engine(name string) (store.Engine, error) {
	return get(x.tx, "engine", name, engineCols, "FROM engines WHERE name = ?", name)
}

func (x engines) Engines() ([]store.Engine, error) {
	return rows(x.tx, engineCols, "FROM engines ORDER BY name")
}

func (x engines) RemoveEngine(name string) error {
	n, err := x.exec("DELETE FROM engines WHERE name = ?", name)
	return one(n, err, "engine", name)
}
