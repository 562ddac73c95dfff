# shellcheck shell=bash
# Shared by the scripts of tests/vm: where things are, and how they complain.
set -euo pipefail

vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
build_dir=$(realpath -m "${LOSSLESSCTL_BUILD:-$vm_dir/../../build}")
vm_build=$build_dir/vm

say() { echo "tests/vm/${0##*/}: $*" >&2; }

# Whatever went wrong here, COMMAND did not run: 125, as env and timeout have it.
die() {
	say "$@"
	exit 125
}

need() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || die "no $tool here; install what tests/vm/packages lists"
	done
}

# take_lock NAME: held until this process ends; children do not inherit it.
take_lock() {
	mkdir -p "$vm_build"
	exec {lock_fd}>"$vm_build/$1.lock"
	flock "$lock_fd"
}

# fetch PACKAGE...: the .deb files, in the present folder.
fetch() {
	apt-get -q -o APT::Sandbox::User=root download "$@" >&2 ||
		die "cannot download $*; are the package lists there (apt-get update)?"
}

# unpack_debs FOLDER: every .deb of the present folder.
unpack_debs() {
	local deb
	for deb in *.deb; do
		dpkg-deb -x "$deb" "$1"
	done
}
