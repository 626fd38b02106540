package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// The network: a bridge in a namespace of its own, and a pair of interfaces from it to
// every node and to this program.
const (
	network = "10.213.77."
	hub     = "kbc-hub"
	self    = "kbc-self"
)

// nodes are the machines and the last numbers of their addresses.
func nodes() []node {
	return []node{{"nats", 2}, {"db", 3}, {"server1", 11}, {"server2", 12}, {"worker1", 21}, {"worker2", 22}, {"worker3", 23}}
}

type node struct {
	name string
	last int
}

func (n node) space() string   { return "kbc-" + n.name }
func (n node) address() string { return fmt.Sprint(network, n.last) }

// address returns that of a node.
func address(name string) string {
	for _, n := range nodes() {
		if n.name == name {
			return n.address()
		}
	}
	return ""
}

// ip runs one command of iproute2.
func ip(format string, a ...any) error {
	args := strings.Fields(fmt.Sprintf(format, a...))
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// makeNetwork makes it; removeNetwork removes what there is of it.
func makeNetwork() error {
	removeNetwork()
	list := []string{
		"netns add " + hub,
		"-n " + hub + " link add br0 type bridge",
		"-n " + hub + " link set br0 up",
		fmt.Sprintf("-n %s link add self type veth peer name %s netns %d", hub, self, os.Getpid()),
		"-n " + hub + " link set self master br0 up",
		"addr add " + network + "254/24 dev " + self,
		"link set " + self + " up",
	}
	for _, n := range nodes() {
		list = append(list,
			"netns add "+n.space(),
			"-n "+hub+" link add "+n.name+" type veth peer name eth0 netns "+n.space(),
			"-n "+hub+" link set "+n.name+" master br0 up",
			"-n "+n.space()+" addr add "+n.address()+"/24 dev eth0",
			"-n "+n.space()+" link set eth0 up",
			"-n "+n.space()+" link set lo up",
		)
	}
	for _, line := range list {
		if err := ip("%s", line); err != nil {
			return err
		}
	}
	return nil
}

func removeNetwork() {
	_ = ip("link del " + self)
	for _, n := range nodes() {
		_ = ip("netns del %s", n.space())
	}
	_ = ip("netns del " + hub)
}

// cut takes a node off the network: nothing arrives any more, and nobody is told.
func (c *cluster) cut(name string) error { return ip("-n %s link set %s down", hub, name) }

// join puts it back.
func (c *cluster) join(name string) error { return ip("-n %s link set %s up", hub, name) }

var errNoIP = errors.New("iproute2 is not installed (Debian: apt-get install iproute2)")
