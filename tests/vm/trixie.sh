# shellcheck shell=bash
# Debian 13 with a kernel of its backports, as a bare root: packages with all that they depend on,
# unpacked, never installed. To build a module for this kernel takes the compiler and the C library
# of that Debian. To be sourced after common.sh.

# in_trixie FOLDER COMMAND…: runs a command of apt on Debian 13's lists, which FOLDER has.
in_trixie() {
	local folder=$1 command=$2
	shift 2
	"$command" -q -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o "Dir::State=$folder" -o Dir::State::Status=/dev/null -o "Dir::Cache=$folder" \
		-o APT::Architectures=amd64 -o APT::Sandbox::User=root "$@"
}

trixie_lists() {
	local suite
	mkdir -p "$1"/{lists,archives}/partial
	for suite in trixie trixie-backports; do
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
			"http://deb.debian.org/debian $suite main"
	done >"$1/sources.list"
	in_trixie "$1" apt-get update >&2 || die "cannot fetch the package lists of Debian 13"
}

# trixie_release FOLDER VERSION: prints the newest release of this version, as uname -r does.
trixie_release() {
	in_trixie "$1" apt-cache search --names-only "^linux-headers-${2//./[.]}[.][0-9]+[+]deb13-amd64\$" |
		sed 's/ .*//; s/^linux-headers-//' | sort -V | tail -n 1
}

# trixie_unpack FOLDER RELEASE: unpacks the kernel, and a root that can build modules for it, in FOLDER/tree.
# Links that installation would make are made here.
trixie_unpack() {
	local release=$2
	in_trixie "$1" apt-get -y --no-install-recommends --download-only install \
		'?essential' binutils make "linux-"{binary,modules,headers}"-$release" >&2 ||
		die "cannot download Debian 13 with Linux $release"
	(cd "$1/archives" && unpack_debs "$1/tree")
	ln -s mawk "$1/tree/usr/bin/awk"
	ln -s "../lib/modules/$release/vmlinuz" "$1/tree/boot/vmlinuz-$release"
	mknod -m 666 "$1/tree/dev/null" c 1 3
}

# trixie_make ROOT ARG…: runs make in the bare root.
trixie_make() {
	unshare --mount --mount-proc --root="$1" make "${@:2}"
}
