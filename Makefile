# SPDX-License-Identifier: Apache-2.0
# Verbs for people; the build itself is CMake's. They say how far they are, and what is wrong.
BUILD  ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
PLANS  ?= 50000
JOBS   ?= $(shell nproc)
SHELL  := bash
.SHELLFLAGS := -o pipefail -c

configure = { [[ -e $(BUILD)/$(1)/build.ninja ]] || echo 'configuring $(BUILD)/$(1)'; } && \
            cmake -S . -B $(BUILD)/$(1) -G Ninja -Wno-dev --log-level=WARNING $(2) >/dev/null
compile   = cmake --build $(BUILD)/$(1) --parallel $(JOBS) $(2) | tools/bar 'building $(BUILD)/$(1)'
run_tests = ctest --test-dir $(BUILD)/$(1) --output-on-failure --parallel $(JOBS) --no-tests=error | \
            grep --line-buffered -vE '^(Internal ctest|Test project| +Start )'
# Tests are built where all that they need is installed, which is what `make test` does.
gcc       = -DCMAKE_C_COMPILER=gcc -DZTL_TESTS=$(if $(shell tools/setup --missing),OFF,ON)

.PHONY: help setup setup-demo setup-build build demo test test-gcc test-clang coverage mutants conform-coverage \
        fuzz soak soak-plans area doc cookbook site bench-page format tidy install uninstall clean
.NOTPARALLEL:

help:
	@echo 'make demo       set up, build what it needs, and show Ztl at work'
	@echo 'make build      set up and build, into $(BUILD)/gcc'
	@echo 'make test       set up, build with gcc and clang, run every test'
	@echo 'make setup      install the Debian packages that are missing, for all of this'
	@echo 'make doc        the manual with its tables and pictures from the model'
	@echo 'make cookbook   the figures of doc/cookbook.md, as the commands print them now'
	@echo 'make site       the site with the playground, in $(BUILD)/gcc/site/html; ztl serve shows it'
	@echo 'make bench-page  how fast and how large the playground is'
	@echo 'make install    install to PREFIX ($(PREFIX)), below DESTDIR if given'
	@echo 'make uninstall  remove what is installed there'
	@echo 'make coverage   line coverage of isa/, model/ and codec/'
	@echo 'make mutants    MUTANTS ($(MUTANTS); 0: all) wrong models: what the conformance suite notices'
	@echo 'make conform-coverage   lines and branches of the model that the suite executes'
	@echo 'make fuzz       look for inputs that break the readers, FUZZ_SECONDS ($(FUZZ_SECONDS)) each'
	@echo 'make soak       compare engines on random programs for SOAK seconds (3600)'
	@echo 'make soak-plans plan PLANS ($(PLANS)) random operators: each must take what was reckoned'
	@echo 'make area       gates of the parts that decide area, beside those of doc/worth.md'
	@echo 'make format     reformat the sources'
	@echo 'make tidy       look for mistakes with clang-tidy'
	@echo 'make clean      remove $(BUILD)/'

setup:
	@tools/setup

setup-demo setup-build: setup-%:
	@tools/setup $*

build: setup-build
	@$(call configure,gcc,$(gcc))
	@$(call compile,gcc)

demo: setup-demo
	@$(call configure,gcc,$(gcc))
	@$(call compile,gcc,--target ztl_cli)
	@$(BUILD)/gcc/ztl run examples/picture.s
	@echo "That was 'ztl run examples/picture.s'; README.md says what to read next."

test: test-gcc test-clang

test-gcc: setup build
	@echo 'gcc: every test'
	@$(call run_tests,gcc)

# Sanitizers run with clang; what is exhaustive with gcc is sampled here.
test-clang: setup
	@$(call configure,clang,-DCMAKE_C_COMPILER=clang -DZTL_SANITIZE=ON)
	@$(call compile,clang)
	@echo 'clang with sanitizers: every test'
	@$(call run_tests,clang)

# Random programs on every engine, other ones each time, until SOAK seconds are over.
SOAK ?= 3600
soak: setup build
	@tests/diff/soak $(BUILD)/gcc $(SOAK)

# Other operators each time; the seed is printed, so that a failure can be repeated.
soak-plans: setup build
	@$(BUILD)/gcc/tests/ops/test_ops_reckoned $(PLANS) $$(date +%s)

area: setup
	@area/measure.py doc/worth.md

# Wrong models, each judged by the conformance suite alone.
MUTANTS ?= 300
mutants: setup build
	@tests/mutants/mutate.py $(BUILD)/gcc --count $(MUTANTS) --jobs $(JOBS)

# What of the plain model the conformance suite alone executes.
conform-coverage: setup build
	@tests/mutants/mutate.py $(BUILD)/gcc --coverage --jobs $(JOBS)

coverage: setup
	@$(call configure,coverage,-DCMAKE_C_COMPILER=gcc -DZTL_COVERAGE=ON -DCMAKE_BUILD_TYPE=Debug)
	@$(call compile,coverage)
	@echo 'coverage: running the tests of isa/, model/ and codec/'
	@ctest --test-dir $(BUILD)/coverage --output-on-failure --parallel $(JOBS) --no-tests=error \
	    --tests-regex '^(isa|model|codec)/|^cli/isa' >/dev/null
	@gcovr --root . --object-directory $(BUILD)/coverage --fail-under-line 95 \
	    --filter isa/ --filter model/ --filter codec/

fuzz: setup
	@$(call configure,fuzz,-DCMAKE_C_COMPILER=clang -DZTL_SANITIZE=ON -DZTL_FUZZ=ON)
	@$(call compile,fuzz,--target tests/fuzz/all)
	@tests/fuzz/run $(BUILD)/fuzz/tests/fuzz $(FUZZ_SECONDS)

doc: build
	@tools/draw-pictures $(BUILD)/gcc/ztl doc/isa.md doc/pictures
	@tools/draw-pictures $(BUILD)/gcc/ztl doc/zh/isa.md doc/zh/pictures zh
	@echo '$(BUILD)/gcc/doc/isa.md $(BUILD)/gcc/doc/zh/isa.md'

cookbook: build
	@ZTL_LIBRARY_PATH=$(abspath $(BUILD))/gcc PYTHONPATH=$(abspath $(BUILD))/gcc/python CC=gcc \
	    /usr/bin/python3 -B tests/doc/cookbook.py . $(BUILD)/gcc --write

# From first paint to first instruction, instructions a second, size compressed.
bench-page: site
	@/usr/bin/python3 -B tests/site/speed.py $(BUILD)/gcc/ztl $(BUILD)/gcc/site/html/playground

site: setup build
	@$(call compile,gcc,--target site)
	@echo '$(BUILD)/gcc/site/html; $(BUILD)/gcc/ztl serve shows it'

format: setup
	@tools/check-format --fix

tidy: setup
	@$(call configure,tidy,-DCMAKE_C_COMPILER=clang -DZTL_TESTS=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
	@echo 'clang-tidy: looking at every source'
	@tools/check-tidy $(BUILD)/tidy $(JOBS)

install: build
	@cmake --install $(BUILD)/gcc --prefix $(PREFIX) | tools/uninstall --record $(PREFIX)
	@echo 'installed to $(DESTDIR)$(PREFIX)'

uninstall:
	@tools/uninstall $(PREFIX)

clean:
	@rm -rf $(BUILD)
