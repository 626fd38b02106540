package lobby

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/hall/room"
)

// Ten thousand pages, each of which gives a sign of life and asks who looks on.
func BenchmarkAudience(b *testing.B) {
	l := NewRooms(RoomsConfig{Now: time.Now}).Audience
	pages := make([]Look, 10_000)
	for i := range pages {
		pages[i] = Look{Room: "r", ID: strconv.Itoa(i), User: int64(i % 300), Name: strconv.Itoa(i % 300)}
		l.note(pages[i], time.Now())
	}
	for i := 0; b.Loop(); i++ {
		l.note(pages[i%len(pages)], time.Now())
		l.addTo(&RoomView{ID: "r"})
	}
}

// What another hall tells of those who look on there counts here, as long as it is told again.
func TestAudience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewRooms(RoomsConfig{Now: time.Now}).Audience
		is := func(watching, named int) {
			t.Helper()
			v := RoomView{ID: "r"}
			v.Room.Places[0] = room.Place{User: 1}
			if l.addTo(&v); v.Watching != watching || len(v.Spectators) != named {
				t.Errorf("%d look on, %v by name; want %d, %d", v.Watching, v.Spectators, watching, named)
			}
		}
		for _, x := range []string{
			`{"room":"r","id":"a","user":1,"name":"ann"}`, `{"room":"r","id":"b","user":2,"name":"bob"}`, `{"room":"r","id":"c","user":2,"name":"bob"}`,
			`{"room":"r","id":"d"}`, `{"room":"s","id":"e"}`, `{"room":"r"}`, `x`,
		} {
			l.heard([]byte(x))
		}
		is(2, 1)
		l.heard([]byte(`{"room":"r","id":"b","user":2,"name":"bob","gone":true}`))
		is(2, 1)
		time.Sleep(lookingFor / 2)
		l.heard([]byte(`{"room":"r","id":"c","user":2,"name":"bob"}`))
		time.Sleep(lookingFor * 3 / 4)
		is(1, 1)
		time.Sleep(lookingFor)
		is(0, 0)
		if l.heard([]byte(`{"room":"r","id":"z"}`)); len(l.rooms["r"].pages) != 1 {
			t.Errorf("those who have gone are kept: %v", l.rooms)
		}
	})
}
