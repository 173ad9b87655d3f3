# Thin: each target installs what is missing, then hands over to CMake presets and CTest.
SHELL := /bin/bash
JOBS  ?= $(shell nproc)

.PHONY: help build run test test-asan soak bench format lint packages packages-lint clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

packages:
	@config/install-packages config/packages.txt

packages-lint: packages
	@config/install-packages config/packages-lint.txt

build: packages ## the release program, build/release/usher
	@cmake --preset release >build-release.log 2>&1 || { cat build-release.log; rm -f build-release.log; exit 1; }; rm -f build-release.log
	@cmake --build --preset release -j $(JOBS)

run: build ## build, then serve the demo on http://127.0.0.1:8084
	@exec build/release/usher serve --demo

test: packages ## build everything and run every test
	@cmake --preset dev
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev

test-asan: packages ## the same tests under AddressSanitizer and UBSan
	@cmake --preset asan
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan

soak: packages ## the simulated world for MINUTES (10) from a random seed, then ROUNDS (200) of each real crash
	@cmake --preset dev
	@cmake --build --preset dev -j $(JOBS)
	@build/dev/tests/simulation/simulation --seed random --minutes $(or $(MINUTES),10)
	@USHER_CRASH_ROUNDS=$(or $(ROUNDS),200) ctest --preset dev --timeout 7200 -V \
	  -R 'system_(crash|crash_holds|power_loss|ext4|full_disk|bit_flips)_test'

bench: packages ## measure beside other programs and write docs/benchmarks.md (about an hour); BENCH_ARGS: see bench/run --help
	@config/install-packages config/packages-bench.txt
	@cmake --preset release -DUSHER_BENCH=ON
	@cmake --build --preset release -j $(JOBS)
	@bench/run $(BENCH_ARGS)

format: packages-lint ## lay out the code with clang-format
	@git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format -i

lint: packages-lint ## layout, then clang-tidy over what the dev build compiles
	@git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format --dry-run -Werror
	@config/run-clang-tidy

clean: ## remove what was built
	@rm -rf build
