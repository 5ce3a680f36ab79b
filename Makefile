# The front door: `make` lists what there is. Every target sets up what it needs by .ci/setup and, when all is
# built, begins its work at once.

SCENARIO ?= first-look
SUITE := node .ci/suite.mjs
# Rows of suites, which run side by side: those of cargo, which share its build directory; those that need only the built
# package; and the others, most of which wait more than they work.
CARGO_SUITES := native wasm-node wasm-chrome purity
PACKAGE_SUITES := page node
OTHER_SUITES := serve net docs fuzz vectors
SUITES := $(CARGO_SUITES) $(PACKAGE_SUITES) $(OTHER_SUITES)
# CI runs these, too. They take minutes and rarely find what the others do not.
CI_SUITES := template recipes consumers oracle fast-path faults load browsers looks truth
CORES := $(shell getconf _NPROCESSORS_ONLN)
# By itself Node leaves one core without a test file. More files than cores would miss the short deadlines of some tests.
NODE_TEST := node --test --test-reporter=spec --test-concurrency=$(CORES)

# Installed tools come before any others of the same name: their versions are the tried ones.
export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/node_modules/.bin:$(CURDIR)/www/node_modules/.bin:$(PATH)

# The suites and cargo share one build directory, and their output should not mix.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help run www share-image binary build test fuzz lint bench docs api test-ci test-package publish-dry-run clean FORCE $(SUITES:%=test-%) $(CI_SUITES:%=test-%)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# -- use

run: build ## run a scenario and print its summary (SCENARIO=name of a shipped one, or file.json); first-look with all events
	@node pkg/dist/cli.js run $(or $(wildcard $(SCENARIO)),$(wildcard sim/scenarios/$(SCENARIO).json),$(SCENARIO))
	@$(if $(filter first-look,$(SCENARIO)),echo; node pkg/dist/cli.js run first-look --events)

# -- build

GLUE := target/glue/.built
TYPES := src/js/base/constants.ts
PACKAGE := pkg/package.json
RUST_SOURCES := Cargo.toml Cargo.lock build.rs rust-toolchain.toml \
  $(shell find sim proto src -type f -not -path 'src/js/*' -not -path 'sim/tests/*')
JS_SOURCES := tsconfig.json $(wildcard LICENSE README.md docs/*.md docs/*/*.md tests/vectors/*.json) $(shell find src/js cli -type f)

build: $(PACKAGE) ## build the npm package into pkg/

$(GLUE): $(RUST_SOURCES) src/js/build.mjs src/js/glue/guard.js src/js/glue/rewrite.mjs .ci/glue/Cargo.toml.in .ci/glue/main.rs package-lock.json | setup-rust setup-node
	node src/js/build.mjs glue

# One of the files that it writes, all of which git ignores.
$(TYPES): $(GLUE) docs/types.mjs docs/question-lists.mjs docs/example.mjs node_modules/.installed-lock.json
	node docs/types.mjs

$(PACKAGE): $(GLUE) $(TYPES) $(JS_SOURCES) docs/json-schemas.mjs docs/diagnosis-schema.mjs node_modules/.installed-lock.json
	node src/js/build.mjs package

# Static files, which work from any path.
PAGE := target/www/index.html
PAGE_SOURCES := $(shell find www -type f -not -path '*/node_modules/*') $(wildcard sim/scenarios/*.json tests/vectors/logs/c-sigstop/*.log) sim/src/check/question/rules.txt

$(PAGE): $(PACKAGE) $(PAGE_SOURCES)
	vite build www --logLevel warn

www: $(PAGE) ## build the interactive page and serve it on this machine
	@vite preview www --host 127.0.0.1

share-image: $(PAGE) | setup-browser ## draw the picture that others show of a link to the page, and its icon
	node www/share-image.mjs

binary: build | setup-postject ## make target/binary/locket-wasm: the command line as one file, for machines without Node
	@node .ci/binary.mjs

# -- test

test: $(PAGE) | setup-all ## run all kinds of tests, stop at the first suite that fails (ONE_BY_ONE=1: no two at the same time)
	@node .ci/suites.mjs $(if $(ONE_BY_ONE),'$(SUITES)','$(CARGO_SUITES)' '$(PACKAGE_SUITES)' '$(OTHER_SUITES)')

test-ci: $(PAGE) | setup-all ## the long suites, which only CI runs beside those of make test
	@node .ci/suites.mjs '$(CI_SUITES)'

# Each commit asks the oracle other random questions.
test-native: | setup-rust setup-node ## the Rust tests on this machine
	@ORACLE_SEED=$$((0x$$(git rev-parse --short=6 HEAD 2>/dev/null || echo 1))) $(SUITE) native libtest cargo test --workspace

# So many questions are worth an optimized oracle.
test-oracle: | setup-rust setup-node ## the checker beside the oracle, with as many random questions as have every fault
	@CASES=2000 $(SUITE) oracle libtest cargo test -p locket-sim-tests --test oracle --config profile.dev.package.locket-sim-tests.opt-level=2 compare

test-fast-path: | setup-rust setup-node ## runs that leap beside runs of single steps, 10,000 random scenarios
	@CASES=10000 $(SUITE) fast-path libtest cargo test -p locket-sim-tests --test locket fast_path

test-faults: build ## mended twins of flawed programs, each with all single faults and 2,000 pairs
	@TWIN_RUNS=5000 $(SUITE) faults node $(NODE_TEST) tests/node/testing/every-fault.test.mjs

# They search little, and the crate compiles in a third of the time without optimization.
WASM_TESTS := --config profile.dev.package.locket-sim.opt-level=0

test-wasm-node: | setup-bindgen setup-wasm-pack setup-node ## tests/wasm/ as wasm, in Node
	@$(SUITE) wasm-node libtest wasm-pack test --node -- --test wasm $(WASM_TESTS)

test-wasm-chrome: | setup-bindgen setup-wasm-pack setup-node setup-browser ## tests/wasm/ as wasm, in Chromium
	cargo build --target wasm32-unknown-unknown --test wasm_browser $(WASM_TESTS)
	@$(SUITE) wasm-chrome libtest node .ci/few-connections.mjs wasm-pack test --headless --chrome $(CHROME_OPTIONS) -- --test wasm_browser $(WASM_TESTS)

# A driver in an unusual place: wasm-pack does not look at CHROMEDRIVER.
CHROME_OPTIONS := $(if $(CHROMEDRIVER),--chromedriver $(CHROMEDRIVER))

test-template: | setup-bindgen setup-wasm-pack setup-node setup-browser ## the template for Rust users, from the packed crates
	@$(SUITE) template node node --test --test-reporter=spec tests/template/*.test.mjs

test-net: build | setup-browser ## the client against a hostile server, in Node and in Chromium
	@$(SUITE) net node $(NODE_TEST) --expose-gc $(filter-out %/load.test.mjs %/hostile-time.test.mjs %/outage.test.mjs,$(wildcard tests/net/*.test.mjs))

test-node: build ## the built package in Node
	@$(SUITE) node node $(NODE_TEST) tests/node/*/*.test.mjs

test-consumers: build | setup-postject ## the packed package in projects that need nothing but Node, and the executable
	@$(SUITE) consumers node $(NODE_TEST) tests/consumers/*.test.mjs

test-serve: build | setup-envoy setup-browser ## the reference server on a port, with clients that no one here wrote
	@$(SUITE) serve node $(NODE_TEST) $(filter-out %/load.test.mjs,$(wildcard tests/serve/*.test.mjs))

test-load: build ## server and client with 10,000 calls and connections, runners in hostile time and in an outage
	@$(SUITE) load node node --test --test-reporter=spec --test-concurrency=1 --expose-gc tests/serve/load.test.mjs tests/net/load.test.mjs tests/net/hostile-time.test.mjs tests/net/outage.test.mjs

test-fuzz: build ## a short round of fuzzing over the package, on the seed SEED or a fresh one
	@$(SUITE) fuzz node $(NODE_TEST) --test-force-exit tests/fuzz/*.test.mjs

test-vectors: build ## the server against what was observed on a real Locket
	@$(SUITE) vectors vectors node tests/vectors/run.mjs $(sort $(wildcard tests/vectors/*.json))

test-docs: build ## every code block of README and docs, and whether the generated pages are up to date
	@$(SUITE) docs node $(NODE_TEST) tests/docs/*.test.mjs

test-purity: | setup-rust setup-node ## locket-sim has no clock, randomness, I/O or JavaScript in it
	@$(SUITE) purity node node --test --test-reporter=spec tests/purity.test.mjs

test-recipes: build | setup-ray ## many machines: the recipes, with Ray itself
	@$(SUITE) recipes node node --test --test-concurrency=1 --test-reporter=spec tests/recipes/*.test.mjs

test-page: $(PAGE) | setup-browser ## the page in Chromium
	@$(SUITE) page node $(NODE_TEST) tests/page/*.test.mjs

test-browsers: build | setup-browser setup-firefox ## the digests of all scenarios and of 5,000 random runs, in Chromium and in Firefox
	@$(SUITE) browsers node node --test --test-reporter=spec --test-concurrency=1 tests/browsers/*.test.mjs

test-looks: $(PAGE) | setup-browser ## every view of the page at all widths and in all colours
	@LOOKS=all $(SUITE) looks node $(NODE_TEST) tests/page/axe.test.mjs

test-truth: $(PAGE) | setup-browser ## what the page says at 40 random moments of each story, beside searches of the package
	@TRUTH_MOMENTS=40 $(SUITE) truth node $(NODE_TEST) tests/page/truth.test.mjs

fuzz: build | setup-rust ## fuzz every target, natively and over the package, for FUZZ_S seconds together (60)
	node tests/fuzz/main.mjs

test-package: build | setup-browser ## the packed package in projects of its own: test runners, runtimes, bundlers, a browser; prints sizes
	node tests/consumers/main.mjs

# -- check

# A crate that is a cdylib, too, has one file whatever its features are. So it is built elsewhere without messages, which tests need.
BARE := target/bare

lint: $(PACKAGE) ## check formatting, lints, docs and types
	cargo fmt --all --check
	cargo fmt --manifest-path tests/bench/peers/Cargo.toml --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p locket-wasm --all-targets --target wasm32-unknown-unknown -- -D warnings
	cargo clippy -p locket-wasm --no-default-features --target-dir $(BARE) -- -D warnings
	cargo clippy -p locket-wasm --no-default-features --target wasm32-unknown-unknown --target-dir $(BARE) -- -D warnings
	for module in checker client messages simulator; do cargo clippy -p locket-wasm --no-default-features --features $$module --target wasm32-unknown-unknown -- -D warnings || exit; done
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps
	RUSTDOCFLAGS='-D warnings' cargo doc -p locket-wasm --no-deps --target wasm32-unknown-unknown
	tsc --noEmit
	tsc --noEmit -p cli
	tsc --noEmit -p tests/types
	oxlint --type-aware --report-unused-disable-directives src/js cli tests www/src
	publint pkg --strict
	attw --pack pkg --config-path tests/types/attw.json --format table-flipped
	node tests/ceilings.mjs
	svelte-check --workspace www --tsconfig ./tsconfig.json --fail-on-warnings --output human
	for workflow in .github/workflows/*.yml; do action-validator $$workflow || exit; done
	for script in .ci/setup .ci/run; do bash -n $$script || exit; done
	find .ci cli docs src tests -name '*.mjs' -not -path '*/node_modules/*' | while read -r script; do node --check $$script || exit; done

docs: $(PAGE) | setup-typedoc setup-browser ## write the generated pages and pictures of docs/, and the API references into target/docs/
	node docs/generate.mjs
	node docs/picture.mjs
	docs/api/node_modules/.bin/typedoc --options docs/api/typedoc.json
	cargo doc --workspace --no-deps
	rm -rf target/docs/rust && cp -r target/doc target/docs/rust
	@echo 'target/docs/api/index.html, target/docs/rust/locket_wasm/index.html'

api: build ## write the report of the package's API, tests/types/api.md, after it was meant to change
	node tests/types/api.mjs

PUBLISH := target/publish

publish-dry-run: binary ## build what a release publishes into target/publish/, publish nothing (Rust 1.90 or newer, all committed)
	rm -rf $(PUBLISH) target/package && mkdir -p $(PUBLISH)
	cargo publish --workspace --dry-run
	cargo package --workspace --no-verify --quiet
	cp target/package/*.crate $(PUBLISH)
	npm pack ./pkg --silent --pack-destination $(PUBLISH)
	npm publish ./$(PUBLISH)/locket-wasm-*.tgz --access public --dry-run
	cp target/binary/locket-wasm $(PUBLISH)/locket-wasm-linux-x64
	cd $(PUBLISH) && sha256sum * >SHA256SUMS && cat SHA256SUMS

bench: build $(PAGE) | setup-browser ## measure speed, beside peers
	cargo bench --no-run --bench day --bench lock_table --bench seeds
	cargo bench -p locket-sim --no-run --bench check
	cargo build --release --manifest-path tests/bench/peers/Cargo.toml --target-dir target/peers
	node tests/bench/main.mjs

clean: ## remove everything built; installed tools stay
	rm -rf target pkg

# -- set up

SETUP := setup-rust setup-bindgen setup-wasm-pack setup-node setup-browser setup-firefox setup-envoy setup-postject setup-ray setup-typedoc setup-all
.PHONY: $(SETUP)
$(SETUP): setup-%:
	@.ci/setup $*

# Asked for every time; written only when other packages were installed, and then everything built with them is old.
node_modules/.installed-lock.json: FORCE
	@.ci/setup npm
