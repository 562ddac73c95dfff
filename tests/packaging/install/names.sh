#!/usr/bin/env bash
# Tests that two places agree wherever both name packages, versions or licences. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

control=packaging/debian/control
spec=packaging/losslessctl.spec
# Every Debian that builds packages has these.
essential='^(gcc|libc6-dev|ninja-build)$'

# Print the first alternative of each dependency, one name a line, without version or build profile.
build_depends() {
	awk '/^#/ { next }
		/^[^ ]/ { inside = 0 }
		/^Build-Depends:/ { inside = 1; $1 = "" }
		inside' $control |
		tr -d '\n' | tr ',' '\n' | awk 'NF { print $1 }'
}

control_names_what_is_needed() {
	diff <({ grep -vE "$essential" packaging/packages &&
		printf '%s\n' debhelper-compat libcmocka-dev systemd-dev; } | sort) \
		<(build_depends | sort)
}

# Leave out the dependency threads, which is in libc.
meson_asks_for() {
	grep -oh "dependency('[a-z][^']*'" "$@" | cut -d "'" -f 2 | grep -vx threads | sort -u
}

spec_names_what_meson_asks_for() {
	diff <(meson_asks_for meson.build tests/meson.build) \
		<(sed -n 's/^BuildRequires: *pkgconfig(\(.*\))$/\1/p' $spec | sort)
}

# Compare the names of a library in Debian and in pkg-config.
packages_name_what_meson_asks_for() {
	diff <(meson_asks_for meson.build | sed 's/^lib//; s/-3[.]0$/-3/; s/.*/lib&-dev/' | sort -u) \
		<(grep '^lib.*-dev$' packaging/packages | grep -v libc6 | sort)
}

suggests() {
	diff <(sed -n 's/^Suggests: *//p' $control | tr -d ' ' | tr ',' '\n' |
		sed 's/-client//' | sort) \
		<(sed -n 's/^Suggests: *//p' $spec | sort)
	found grep -nE '^(Depends|Recommends|Requires|Pre-Depends).*lldpad' $control $spec
}

one_version() {
	local version
	version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
	[ -n "$version" ] || echo 'meson.build has none'
	grep -qF "losslessctl ($version-" <<<"$(head -n 1 packaging/debian/changelog)" ||
		head -n 1 packaging/debian/changelog
	grep -q "^Version: *$version$" $spec || grep '^Version' $spec
	grep -q "^## $version\( \|$\)" CHANGELOG.md || grep -m 1 '^## ' CHANGELOG.md
	grep -q -- "- $version-" <<<"$(sed -n '/^%changelog/,$p' $spec | sed -n '/^\*/{p;q}')" ||
		grep '^\*' $spec
}

# Compare the minimum version of meson.
one_meson() {
	local wanted
	wanted=$(sed -n "s/.*meson_version: '>= \(.*\)',.*/\1/p" meson.build)
	grep -q "meson (>= $wanted)," $control || echo "control has another meson than $wanted"
	grep -q "^BuildRequires: *meson >= $wanted$" $spec ||
		echo "the spec has another meson than $wanted"
}

# Only the kernel module for tests is GPL.
licences() {
	diff <(found grep -rlIE '^(//|/[*]|#) SPDX-License-Identifier: GPL-2.0' \
		tests packaging agent cli dcb policy roce | cut -d / -f 1-3 | sort -u) \
		<(sed -n 's,^Files: \(tests/.*\)/\*$,\1,p' packaging/debian/copyright)
}

it 'debian/control wants what packaging/packages names' control_names_what_is_needed
it 'packaging/packages names what meson.build asks for' packages_name_what_meson_asks_for
it 'the spec wants what meson.build asks for' spec_names_what_meson_asks_for
it 'both suggest lldpad and ssh, and neither asks for them' suggests
it 'meson.build, both changelogs and the spec have one version' one_version
it 'both want the meson that meson.build wants' one_meson
it 'debian/copyright names the GPL files' licences
tap_end
