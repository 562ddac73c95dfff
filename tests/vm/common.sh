# shellcheck shell=bash
# Paths, messages, locks and package downloads for the scripts of tests/vm.
set -euo pipefail

vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
build_dir=$(realpath -m "${LOSSLESSCTL_BUILD:-$vm_dir/../../build}")
vm_build=$build_dir/vm
kernels='6.1|6.12|7.3'

is_kernel() { [[ $1 && "|$kernels|" == *"|$1|"* ]]; }

say() { echo "tests/vm/${0##*/}: $*" >&2; }

# Exit with 125, as env and timeout do when COMMAND did not run.
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

# take_lock NAME: takes the lock until this process ends; children do not inherit it.
take_lock() {
	mkdir -p "$vm_build"
	exec {lock_fd}>"$vm_build/$1.lock"
	flock "$lock_fd"
}

# fetch PACKAGE...: downloads the .deb files to the current directory.
fetch() {
	apt-get -q -o APT::Sandbox::User=root download "$@" >&2 ||
		die "cannot download $*; are the package lists there (apt-get update)?"
}

# unpack_debs FOLDER: unpacks every .deb of the current directory to FOLDER.
unpack_debs() {
	local deb
	for deb in *.deb; do
		dpkg-deb -x "$deb" "$1"
	done
}

# unpack_once FOLDER PART PACKAGE...: unpacks PART of Debian's packages in FOLDER of the build
# directory, unless FOLDER exists. It does not install them.
unpack_once() {
	local folder=$vm_build/$1 part=$2 work
	shift 2
	[[ -d $folder ]] && return
	take_lock "${folder##*/}"
	[[ -d $folder ]] && return
	need apt-get dpkg-deb
	say "fetching $1"
	rm -rf "$folder".??????	# left by a killed caller
	work=$(mktemp -d "$folder.XXXXXX")
	# shellcheck disable=SC2064	# now, while the name is known
	trap "rm -rf '$work'" EXIT
	(cd "$work" && fetch "$@" && unpack_debs tree)
	mv -T "$work/tree$part" "$folder"
	rm -rf "$work"
	trap - EXIT
}
