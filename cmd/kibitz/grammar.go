package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// line is a command line: what every command takes, and the commands.
type line struct {
	common
	kong.Plugins
}

// common are the flags of all commands.
type common struct {
	Profile string `hidden:"" placeholder:"DIR" help:"Write profiles of processor, memory and goroutines into this folder."`
}

// spanning are the commands that look at all others.
var spanning = []string{"manual", "completion"}

// grammar is the command line for arguments. Reading all flags of all commands takes longer
// than most commands do: a command that is named brings its own alone, help on all of them
// their names alone. More points to the commands that not every program has, as fields.
func grammar(more any, args []string) *line {
	var l line
	fields := commandFields(more)
	switch named := slices.IndexFunc(fields, func(f reflect.StructField) bool { return commandName(f) == args[0] }); {
	case named >= 0 && !slices.Contains(spanning, args[0]):
		fields = fields[named : named+1]
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		for i := range fields {
			fields[i].Type = namesOf(fields[i])
		}
	}
	l.Plugins = kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}
	return &l
}

// commandFields are the fields that are commands, in the order in which help shows them.
func commandFields(more any) []reflect.StructField {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[commands]()) {
		if f.Type == reflect.TypeFor[kong.Plugins]() {
			fields = append(fields, reflect.VisibleFields(reflect.TypeOf(more).Elem())...)
		} else {
			fields = append(fields, f)
		}
	}
	for i := range fields {
		fields[i].Offset, fields[i].Index = 0, nil // they are those of another struct
	}
	return fields
}

// commandName is the word for a command, as kong reads it off a field.
func commandName(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return name
	}
	return strings.ToLower(f.Name)
}

// namesOf is the type of a command without its flags and arguments: what is left are the
// commands below it. One that hands all words on has none.
func namesOf(command reflect.StructField) reflect.Type {
	if _, handsOn := command.Tag.Lookup("passthrough"); handsOn {
		return command.Type
	}
	below := slices.DeleteFunc(reflect.VisibleFields(command.Type), func(f reflect.StructField) bool {
		_, is := f.Tag.Lookup("cmd")
		return !is
	})
	for i := range below {
		below[i].Type, below[i].Offset, below[i].Index = namesOf(below[i]), 0, nil
	}
	return reflect.StructOf(below)
}
