package engines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"kibitz/internal/wholefile"
	"kibitz/link/archive"
	"kibitz/link/wine"
)

// fromArchive finds the engine's program in a ZIP file.
func (e *Spec) fromArchive(path, name string) error {
	a, err := archive.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	installed, missing := wine.Find(wine.Look{Path: exec.LookPath})
	inner, _, err := a.Choose(name, systemOf(installed))
	if err != nil {
		return err
	}
	p := Program{archive: path, inner: inner, within: true}
	if runtime.GOOS != "windows" {
		head, err := a.Head(inner)
		if err != nil {
			return err
		}
		if program, other := wine.Read(head); !errors.Is(other, wine.ErrOther) {
			p.wine = installed
			err = errors.Join(other, missing)
			if err == nil {
				err = installed.CanRun(program)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", inner, err)
		}
	}
	if e.Dir != "" {
		dir, err := e.folder.Abs(e.Dir)
		if err != nil {
			return err
		}
		p.within = dir == filepath.Dir(path)
	}
	e.Cmd[0], e.Program = path, p
	return nil
}

// systemOf says which programs run here, with an installed Wine or nil.
func systemOf(in *wine.Install) archive.System {
	s := archive.System{Kinds: []archive.Kind{archive.Native, archive.Windows64, archive.Windows32}}
	if in != nil && runtime.GOOS != "windows" && !in.Has(64) || runtime.GOARCH == "386" {
		s.Kinds = []archive.Kind{archive.Native, archive.Windows32, archive.Windows64}
	}
	s.Kind = func(r io.ReaderAt) archive.Kind {
		if archive.IsNative(r, runtime.GOOS, runtime.GOARCH) {
			return archive.Native
		}
		switch p, err := wine.Read(r); {
		case err != nil:
			return archive.Other
		case p.Width == 64:
			return archive.Windows64
		}
		return archive.Windows32
	}
	return s
}

// unpack puts the engine's archive into a folder of the run, unless it is there, and
// names the program in it.
func (p *Programs) unpack(ctx context.Context, e *Spec) error {
	a, err := archive.Open(e.Program.archive)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Program.archive, err)
	}
	defer func() { _ = a.Close() }()
	const digits = 16 // of the hash: names stay readable
	base := filepath.Base(e.Program.archive)
	to := filepath.Join(p.dir, "engines", strings.TrimSuffix(base, filepath.Ext(base))+"-"+a.Hash[:digits])
	if !wholefile.IsFolder(to) {
		if err := a.Unpack(ctx, to); err != nil {
			return fmt.Errorf("%s: %w", e.Program.archive, err)
		}
	}
	e.Program.folder = to
	e.Cmd[0] = filepath.Join(to, filepath.FromSlash(e.Program.inner))
	if e.Program.within {
		e.Dir = filepath.Dir(e.Cmd[0])
	}
	return nil
}
