#!/usr/bin/env bash
# Tests of reproducible builds: one commit gives identical packages at any place and time.
# Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

work=$PWD/build/install/same
first=$work/a
second=$work/another-folder-with-a-longer-name/b

# built FOLDER COMMAND…: clone the commit to the directory, and build the packages by the command.
built() {
	local folder=$1
	shift
	git -c advice.detachedHead=false clone --quiet --no-hardlinks . "$folder"
	(cd "$folder" && "$@") >"$work/log" 2>&1 </dev/null || tail -n 20 "$work/log"
}

# Build without the package's tests, which deb_long runs.
first_build() {
	built "$first" env LC_ALL=C.UTF-8 TZ=UTC DEB_BUILD_OPTIONS=nocheck packaging/build-deb --here
}

# Build 400 days later, in another time zone.
second_build() {
	(
		umask 0077
		built "$second" env LC_ALL=C LANGUAGE=fr TZ=Pacific/Kiritimati USER=somebody \
			HOME="$work" DEB_BUILD_OPTIONS="nocheck parallel=1" \
			faketime -f '+400d' packaging/build-deb --here
	)
}

# sums FOLDER: print the checksums of the files that must be identical. .buildinfo and .changes name
# the builder and the time.
sums() {
	(cd "$1/build/deb" && sha256sum ./*.deb ./*.dsc ./*.tar.xz)
}

all_are_the_same() {
	local name
	[ "$(sums "$first" | wc -l)" -eq 7 ] || sums "$first"
	diff <(sums "$first") <(sums "$second") >/dev/null && return
	for name in "$first"/build/deb/*.{deb,dsc,tar.xz}; do
		diffoscope "$name" "$second/build/deb/${name##*/}" | head -n 40 || true
	done
}

no_path_is_in_it() {
	dpkg-deb --fsys-tarfile "$first"/build/deb/losslessctl_*.deb |
		tar -xO ./usr/sbin/losslessctl |
		found grep -acF "$work" | found grep -v '^0$'
}

rm -rf "$work"
mkdir -p "$work"
it 'it is built' first_build
it 'it is built elsewhere, later, with another umask, locale, time zone, number of processes' \
	second_build
it 'each package and each tarball is the same, byte for byte' all_are_the_same
it 'no path of the build is in the program' no_path_is_in_it
tap_end
