#!/usr/bin/env bash
# Tests of the RPM package: built by Debian's rpmbuild, checked by rpmlint. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

unset LOSSLESSCTL_TEST_LONG # building a package runs its short tests
work=build/install/rpm
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)

# --nodeps is necessary, as Debian's packages have other names.
it_is_built() {
	rm -rf $work
	mkdir -p $work/SOURCES
	git archive --prefix="losslessctl-$version/" HEAD |
		xz -T1 >"$work/SOURCES/losslessctl-$version.tar.xz"
	rpmbuild -ba --nodeps --define "_topdir $PWD/$work" packaging/losslessctl.spec \
		>$work/log 2>&1 ||
		tail -n 20 $work/log
}

rpmlint_is_content() {
	rpmlint --config packaging/rpmlint.toml packaging/losslessctl.spec \
		$work/SRPMS/*.rpm $work/RPMS/*/*.rpm 2>&1 |
		found grep -E ': [EW]: '
}

lists() {
	local wished listed
	listed=$(rpm -qpl $work/RPMS/*/*.rpm)
	for wished in /usr/sbin/losslessctl \
		/usr/lib/systemd/system/losslessctl{,@,-apply,-verify}.service \
		/usr/lib/systemd/system/losslessctl-verify.timer \
		/usr/lib/udev/rules.d/90-losslessctl.rules \
		/usr/share/doc/losslessctl/examples/gpu-backend.json \
		/usr/share/doc/losslessctl/examples/slurm/drain-on-drift \
		/usr/share/man/man8/losslessctl.8.gz /usr/bin/losslessctl-fleet \
		/usr/share/man/man1/losslessctl-fleet.1.gz \
		/usr/share/losslessctl/fleet/sql/tables.sql \
		/usr/share/doc/losslessctl/README.md; do
		grep -qxF "$wished" <<<"$listed" || echo "no $wished"
	done
	found grep -E '^/(etc|var|run)/|[.]wants/' <<<"$listed"
	sort <<<"$listed" | uniq -d | found grep -vx /usr/lib/.build-id | sed 's/$/ is in both packages/'
	rpm -qpc $work/RPMS/*/*.rpm
}

# A preset decides at the first installation; an upgrade does not run apply again.
scripts_enable_nothing() {
	rpm -qp --scripts $work/RPMS/*/*.rpm >$work/scripts
	found grep -nE 'systemctl.*( enable| start| restart)' $work/scripts
	found grep -nE 'try-restart.*apply' $work/scripts
	grep -qE 'preset losslessctl.service .*-apply.service .*-verify.timer' $work/scripts ||
		cat $work/scripts
}

# Unpack the package by cpio, and run the program from it.
it_runs() {
	local package
	mkdir $work/root
	for package in $work/RPMS/*/*.rpm; do
		rpm2cpio "$package" | (cd $work/root && cpio -idm --quiet)
	done
	[ "$($work/root/usr/sbin/losslessctl --version)" = "losslessctl $version" ] ||
		echo 'it tells another version'
	it_is_fortified
}

it_is_fortified() {
	grep -q '__.*_chk@' <<<"$(readelf -W --dyn-syms $work/root/usr/sbin/losslessctl)" ||
		echo 'it is not fortified'
}

mkdir -p $work
it 'it is built' it_is_built
it 'rpmlint has nothing to say' rpmlint_is_content
it 'everything is in its place, and nothing in /etc' lists
it 'its scripts enable and start nothing' scripts_enable_nothing
it 'it runs' it_runs
tap_end
