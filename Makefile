# make run     set everything up, build bin/harness, run the demo suites, name the report
# make test    set everything up, run every test, those in a real browser included
# make check   formatting, vet, staticcheck, go.mod, short tests under the race detector
# make bench   measure, peer and ours in one run
# make setup   only the set-up; make clean takes the built things away
#
# The set-up leaves stamps in .harness/setup, so that it is done once.

GO      ?= go
SUITES  ?= scenarios
REPORT  ?= report
STAMPS  := .harness/setup
TESTING := -timeout 20m

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: run test check bench setup build clean

run: setup build
	bin/harness run $(SUITES) --report $(REPORT)

test: setup
	$(GO) test $(TESTING) ./...

check:
	@bad=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$bad" ]; then echo "not gofmt'ed: $$bad"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff
	$(GO) test -short -race $(TESTING) ./...

bench: setup
	@if [ -d internal/bench ]; then $(GO) run ./internal/bench; \
	else $(GO) test -run '^$$' -bench . -benchtime 1x ./...; fi

build:
	$(GO) build -o bin/harness ./cmd/harness

setup: $(STAMPS)/system $(STAMPS)/widgets $(STAMPS)/driver

$(STAMPS):
	@mkdir -p $@

# A browser and fonts, from the package manager where there is one.
$(STAMPS)/system: .ci/system | $(STAMPS)
	.ci/system
	@touch $@

# Playwright's driver; its Chromium where the machine has none.
$(STAMPS)/driver: go.mod $(STAMPS)/system
	$(GO) build -o bin/harness ./cmd/harness
	bin/harness install
	@touch $@

# The npm packages of the widget pages, and the pages.
$(STAMPS)/widgets: fixtures/package-lock.json $(wildcard fixtures/widgets/*.mjs fixtures/widgets/src/*) | $(STAMPS)
	@[ -e $(STAMPS)/npm ] && [ $(STAMPS)/npm -nt fixtures/package-lock.json ] && [ -d fixtures/node_modules ] || \
	{ npm ci --prefix fixtures --no-audit --no-fund --loglevel=error && touch $(STAMPS)/npm; }
	node fixtures/widgets/build.mjs
	@touch $@

clean:
	rm -rf bin report debug_html .harness fixtures/node_modules fixtures/widgets/dist
