package full

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"kibitz/cmd/kibitz/outside"

	"kibitz/hall/auth"
	"kibitz/hall/store"
)

// accountCmd changes accounts of a hall at its machine, whether the hall runs or not.
type accountCmd struct {
	SetPassword setPasswordCmd `cmd:"" name:"set-password" help:"Give an account a new password, and let it count."`
	Unlock      unlockCmd      `cmd:"" help:"Let the password of an account count again after failed logins."`
}

// Help returns the example that --help shows.
func (accountCmd) Help() string {
	return "For whoever may write the database of the hall: no password is asked for. What is done stands in the audit log.\n" +
		"Examples: kibitz account set-password admin --data /var/lib/kibitz\n" +
		"          kibitz account unlock admin --db postgres://kibitz@db/hall"
}

type setPasswordCmd struct {
	Name  string `arg:"" help:"Name of the account."`
	Stdin bool   `help:"Take the password from the first line of stdin; else one is drawn and printed."`
	hallDatabase
}

func (c setPasswordCmd) Run(w *outside.World) error {
	password := ""
	if c.Stdin {
		in := bufio.NewScanner(w.Stdin)
		if !in.Scan() || in.Text() == "" {
			return errors.Join(errors.New("stdin has no password in its first line"), in.Err())
		}
		password = strings.TrimSuffix(in.Text(), "\r")
	}
	return c.accounts(w, func(ctx context.Context, s *auth.Service) error {
		drawn, err := s.SetPasswordHere(ctx, c.Name, password)
		if err != nil {
			return err
		}
		if password == "" {
			fmt.Fprintf(w.Stdout, "the account %s has the password %s; all its sessions have ended\n", c.Name, drawn)
			return nil
		}
		fmt.Fprintf(w.Stdout, "the account %s has the new password; all its sessions have ended\n", c.Name)
		return nil
	})
}

type unlockCmd struct {
	Name string `arg:"" help:"Name of the account."`
	hallDatabase
}

// Run unlocks the account.
func (c unlockCmd) Run(w *outside.World) error {
	return c.accounts(w, func(ctx context.Context, s *auth.Service) error {
		if err := s.UnlockHere(ctx, c.Name); err != nil {
			return err
		}
		fmt.Fprintf(w.Stdout, "the password of the account %s counts\n", c.Name)
		return nil
	})
}

// accounts passes the accounts of a hall that is there to fn.
func (d *hallDatabase) accounts(w *outside.World, fn func(context.Context, *auth.Service) error) (err error) {
	there, err := d.open(w.Ctx, false) // nothing is made, and tables of another version stay as they are
	if err != nil {
		return err
	}
	if err := there.Close(); err != nil {
		return err
	}
	s, err := d.open(w.Ctx, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	service, err := auth.New(auth.Config{Store: s, Now: w.Now, Random: rand.Reader})
	if err != nil {
		return err
	}
	if err := fn(w.Ctx, service); errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("the hall has no such account: %w", err)
	} else if err != nil {
		return err
	}
	return nil
}
