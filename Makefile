# make: the release build · make demo · make test · make lint · make bench · make fuzz · make install PREFIX=…
# Each target installs the Debian packages that it lacks.

PREFIX ?= /usr/local
SWIFT ?= swift
SECONDS_PER_FUZZER ?= 60

# Building, and running what was built.
BUILD_PACKAGES := build-essential pkg-config libglib2.0-dev libnice-dev libsoup-3.0-dev glib-networking libssl-dev \
	libsrtp2-dev libusrsctp-dev libopus-dev libvpx-dev libncurses-dev libpulse-dev libwebrtc-audio-processing-dev \
	libsndfile1-dev libspeexdsp-dev libqrencode-dev libyuv-dev libvterm-dev
# Testing against the real things.
TEST_PACKAGES := $(BUILD_PACKAGES) pulseaudio pulseaudio-utils tmux python3-pyzbar iproute2 chromium firefox-esr coturn \
	nftables avahi-daemon libnss-mdns python3-aiortc python3-websockets python3-numpy gstreamer1.0-nice gstreamer1.0-plugins-base \
	gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gir1.2-gst-plugins-base-1.0 gir1.2-gst-plugins-bad-1.0 python3-gst-1.0 \
	man-db systemd zsh fish
# Comparing: speech, another phone.
BENCH_PACKAGES := $(TEST_PACKAGES) asterisk-core-sounds-en-g722 ffmpeg baresip-core baresip-x11 python3-venv \
	python3-dev iproute2 util-linux

# pkg-config's -pthread and -D flags are no flags of a module map; SwiftPM says so at every build.
QUIET := 2>&1 | sed -u '/warning: prohibited flag(s)/d'

.PHONY: all demo test lint bench fuzz install clean packages-build packages-test packages-bench
.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

all: packages-build
	$(SWIFT) build -c release --static-swift-stdlib --product hoot $(QUIET)

demo: all
	.build/release/hoot demo

# What tests make is in one folder; it goes at the end, however that comes, and with it what still runs in it. Sockets lie
# deep in it, and the path of one has room for 107 bytes. The log is followed no longer than the tests run, whoever else
# still holds it open.
test: packages-test
	$(SWIFT) build --build-tests $(QUIET)
	parent=$${TMPDIR:-/tmp}; [ $${#parent} -le 24 ] || { \
	    echo "make test: TMPDIR is too long for sockets in it, $$parent; the tests use /tmp" >&2; parent=/tmp; }; \
	folder=$$(mktemp -d "$${parent%/}/hoot.XXXX") || exit 1; chmod 755 $$folder; \
	trap 'grep -lsF $$folder /proc/[0-9]*/environ | cut -d / -f 3 | xargs -r kill -KILL; rm -rf $$folder' EXIT; \
	: >.build/test.log; \
	TMPDIR=$$folder $(SWIFT) test --skip-build --no-parallel >>.build/test.log 2>&1 & tests=$$!; \
	tail -n +1 -f --pid=$$tests .build/test.log $(QUIET); \
	wait $$tests || { grep '✘' .build/test.log; exit 1; }

lint: packages-build
	$(SWIFT) format lint --strict --recursive --configuration .swift-format Package.swift Sources Tests
	$(SWIFT) build --build-tests --scratch-path .build-lint -Xswiftc -warnings-as-errors $(QUIET)

bench: packages-bench all
	BENCH=1 $(SWIFT) build -c release --static-swift-stdlib --product hoot-bench $(QUIET)
	python3 Tests/Bench/call.py .build/release/hoot
	python3 Tests/Bench/impaired-call.py .build/release/hoot
	python3 Tests/Bench/set-up-time.py .build/release/hoot
	python3 Tests/Bench/mesh.py .build/release/hoot
	python3 Tests/Bench/console.py .build/release/hoot
	.build/release/hoot-bench screen
	.build/release/hoot-bench glass
	.build/release/hoot-bench pictures
	.build/release/hoot-bench video
	.build/release/hoot-bench

fuzz: packages-build
	for parser in RTP RTCP SDP; do \
	    FUZZ=1 $(SWIFT) build -c release --sanitize=fuzzer --sanitize=address --scratch-path .build-fuzz \
	        -Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp \
	        --product Fuzz$$parser $(QUIET) && \
	    mkdir -p .build-fuzz/corpus/$$parser && \
	    SWIFT_BACKTRACE=enable=no .build-fuzz/release/Fuzz$$parser -max_total_time=$(SECONDS_PER_FUZZER) \
	        .build-fuzz/corpus/$$parser $$(ls -d Tests/$${parser}Tests/Fixtures 2>/dev/null) || exit 1; \
	done

install: all
	install -D -m 755 .build/release/hoot $(DESTDIR)$(PREFIX)/bin/hoot
	install -d $(DESTDIR)$(PREFIX)/share/hoot/themes
	install -m 644 themes/*.theme $(DESTDIR)$(PREFIX)/share/hoot/themes
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1 bash-completion/completions zsh/site-functions \
	    fish/vendor_completions.d systemd/user)
	.build/release/hoot manual >$(DESTDIR)$(PREFIX)/share/man/man1/hoot.1
	.build/release/hoot completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/hoot
	.build/release/hoot completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_hoot
	.build/release/hoot completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/hoot.fish
	sed 's|@PREFIX@|$(PREFIX)|' Sources/hoot/hoot.service.in >$(DESTDIR)$(PREFIX)/share/systemd/user/hoot.service

clean:
	rm -rf .build .build-lint .build-fuzz

packages-build: WANTED := $(BUILD_PACKAGES)
packages-test: WANTED := $(TEST_PACKAGES)
packages-bench: WANTED := $(BENCH_PACKAGES)
packages-build packages-test packages-bench:
	@missing=$$(for name in $(WANTED); do \
	    dpkg-query -W -f '$${Status}' $$name 2>/dev/null | grep -q 'ok installed' || echo $$name; done); \
	if [ -n "$$missing" ]; then \
	    if ! command -v apt-get >/dev/null; then \
	        echo "hoot needs these packages (Debian's names), install them first:" $$missing >&2; exit 1; fi; \
	    root=; [ "$$(id -u)" = 0 ] || root=sudo; \
	    $$root apt-get -o DPkg::Lock::Timeout=600 update -qq && \
	    $$root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq \
	        --no-install-recommends $$missing >/dev/null; \
	fi
