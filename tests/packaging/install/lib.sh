# shellcheck shell=bash
# Make a Debian to install packages in. To be sourced from the top of the checkout.
# shellcheck source=packaging/chroot.sh
. packaging/chroot.sh

work=build/install
mkdir -p $work
unset LOSSLESSCTL_TEST_LONG # building a package runs its short tests

# quiet COMMAND…: print the command's output only if the command fails.
quiet() {
	"$@" >$work/said 2>&1 </dev/null || { echo "exit code $? of: $*" && tail -n 20 $work/said; }
}

# the_deb: print the package that build-deb made, if there is one.
the_deb() {
	find build -maxdepth 2 -path 'build/deb/losslessctl_*.deb'
}

# fresh_debian FOLDER: unpack a Debian with systemd, as on a host; its tarball is made once.
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
