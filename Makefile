# SPDX-License-Identifier: Apache-2.0
# Verbs for people; the build itself is CMake's.
BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)

configure = cmake -S . -B $(BUILD)/$(1) -G Ninja -Wno-dev --log-level=WARNING $(2)
compile   = cmake --build $(BUILD)/$(1) --parallel $(JOBS)
run_tests = ctest --test-dir $(BUILD)/$(1) --output-on-failure --parallel $(JOBS) --no-tests=error

.PHONY: help setup build demo test test-gcc test-clang coverage format install clean soak

help:
	@echo 'make demo       set up, build, and show Ztl at work'
	@echo 'make test       set up, build with gcc and clang, run every test'
	@echo 'make build      build only, into $(BUILD)/gcc'
	@echo 'make install    install to PREFIX ($(PREFIX)), below DESTDIR if given'
	@echo 'make coverage   line coverage of model/ and codec/'
	@echo 'make soak       compare engines on random programs for SOAK seconds (3600)'
	@echo 'make format     reformat the sources'
	@echo 'make clean      remove $(BUILD)/'

setup:
	@tools/setup

build: setup
	@$(call configure,gcc,-DCMAKE_C_COMPILER=gcc)
	@$(call compile,gcc)

demo: build
	@$(BUILD)/gcc/examples/demo

test: test-gcc test-clang

test-gcc: build
	@$(call run_tests,gcc)

# Sanitizers run with clang; what is exhaustive with gcc is sampled here.
test-clang: setup
	@$(call configure,clang,-DCMAKE_C_COMPILER=clang -DZTL_SANITIZE=ON)
	@$(call compile,clang)
	@$(call run_tests,clang)

# Random programs on every engine, other ones each time, until SOAK seconds are over.
SOAK ?= 3600
soak: build
	@tests/diff/soak $(BUILD)/gcc $(SOAK)

coverage: setup
	@$(call configure,coverage,-DCMAKE_C_COMPILER=gcc -DZTL_COVERAGE=ON -DCMAKE_BUILD_TYPE=Debug)
	@$(call compile,coverage)
	@$(call run_tests,coverage) >/dev/null
	@gcovr --root . --object-directory $(BUILD)/coverage --filter model/ --filter codec/

format: setup
	@tools/check-format --fix

install: build
	@cmake -DCMAKE_INSTALL_PREFIX=$(PREFIX) -P $(BUILD)/gcc/cmake_install.cmake

clean:
	@rm -rf $(BUILD)
