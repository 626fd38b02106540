# Kibitz: what can be made. `make test` is the whole check; the heavy runs have
# targets of their own and leave their tables under docs/.

GO      ?= go
BIN     ?= bin
PREFIX  ?= /usr/local
TOOLS   := $(GO) tool -modfile=tools/go.mod
FUZZTIME ?= 3s

.PHONY: build install release tools web test vet lint fmt vuln race fuzz fuzz-long bench review rivals many ladder wine soak perft reliability reliability-full load people lines imports cluster scale chaos outages package figures walkthroughs screens pages clean

build: ## the program, as it is shipped
	CGO_ENABLED=0 $(GO) build -trimpath -tags=full -ldflags=-s -o $(BIN)/kibitz ./cmd/kibitz

install: build ## the program, its manual pages and completion, below PREFIX (/usr/local) and DESTDIR
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 $(BIN)/kibitz $(DESTDIR)$(PREFIX)/bin/kibitz
	$(BIN)/kibitz manual $(DESTDIR)$(PREFIX)/share/man/man1 >/dev/null
	$(BIN)/kibitz completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/kibitz
	$(BIN)/kibitz completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_kibitz
	$(BIN)/kibitz completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/kibitz.fish

tools: ## the programs of the module bench, in bin/bench
	$(GO) build -C=bench -o ../$(BIN)/bench/ ./...

web: ## hall/web/dist, of the sources below hall/web/src
	$(GO) run ./internal/webbundle

test: ## everything that must hold before a change lands
	./scripts/test

vet:
	$(GO) vet ./...

lint: ## golangci-lint, pinned in tools/go.mod
	$(TOOLS) golangci-lint run ./...

fmt:
	$(TOOLS) gofumpt -w .

vuln: ## known vulnerabilities, where the database can be reached
	$(TOOLS) govulncheck ./...

race: ## all tests with the race detector
	$(GO) test -race ./...

fuzz: ## every fuzz target for FUZZTIME
	FUZZTIME=$(FUZZTIME) ./scripts/fuzz

fuzz-long: ## every fuzz target, or FUZZTARGETS="folder:FuzzName ...", for 10m (FUZZTIME), six at a time (FUZZJOBS)
	./scripts/fuzz-long $(FUZZTARGETS)

bench: build ## referee, rules and codecs, beside the physical floor
	./scripts/bench

rivals: build ## beside other runners, whose paths are in RIVALS: "-gomoku PATH -fastchess PATH -cutechess PATH"
	./scripts/rivals $(RIVALS)

many: build ## 20,000 games in one run: does it get slower or larger?
	./scripts/rivals -many 20000

ladder: build ## how strong the levels of the built-in engines are, or LADDER="othello --games 40": see docs/measured/strength.md
	$(BIN)/kibitz gauntlet-self --keep build/ladder --page docs/measured/strength.md $(LADDER)

review: build ## 20 games of each kind reviewed twice, or DATA=FOLDER of public games: docs/measured/review.md
	KIBITZ=$(BIN)/kibitz ./scripts/review >$(BIN)/review.md && mv $(BIN)/review.md docs/measured/review.md

release: ## dist/: archives for three systems on two machines, packages, checksums, bills of materials, Homebrew, Scoop, winget, AUR: URL=https://...
	./scripts/release

package: ## dist/*.deb and *.rpm: program, manual pages, completion, systemd unit
	./scripts/package

figures: ## the browser's pages: weight, first board, a move's way to the screen; the table goes into docs/measured/browser.md
	cd hall/web && npm ci --silent && npm run --silent figures

walkthroughs: ## the walk-throughs of the browser in both languages by every way to press; the check goes each language and way once
	cd hall/web && npm ci --silent && EVERY=1 npm run --silent browser

screens: ## pictures of all pages and boards beside those of hall/web/test/screens, or SCREENS=--update to take them anew
	cd hall/web && npm ci --silent && npm run --silent screens -- $(SCREENS)

pages: ## words, lines and the longest sentences of the pages: docs/measured/pages.md
	$(GO) test ./cmd/kibitz -count=1 -run '^TestPagesMeasured$$' -update

wine: ## Windows engines through the Wine of this machine (apt install --no-install-recommends wine wine64)
	$(GO) test -count=1 -v -run 'TestWine|TestReal' ./cmd/kibitz ./link/wine

soak: tools ## an hour of faulty engines mixed with honest ones, with leak checks, or SOAK="-duration 20m -report FILE": see docs/measured/soak.md
	$(BIN)/bench/soak $(SOAK)

load: build tools ## a hall with 200 live games and 10,000 spectators, or LOAD="-games 50 -spectators 1000": see docs/measured/scale.md
	ulimit -n 20000 && $(BIN)/bench/hallload $(LOAD)

people: build tools ## 200 people on a hall for half an hour, or PEOPLE="-for 10m -visitors 50": docs/measured/people.md
	$(BIN)/bench/hallload people -report docs/measured/people.md $(PEOPLE)

lines: build tools ## from the print of an engine's line to its page, with 1, 20 and 200 games: docs/measured/engine-lines.md
	$(BIN)/bench/hallload lines -report docs/measured/engine-lines.md $(LINES)

imports: build tools ## games imported into a hall, and its pages meanwhile, or IMPORTS="-games 100000": docs/measured/imports.md
	$(BIN)/bench/hallload imports -report docs/measured/imports.md $(IMPORTS)

cluster: build tools ## as root: two servers, three workers, NATS and PostgreSQL in network namespaces, one of each cut off in the middle
	$(BIN)/bench/cluster $(CLUSTER)

chaos: ## kill -9 of halls, workers, NATS and PostgreSQL in the middle of a tournament, four times each
	KIBITZ_CHAOS=1 $(GO) test -count=1 -timeout 15m -run TestServeChaos -v ./cmd/kibitz

outages: ## as root: NATS, PostgreSQL, a hall and a worker killed, stopped, full and away while ten people play: docs/measured/outages.md
	KIBITZ_OUTAGES=1 $(GO) test -count=1 -timeout 30m -run TestServeOutages -v ./cmd/kibitz

scale: ## the capacity model, simulated; its tables go into docs/measured/scale.md
	KIBITZ_SCALE=1 $(GO) test -C=bench -count=1 -run Page ./scalesim

perft: build ## the deep counts
	$(BIN)/kibitz perft othello 10
	$(BIN)/kibitz perft amazons 2

reliability: ## every fault in every protocol: docs/measured/reliability.md
	$(GO) test -count=1 -run 'Table|Honest' ./internal/reliability -update

reliability-full: ## the same at full size: 2 GiB, 200 children, lines of 1 GB; writes nothing
	KIBITZ_RELIABILITY_FULL=1 $(GO) test -count=1 -timeout 60m -run Table -v ./internal/reliability

clean:
	rm -rf $(BIN)
