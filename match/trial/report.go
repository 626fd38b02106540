package trial

import (
	"fmt"
	"io"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/protocol"
	"kibitz/term"
)

// Report prints what a check finds: lines for people, or JSON.
type Report struct {
	W io.Writer
	// JSON prints an object a line instead, Verbose every conversation and not those of failed
	// requirements alone, Colour the verdicts in colour.
	JSON, Verbose, Colour bool
	Summary
}

// Summary counts what was found.
type Summary struct {
	Type     string `json:"type"`
	Engine   string `json:"engine"`
	Protocol string `json:"protocol"`
	Passed   int    `json:"pass"`
	Failed   int    `json:"fail"`
	Warnings int    `json:"warning"`
	Skipped  int    `json:"skipped"`
	// Broken names the requirements that failed.
	Broken []string `json:"-"`
}

// finding is one of them in JSON.
type finding struct {
	Type        string   `json:"type"`
	ID          string   `json:"id"`
	Requirement string   `json:"requirement"`
	Source      string   `json:"source"`
	Advice      bool     `json:"advice"`
	Verdict     string   `json:"verdict"`
	Detail      string   `json:"detail"`
	Lines       []string `json:"lines"`
}

// count adds a finding and returns its verdict in one word, and how that looks.
func (s *Summary) count(f protocol.Finding) (verdict, style string) {
	switch {
	case f.Held():
		s.Passed++
		return "pass", "\x1b[32m"
	case f.Skipped():
		s.Skipped++
		return "skipped", ""
	case f.Check.Advice:
		s.Warnings++
		return "warning", "\x1b[33m"
	}
	s.Failed++
	s.Broken = append(s.Broken, f.Check.ID)
	return "fail", "\x1b[1;31m"
}

// Show counts and prints a finding.
func (p *Report) Show(f protocol.Finding) {
	verdict, style := p.count(f)
	detail, source := game.Shown(f.Told, 300), ""
	if f.Err != nil {
		detail, source = f.Err.Error(), " ("+f.Check.Source+")"
	}
	if p.JSON {
		_ = plain.JSONLine(p.W, finding{ // the writer remembers what fails
			Type: "finding", ID: f.Check.ID, Requirement: f.Check.Requirement, Source: f.Check.Source,
			Advice: f.Check.Advice, Verdict: verdict, Detail: detail, Lines: f.Lines,
		})
		return
	}
	fmt.Fprintf(p.W, "%s  %-22s %s\n", term.Styled(fmt.Sprintf("%-7s", verdict), style, p.Colour), f.Check.ID, f.Check.Requirement)
	if detail != "" {
		fmt.Fprintf(p.W, "         %s%s\n", detail, source)
	}
	if p.Verbose || verdict == "fail" {
		for _, l := range f.Lines {
			fmt.Fprintf(p.W, "           %s\n", l)
		}
	}
}

// End prints the summary.
func (p *Report) End() error {
	p.Type = "summary"
	if p.JSON {
		return plain.JSONLine(p.W, p.Summary)
	}
	_, err := fmt.Fprintf(p.W, "\n%s over %s: %d pass, %d fail, %d warning, %d skipped\n",
		p.Engine, p.Protocol, p.Passed, p.Failed, p.Warnings, p.Skipped)
	return err
}
