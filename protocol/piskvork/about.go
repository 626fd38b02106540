package piskvork

import "strings"

// Identity is what a brain answers to ABOUT.
type Identity struct {
	Name, Version, Author, Country, WWW, Email string
	// Text is the whole line; brains that send prose fill nothing else.
	Text string
}

// ParseAbout scans a line of key="value" pairs, in any order, with or without
// blanks around the sign and the commas, quoted or not.
func ParseAbout(line []byte) Identity {
	id := Identity{Text: string(trim(line))}
	s := id.Text
	for s != "" {
		i := 0
		for i < len(s) && isLetter(s[i]) {
			i++
		}
		key := s[:i]
		rest := strings.TrimLeft(s[i:], " \t")
		if i == 0 || !strings.HasPrefix(rest, "=") {
			s = s[max(i, 1):]
			continue
		}
		var value string
		value, s = aboutValue(strings.TrimLeft(rest[1:], " \t"))
		id.set(strings.ToLower(key), value)
	}
	return id
}

func aboutValue(s string) (value, rest string) {
	if strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s[1:], `"`)
		return strings.TrimSpace(value), rest
	}
	value, rest, _ = strings.Cut(s, ",")
	return strings.TrimSpace(strings.ReplaceAll(value, `"`, "")), rest
}

func (id *Identity) set(key, value string) {
	for _, f := range []struct {
		key string
		to  *string
	}{
		{"name", &id.Name},
		{"version", &id.Version},
		{"author", &id.Author},
		{"country", &id.Country},
		{"www", &id.WWW},
		{"email", &id.Email},
	} {
		if f.key == key && *f.to == "" {
			*f.to = value
		}
	}
}

// String writes the identity as a reply to ABOUT: the pairs that are not empty.
func (id Identity) String() string {
	var b strings.Builder
	for _, f := range [][2]string{
		{"name", id.Name},
		{"version", id.Version},
		{"author", id.Author},
		{"country", id.Country},
		{"www", id.WWW},
		{"email", id.Email},
	} {
		if f[1] == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f[0] + `="` + strings.ReplaceAll(f[1], `"`, "'") + `"`)
	}
	return b.String()
}
