# shellcheck shell=bash
# A Debian to install packages in. To be sourced from the top of the checkout.
# shellcheck source=packaging/chroot.sh
. packaging/chroot.sh

work=build/install
mkdir -p $work
unset LOSSLESSCTL_TEST_LONG # a package runs its own tests when it is built: the short ones

# quiet COMMAND…: what it says is told only when it fails.
quiet() {
	"$@" >$work/said 2>&1 </dev/null || { echo "exit code $? of: $*" && tail -n 20 $work/said; }
}

# the_deb: what build-deb made, if it was run.
the_deb() {
	find build -maxdepth 2 -path 'build/deb/losslessctl_*.deb'
}

# fresh_debian FOLDER: with systemd, as on a host. It is made once.
fresh_debian() {
	local suite tarball
	suite=$(chroot_suite)
	tarball=$work/debian-$suite.tar
	[ -e "$tarball" ] || chroot_make "$tarball" "$suite" --variant=apt \
		--include=systemd,udev,procps,jq || return
	rm -rf "$1"
	chroot_unpack "$tarball" "$1"
	cp /etc/resolv.conf "$1/etc/resolv.conf"
}
