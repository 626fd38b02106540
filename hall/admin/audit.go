package admin

import (
	"context"
	"time"

	"kibitz/hall/store"
)

// Audit is the log of what those did who run a hall.
type Audit struct{ Store store.Store }

// AuditQuery asks for entries, the newest first.
type AuditQuery struct {
	Actor   int64  `query:"actor"`
	Subject string `query:"subject" maxLength:"200"`
	Action  string `query:"action" maxLength:"60"`
	Before  int64  `query:"before" doc:"continue below this number"`
	Limit   int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

// AuditEntry is what somebody did.
type AuditEntry struct {
	ID      int64      `json:"id"`
	At      *time.Time `json:"at"`
	Actor   int64      `json:"actor" doc:"0 for the hall itself"`
	Action  string     `json:"action"`
	Subject string     `json:"subject"`
	Detail  string     `json:"detail,omitempty"`
	From    string     `json:"from,omitempty"`
}

// Log returns entries of the audit log.
func (x *Audit) Log(ctx context.Context, in *AuditQuery) ([]AuditEntry, error) {
	q := store.AuditQuery{Actor: in.Actor, Subject: in.Subject, Action: in.Action, Before: in.Before, Limit: in.Limit}
	list, err := store.Get(ctx, x.Store, store.Tx.Audit, q)
	out := make([]AuditEntry, 0, len(list))
	for _, e := range list {
		out = append(out, AuditEntry{e.ID, store.When(e.At), e.Actor, e.Action, e.Subject, e.Detail, e.From})
	}
	return out, err
}
