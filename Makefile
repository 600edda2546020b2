# The two commands of the README are `make demo` and `make test`. Everything is built once, into .build.

# The headers of libraries that the program loads only when it first uses them; a release is not linked with those.
HEADERS := $(CURDIR)/.build/headers
# A release contains Swift's libraries and C++'s, exports no symbols and searches for no libraries beside the program, so it starts
# faster. It does not contain the name of this folder, so every folder builds the same program.
RELEASE_FLAGS := -c release --static-swift-stdlib --disable-local-rpath -Xlinker -s -Xlinker --no-export-dynamic \
    --pkg-config-path $(HEADERS) -Xlinker -L$(HEADERS) -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
    -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=.

# Tests run as an ordinary user, also where root starts them, on a bus and a keyring of their own.
SESSION := Tests/Support/as-ordinary-user Tests/Support/with-secret-service
PYTEST := /usr/bin/python3 -m pytest -q -p no:cacheprovider
# Three for each processor, since tests wait half of their time, but no more than twelve, and half a gigabyte of memory for each.
WORKERS := $(shell n=$$(nproc); m=$$(awk '/^MemAvailable:/ { print int($$2 / 524288) }' /proc/meminfo); \
    n=$$((n < 4 ? n * 3 : 12)); echo $$((m < 1 ? 1 : m < n ? m : n)))
# Each worker loads the tests, with what pytest adds to their assertions, and does not compile them again.
COMPILED := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/.build/python
WORKER := popen//python=Tests/Support/with-secret-service /usr/bin/python3
# Hundreds of Swift tests at once, as is usual, keep a server and its client from their turn for too long.
SWIFT_TESTS := .build/debug/countersignPackageTests.xctest --testing-library swift-testing \
    --experimental-maximum-parallelization-width 6

.PHONY: demo soak test test-browser test-desktop test-window test-issuers test-providers test-swift test-program build window packages headers release install install-window window-release uninstall deb test-deb bench completions man schemas format clean

demo: packages
	@Tests/Support/quietly .build/build.log $(MAKE) --no-print-directory build
	@Tests/Support/as-ordinary-user Tests/Support/demo

test: packages
	swift build --build-tests
	for product in countersign-entry generate-manual; do swift build --product $$product || exit 1; done
	@# Side by side; what the Swift tests print stays together.
	@($(MAKE) --no-print-directory test-swift >.build/swift-tests.log 2>&1; code=$$?; cat .build/swift-tests.log; exit $$code) & \
	    $(MAKE) --no-print-directory test-program; program=$$?; wait $$! && exit $$program

test-swift:
	$(SESSION) $(SWIFT_TESTS)

# Each worker has a bus and a keyring of its own. The first line only compiles the tests; the second reports what could not be
# compiled.
test-program:
	$(SESSION) $(COMPILED) $(PYTEST) --collect-only Tests/Program >/dev/null 2>&1 || :
	$(SESSION) $(COMPILED) $(PYTEST) -rs --dist loadscope --tx '$(WORKERS)*$(WORKER)' Tests/Program

# Enrolls in a real browser. Says so where none can be installed; a test that fails is a failure.
test-browser: packages
	@if Tests/Support/install-browser; then \
	    $(SESSION) $(PYTEST) Tests/Browser; \
	else \
	    echo 'browser test: not run: Chromium cannot be installed here'; \
	fi

# Shows notes and prompts by the desktop's real programs, on a display of its own. Names the programs that cannot be installed
# (-rs); a test that fails is a failure, with a picture of the screen in .build/screenshots.
test-desktop: packages
	@Tests/Support/install-desktop
	$(SESSION) $(PYTEST) -rs --dist loadfile --tx '2*$(WORKER)' Tests/Desktop

# Drives the window by what assistive technology sees of it, on a display of its own. Pictures of the screens are kept in
# .build/screenshots/window; a test that fails leaves one beside them.
test-window: window build
	@Tests/Support/install-packages xvfb xdotool imagemagick openbox fonts-dejavu-core adwaita-icon-theme at-spi2-core gir1.2-atspi-2.0
	$(SESSION) $(PYTEST) -rs Tests/Window

# Runs against the real servers of providers. Says so where one cannot be installed; a test that fails is a failure.
test-providers: packages
	@if Tests/Support/install-privacyidea; then \
	    $(SESSION) $(PYTEST) Tests/Providers; \
	else \
	    echo 'provider tests: not run: privacyIDEA cannot be installed here'; \
	fi

# Runs against OpenID providers that others made. Says so where one cannot be installed; a test that fails is a failure.
test-issuers: packages
	@for issuer in glewlwyd canaille; do \
	    if Tests/Support/install-$$issuer; then \
	        $(SESSION) $(PYTEST) Tests/Issuers/test_$$issuer.py || exit 1; \
	    else \
	        echo "issuer tests: not run: $$issuer cannot be installed here"; \
	    fi \
	done

# Takes about twenty minutes, so it is no part of the tests.
soak: packages
	@Tests/Support/install-packages strace
	$(SESSION) $(PYTEST) Tests/Soak

build:
	swift build --product countersign
	swift build --product countersign-entry
	swift build --product demo-bank

# The window needs GTK, which nothing else does: Package.swift has it only for who asks for it so.
window: packages
	@Tests/Support/install-packages libadwaita-1-dev
	COUNTERSIGN_WINDOW=1 swift build --product countersign-window

packages:
	@Tests/Support/install-packages

release: packages headers
	swift build $(RELEASE_FLAGS) -Xlinker "$$(Share/Install/commit-object .build/commit)" --product countersign
	swift build $(RELEASE_FLAGS) --product countersign-entry

# The release of the window beside it.
window-release: packages headers
	@Tests/Support/install-packages libadwaita-1-dev
	COUNTERSIGN_WINDOW=1 swift build $(RELEASE_FLAGS) --product countersign-window

headers: packages
	@Share/Install/headers-alone $(HEADERS)

# PREFIX is /usr/local by default; $HOME/.local needs no root. DESTDIR collects a package's files. With BINARY, installs that program, and
# countersign-entry beside it, and builds none; WINDOW is the same for the window.
export PREFIX ?=
export DESTDIR ?=
BINARY ?=
WINDOW ?=

install: $(if $(BINARY),,release)
	@BINARY="$(or $(BINARY),.build/release/countersign)" WINDOW="$(WINDOW)" Share/Install/apply install

install-window: $(if $(WINDOW),,window-release)
	@BINARY= WINDOW="$(or $(WINDOW),.build/release/countersign-window)" Share/Install/apply install

# Makes Debian packages of the releases in .build/deb, and checks them with lintian.
deb: $(if $(BINARY),,release window-release)
	@Tests/Support/install-packages debhelper lintian
	@BINARY="$(or $(BINARY),.build/release/countersign)" WINDOW="$(or $(WINDOW),$(if $(BINARY),,.build/release/countersign-window))" \
	    Share/Install/package .build/deb

# Installs, uses, upgrades and removes that package (or DEB) in a fresh Debian 12, as root. BEFORE is the package, or the
# program, of the version before.
test-deb:
	@Tests/Support/install-packages debootstrap
	BEFORE="$(BEFORE)" DEB="$(DEB)" unshare --mount-proc --pid --fork --kill-child $(PYTEST) -x Tests/Package

# Without PREFIX it looks for what was installed: for you in ~/.local, else for everybody in /usr/local.
uninstall:
	@Share/Install/apply uninstall

# The completions are generated from the parser and kept; Tests/Program/test_generated.py fails when they differ from the
# built program.
completions: packages build
	@mkdir -p Share/Completions
	.build/debug/countersign --generate-completion-script bash > Share/Completions/countersign.bash
	.build/debug/countersign --generate-completion-script zsh > Share/Completions/_countersign
	.build/debug/countersign --generate-completion-script fish > Share/Completions/countersign.fish

man: packages build
	swift build --product generate-manual
	Tests/Support/make-manual .build/debug/countersign Share/Manual

# The schemas of commands that print an agent's answer, or a part of one, from the agent's own description.
schemas:
	Tests/Support/cut-schemas

bench: packages headers
	@Benchmarks/run $(RELEASE_FLAGS)

format:
	swift format -i -r Sources Tests Benchmarks Package.swift

clean:
	swift package clean
