package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const unitFile = "../../packaging/kibitz.service"

// The unit takes from the hall what neither it nor the guard of engines needs.
func TestUnit(t *testing.T) {
	b, err := os.ReadFile(unitFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	has := map[string]bool{}
	for _, line := range lines {
		has[line] = true
	}
	for _, want := range []string{
		"NoNewPrivileges=yes", "CapabilityBoundingSet=", "PrivateDevices=yes", "RestrictNamespaces=user mnt", "LockPersonality=yes", "ProtectProc=invisible",
		"ProtectKernelLogs=yes", "ProtectKernelModules=yes", "ProtectKernelTunables=yes", "ProtectHostname=yes", "ProtectClock=yes", "ProtectSystem=strict", "ProtectHome=yes",
		"SystemCallArchitectures=native", "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "UMask=0077", "Delegate=yes", "StateDirectoryMode=0700",
	} {
		if !has[want] {
			t.Errorf("the unit lacks %s", want)
		}
	}
	// What the guard asks the kernel for must pass the unit's filter.
	for _, call := range []string{"@system-service", "@mount", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"} {
		if !strings.Contains(string(b), call) {
			t.Errorf("the unit refuses %s, which the guard needs", call)
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not here: its measure is not taken")
	}
	if out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=19", "--no-pager", unitFile).CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze security finds 2.0 or more: %v\n%s", err, out)
	}
}
