#!/usr/bin/env bash
# Tests of packaging/docs/getting-started.md: a new user follows it word by word, in a Debian that
# never had losslessctl, under its own systemd, on simulated ports. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/packaging/install/lib.sh
. tests/packaging/install/lib.sh
# shellcheck source=tests/packaging/install/lib_trial.sh
. tests/packaging/install/lib_trial.sh

root=$PWD/$work/trial
folder=$work/blocks

in_root() { chroot_run "$root" "$@"; }

# Use the package of deb_long, if it made one; the_document_is_in_it compares the documents.
a_package() {
	[ -n "$(the_deb)" ] || quiet packaging/build-deb
}

# Make the Debian of an operator, who is not root but may use sudo.
a_debian() {
	fresh_debian "$root" >$work/said 2>&1 || tail $work/said
	quiet in_root apt-get update
	quiet in_root apt-get -y --no-install-recommends install iproute2 sudo systemd-sysv
	quiet in_root useradd --create-home --shell /bin/bash "$operator"
	echo "$operator ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$operator"
	echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/yes"
	echo gpu-node-1 >"$root/etc/hostname"
	echo 127.0.1.1 gpu-node-1 "$(hostname)" >>"$root/etc/hosts"
	rm -rf "$root"/var/lib/apt/lists/*
	cp "$(the_deb)" "$root/home/$operator/"
}

installs_by_its_words() {
	same 'exit codes' '0 0 0' "$(follow 1)"
	grep -q '^Setting up losslessctl' $folder/said.1 || cat $folder/said.1
}

# The package must not compress files that documents link to.
the_document_is_in_it() {
	local docs=$root/usr/share/doc/losslessctl/docs link
	cmp "$document" "$docs/${document##*/}"
	grep -oE '\]\([a-z]+\.md' "$document" | sed 's/^](//' | sort -u | while read -r link; do
		[ -e "$docs/$link" ] || echo "$link is not there"
	done
}

document_is_taken_apart() {
	rm -rf $folder
	mkdir -p $folder
	take_apart $folder
	same 'blocks of commands' 10 "$(find $folder -name 'sh.*' | wc -l)"
}

it 'the document has the commands that are followed here' document_is_taken_apart
it 'there is a package' a_package
it 'there is a Debian, and somebody with sudo' a_debian
it 'the package is installed by the words of the document' installs_by_its_words
it 'the package has the document, and what it leads to' the_document_is_in_it
[ "$tap_failed" -eq 0 ] || tap_end
LOSSLESSCTL_TEST_TRIAL="$tap_count $root $PWD/$folder" exec tests/vm/run --timeout 2400 -- \
	tests/packaging/install/trial_in_guest
