#!/usr/bin/env bash
# Tests of packaging/quickstart, with stand-ins for packages, build and guest. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# stand_in FILE: make a shell script from standard input.
stand_in() { { echo '#!/bin/sh' && cat; } >"$1" && chmod +x "$1"; }

# Make a checkout whose guest fetches its parts at the first run; no other step takes time.
checkout() {
	local name
	mkdir -p "$work"/{bin,top/packaging,top/tests/vm}
	cp packaging/quickstart packaging/packages "$work/top/packaging/"
	cp tests/vm/packages "$work/top/tests/vm/"
	for name in apt-get dpkg-query meson ninja; do
		stand_in "$work/bin/$name" </dev/null
	done
	stand_in "$work/top/tests/vm/kernel" </dev/null
	stand_in "$work/top/tests/vm/run" <<-END
	[ -e $work/fetched ] || echo fetching prometheus >&2
	touch $work/fetched
	[ "\$2" != packaging/story ] || echo the story
	END
}

nothing_is_fetched_within_the_story() {
	PATH=$work/bin:$PATH LOSSLESSCTL_BUILD=$work/build "$work/top/packaging/quickstart" >"$work/out" 2>&1
	grep -qx 'the story' "$work/out" || cat "$work/out"
	found grep fetching "$work/out"
	grep -q fetching "$work/build/quickstart.log"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checkout
it "all is fetched before the story begins, with Debian's own driver" nothing_is_fetched_within_the_story
tap_end
