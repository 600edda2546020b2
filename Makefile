# The two commands of the README are `make demo` and `make test`. Everything is built once, into .build.

PREFIX ?= /usr/local
RELEASE := .build/release

.PHONY: demo test test-swift test-program build packages release bench completions man format clean

demo: packages build
	@Tests/Support/demo

test: packages
	swift build --build-tests
	@$(MAKE) --no-print-directory test-swift test-program

test-swift:
	Tests/Support/with-secret-service swift test --skip-build

test-program:
	Tests/Support/with-secret-service /usr/bin/python3 -m pytest -q -p no:cacheprovider Tests/Program

build:
	swift build --product countersign
	swift build --product demo-bank

packages:
	@Tests/Support/install-packages

release:
	swift build -c release --product countersign

# Kept in the repository; a test fails when they differ from what the program says of itself.
completions: build
	@mkdir -p Completions
	.build/debug/countersign --generate-completion-script bash > Completions/countersign.bash
	.build/debug/countersign --generate-completion-script zsh > Completions/_countersign
	.build/debug/countersign --generate-completion-script fish > Completions/countersign.fish

man: build
	Tests/Support/make-manual .build/debug/countersign Manual

bench: packages
	@Benchmarks/run

format:
	swift format -i -r Sources Tests Benchmarks Package.swift

clean:
	swift package clean
