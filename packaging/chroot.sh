# shellcheck shell=bash
# A clean Debian in a tarball. To be sourced, with errexit on; needs root and mmdebstrap.

# chroot_suite: prints this host's Debian, else Debian 12.
chroot_suite() {
	# shellcheck source=/dev/null
	(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:?}") 2>/dev/null ||
		echo bookworm
}

# chroot_sources SUITE: prints the Debian mirrors of this host's apt, in the format of sources.list.
chroot_sources() {
	# shellcheck disable=SC2016 # apt is the one that knows them
	apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 2>/dev/null | sort -u | awk -v suite="$1" '
		$1 == "Debian" && index($3, suite) == 1 { print "deb " $2, $3, $4; some = 1 }
		END { if (!some) print "deb http://deb.debian.org/debian " suite " main" }'
}

# chroot_apt_options: copies this host's access to the mirror, and the maximum age of its lists.
chroot_apt_options() {
	apt-config dump |
		sed -n 's/^\(Acquire::\(http\|https\|Check-[^ ]*\)[^ ]* "[^"].*\)$/--aptopt=\1/p'
}

# chroot_make TARBALL SUITE OPTION…: renames the finished tarball, so that no TARBALL is incomplete.
chroot_make() {
	local tarball=$1 suite=$2 options sources=$1.sources.list
	shift 2
	mapfile -t options < <(chroot_apt_options)
	chroot_sources "$suite" >"$sources"
	mmdebstrap --mode=root "${options[@]}" "$@" "$suite" "$tarball.new.tar" "$sources"
	rm "$sources"
	mv "$tarball.new.tar" "$tarball"
}

# chroot_unpack TARBALL DIRECTORY
chroot_unpack() {
	mkdir -p "$2"
	tar -C "$2" -xf "$1"
}

# chroot_run [--net] DIRECTORY COMMAND…: mounts /proc; all processes end with the command. --net
# gives the command a network namespace of its own, which has no network.
chroot_run() {
	local alone=(--mount --ipc --pid --fork --kill-child)
	[ "$1" != --net ] || { alone+=(--net) && shift; }
	# shellcheck disable=SC2016 # bash in there is the one that knows them
	unshare "${alone[@]}" bash -euc '
		mount -t proc proc "$1/proc"
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/nonexistent \
			DEBIAN_FRONTEND=noninteractive chroot "$@"
	' chroot "$@"
}
