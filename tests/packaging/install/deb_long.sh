#!/usr/bin/env bash
# Tests of the Debian package: built in a clean chroot, checked by lintian, installed, upgraded and
# purged in another chroot, and its autopkgtest. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/packaging/install/lib.sh
. tests/packaging/install/lib.sh

root=$PWD/$work/root
policy=/etc/losslessctl/policy.json

in_root() { chroot_run "$root" "$@"; }
status() { in_root dpkg-query -W -f '${db:Status-Status} ${Version}\n' losslessctl 2>/dev/null; }

lintian_is_content() {
	lintian --display-info --pedantic --tag-display-limit 0 \
		build/deb/losslessctl_*.changes 2>&1 |
		found grep -vE '^(N:|running with root)'
}

# newer DEB: make the same package with a higher version.
newer() {
	local folder=$work/newer
	rm -rf $folder
	dpkg-deb --raw-extract "$1" $folder
	sed -i 's/^Version: .*/&+newer/' $folder/DEBIAN/control
	dpkg-deb --root-owner-group --build $folder "$root/newer.deb"
}

# List every file and link, except the data of dpkg and apt.
files_of_root() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./var/lib/apt -o -path ./var/cache -o \
		-path ./var/log -o -path ./var/lib/dpkg -o -path ./tmp \) -prune \
		-o -printf '/%P\n') |
		found grep -v '[.]deb$' | sort
}

begin() {
	fresh_debian "$root" >$work/said 2>&1 || tail $work/said
	cp "$(the_deb)" "$root/losslessctl.deb"
	quiet newer "$root/losslessctl.deb"
	quiet in_root apt-get update
	# The dependencies stay installed.
	quiet in_root apt-get -y --no-install-recommends install /losslessctl.deb
	quiet in_root dpkg -P losslessctl
	files_of_root >$work/before
}

installs() {
	quiet in_root apt-get -y --no-install-recommends install /losslessctl.deb
	[[ $(status) == installed\ * ]] || status
}

nothing_is_enabled() {
	find "$root/etc" "$root/lib/systemd" "$root/usr/lib/systemd" \
		-name '*losslessctl*' -path '*.wants/*'
	# systemctl exits 1 if no unit is enabled.
	diff <(printf 'disabled\n%.0s' 1 2 3) \
		<(in_root systemctl is-enabled losslessctl{,-apply}.service \
			losslessctl-verify.timer)
}

nothing_is_there_before_it_is_written() {
	local path
	for path in /etc/losslessctl /var/lib/losslessctl /run/losslessctl; do
		[ ! -e "$root$path" ] || echo "$path"
	done
	in_root dpkg-query -W -f '${Conffiles}' losslessctl
}

lldpad_stays_away() {
	! in_root dpkg-query -W -f '${db:Status-Status}\n' lldpad 2>/dev/null |
		grep -x installed || echo 'it is installed'
}

# Make the files of an operator and of a run.
operate() {
	mkdir -p "$root/etc/losslessctl" "$root/var/lib/losslessctl/journal" "$root/run/losslessctl"
	cp packaging/examples/gpu-backend.json "$root$policy"
	echo kept >"$root/var/lib/losslessctl/drift.jsonl"
	quiet in_root systemctl enable losslessctl.service
}

an_upgrade_keeps_all() {
	operate
	quiet in_root dpkg -i /newer.deb
	[[ $(status) == installed\ *+newer ]] || status
	cmp packaging/examples/gpu-backend.json "$root$policy"
	[ -s "$root/var/lib/losslessctl/drift.jsonl" ] || echo 'the history is gone'
	[ "$(in_root systemctl is-enabled losslessctl)" = enabled ] ||
		echo 'what was enabled is not'
	[ "$(in_root systemctl is-enabled losslessctl-apply)" = disabled ] ||
		echo 'apply is enabled'
	quiet in_root losslessctl check $policy
}

removing_keeps_state() {
	quiet in_root dpkg -r losslessctl
	[ ! -e "$root/usr/sbin/losslessctl" ] || echo 'the program is there'
	[ -e "$root$policy" ] || echo 'the policy is gone'
	[ -s "$root/var/lib/losslessctl/drift.jsonl" ] || echo 'the history is gone'
}

purging_leaves_only_the_policy() {
	quiet in_root dpkg -P losslessctl
	diff <(sort $work/before - <<<"/etc/losslessctl"$'\n'"$policy") <(files_of_root)
	cmp packaging/examples/gpu-backend.json "$root$policy"
}

autopkgtest_is_green() {
	local code=0
	rm -rf "$root" $work/autopkgtest
	fresh_debian "$root" >$work/said 2>&1 || tail $work/said
	quiet in_root apt-get update
	mount -t proc proc "$root/proc"
	autopkgtest --output-dir=$work/autopkgtest build/deb/losslessctl_*.dsc \
		"$(the_deb)" "$(fleet_deb)" -- chroot "$root" >$work/said 2>&1 </dev/null || code=$?
	umount "$root/proc"
	grep -q '^smoke *PASS' $work/autopkgtest/summary ||
		{ echo "exit code $code" && tail -n 40 $work/said; }
}

fleet_deb() { find build -maxdepth 2 -path 'build/deb/losslessctl-fleet_*.deb'; }

# A configured host needs no database; a machine that only reads reports configures no port.
the_two_packages_stand_alone() {
	dpkg-deb -f "$(the_deb)" Depends | found grep -i sqlite
	dpkg-deb -f "$(fleet_deb)" Depends | grep -q libsqlite3-0 || echo 'no libsqlite3'
	dpkg-deb -f "$(fleet_deb)" Depends | found grep -E 'libnl|libmnl|libconfig|losslessctl'
	cp "$(fleet_deb)" "$root/fleet.deb"
	quiet in_root apt-get -y --no-install-recommends install /fleet.deb
	cp tests/golden/v1/reports/verify.jsonl "$root/verify.json"
	quiet in_root losslessctl-fleet ingest --db /fleet.db /verify.json
	quiet in_root dpkg -P losslessctl-fleet libsqlite3-0 # with its dependency
	rm -f "$root"/fleet.* "$root/verify.json"
}

it 'it is built in a clean chroot' quiet packaging/build-deb
it 'lintian has nothing to say, and is pedantic' lintian_is_content
it 'there is a clean Debian to install it in' begin
it 'losslessctl-fleet is a package that needs neither the other one nor its libraries' \
	the_two_packages_stand_alone
it 'it is installed' installs
it 'no unit is enabled' nothing_is_enabled
it 'there is no policy, no state and no conffile' nothing_is_there_before_it_is_written
it 'lldpad is not installed with it' lldpad_stays_away
it 'an upgrade keeps the policy, the state, and what is enabled' an_upgrade_keeps_all
it 'removing it keeps the policy and the state' removing_keeps_state
it 'purging it leaves the policy, and nothing else' purging_leaves_only_the_policy
it 'its autopkgtest is green' autopkgtest_is_green
rm -rf "$root"
tap_end
