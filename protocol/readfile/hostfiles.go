package readfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/record/boardtxt"
)

// board returns the file for a question.
func (h *Host) board(p *player.Prompt) (*boardtxt.File, error) {
	b, next, first, err := boardtxt.ReadPosition(h.start)
	if err != nil {
		return nil, err
	}
	f := &boardtxt.File{
		Date: boardtxt.WriteDate(h.begun.UTC().Format("2006-01-02 15:04:05")), Names: h.names, Start: b, First: next,
		Time: h.limit(p),
	}
	if first == game.Second {
		f.Names[0], f.Names[1] = f.Names[1], f.Names[0]
	}
	for i := 0; i < len(h.steps); i++ {
		ply := h.steps[i : i+1]
		if ply[0].Op == game.Flip && i+1 < len(h.steps) {
			i++
			ply = h.steps[i-1 : i+1]
		}
		if text, n := grid.AppendDarkPly(nil, ply); n != len(ply) || len(text) == 0 {
			return nil, fmt.Errorf("%v is no ply of dark chess", ply)
		}
		f.Plies = append(f.Plies, ply)
		f.Stamps = append(f.Stamps, h.stamps[i].UnixMilli())
	}
	f.First = f.Colour()
	return f, nil
}

// limit is the number of the line "time", at least 1.
func (h *Host) limit(p *player.Prompt) int64 {
	if h.time.fixed > 0 {
		return h.time.fixed
	}
	left := h.untimed
	if p.Seat.IsPlayer() {
		k := p.Clocks[p.Seat]
		c := k.Control
		if c.Timed() {
			left = k.Remaining()
			if h.time.total {
				left = max(c.Main, c.Hourglass)
			}
			if left <= 0 || k.Stage != clock.InMain { // in an extra period that is what there is
				left = max(k.Remaining(), k.Limit())
			}
		}
		if c.Turn > 0 {
			left = min(left, c.Turn)
		}
	}
	if h.time.seconds {
		return max(1, int64(left/time.Second))
	}
	return max(1, left.Milliseconds())
}

// ask writes board.txt and removes what an earlier ply has left. It returns what the
// log tells of it.
func (h *Host) ask(p *player.Prompt) (string, error) {
	f, err := h.board(p)
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(h.path(MoveFile)); err != nil {
		return "", err
	}
	if err := replace(h.path(BoardFile), f.Append(nil, h.eol)); err != nil {
		return "", err
	}
	told := fmt.Sprintf("%s: %d plies, time %d", BoardFile, len(f.Plies), f.Time)
	if n := len(f.Plies); n > 0 {
		var plies []string
		for _, ply := range f.Plies[max(0, n-2):] {
			text, _ := grid.AppendDarkPly(nil, ply)
			plies = append(plies, string(text))
		}
		told += ", the last " + strings.Join(plies, " ")
	}
	return told, nil
}

func (h *Host) path(name string) string { return filepath.Join(h.folder.Path(), name) }

// replace writes a file that nobody sees half written; a link of that name is
// replaced, not followed.
func replace(path string, data []byte) error {
	// The file has its permissions from the start: an engine with files=ro may change none.
	part := path + ".part"
	_ = os.RemoveAll(part) // of whoever was ended while it wrote
	tmp, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		if st, is := os.Lstat(path); is == nil && st.IsDir() {
			err = os.RemoveAll(path)
		}
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part)
	}
	return err
}

// read reads a small file; what is no plain file is not opened.
func read(path string) ([]byte, error) {
	st, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file", filepath.Base(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, mostMove+1))
}
