package forms

import (
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/entry"
)

// Entry implements director.TournamentMaker.
func (Maker) Entry(_ *contest.Config, each, text string) (contest.Entry, error) {
	e, err := entry.Parse(each, text)
	if err != nil {
		return contest.Entry{}, &director.EntryError{Why: whyWords(text, err), Err: err}
	}
	kind := bus.EngineSeat
	if e.BuiltIn {
		kind = bus.BotSeat
	}
	return contest.Entry{Kind: kind, Engine: e.Engine, Name: e.Name, Clock: e.Clock}, nil
}
