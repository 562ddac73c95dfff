#!/usr/bin/env bash
# Tests of `meson install`, which puts each file in its place, and of `meson dist`. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

folder=build/install/places
root=$PWD/$folder/root
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)

# Print the expected files with their modes, except manual pages and completions.
wished() {
	local name
	echo "755 /usr/sbin/losslessctl"
	for name in losslessctl losslessctl@ losslessctl-apply losslessctl-verify; do
		echo "644 /usr/lib/systemd/system/$name.service"
	done
	echo "644 /usr/lib/systemd/system/losslessctl-verify.timer"
	echo "644 /usr/lib/udev/rules.d/90-losslessctl.rules"
	for name in policy report; do
		echo "644 /usr/share/losslessctl/schema/$name.json"
	done
	for name in gpu-backend.json cron/losslessctl \
		$(cd packaging && echo {collect,lldpad,nagios,nhc,opentelemetry,policies,prometheus}/*); do
		echo "644 /usr/share/doc/losslessctl/examples/$name"
	done
	for name in cron/verify-for-cron slurm/drain-on-drift; do
		echo "755 /usr/share/doc/losslessctl/examples/$name"
	done
	echo "755 /usr/bin/losslessctl-fleet"
	for name in $(cd cli/fleet && echo sql/*.sql sql/views/*); do
		echo "644 /usr/share/losslessctl/fleet/$name"
	done
	for name in packaging/docs/*; do
		echo "644 /usr/share/doc/losslessctl/docs/${name##*/}"
	done
}

build_it() {
	local again=()
	rm -rf "$root"
	[ ! -f $folder/build.ninja ] || again=(--reconfigure)
	meson setup "${again[@]}" $folder --prefix=/usr -Dtests=false --optimization=0 >$folder.log 2>&1 &&
		ninja --quiet -C $folder >>$folder.log 2>&1 &&
		(umask 077 && DESTDIR=$root meson install --quiet --no-rebuild -C $folder) \
			>>$folder.log 2>&1 ||
		tail -n 20 $folder.log
}

installed() {
	find "$root" ! -type d -printf '%m /%P\n'
}

everything_is_in_its_place() {
	diff <(wished | sort) \
		<(installed | found grep -vE ' /usr/share/(man|bash-completion|zsh|fish)/' | sort)
}

nothing_is_for_the_operator_to_write() {
	find "$root/etc" "$root/var" "$root/run" 2>/dev/null || true
}

nothing_is_enabled() {
	find "$root" -type l
	found grep -rlE '^(Also|Alias)=' "$root"
}

units_name_the_program() {
	local unit
	for unit in "$root"/usr/lib/systemd/system/*.service; do
		grep -q '^ExecStart=/usr/sbin/losslessctl ' "$unit" || grep -H '^ExecStart' "$unit"
		found grep -HnE '@[a-z_]+@' "$unit"
	done
}

# Copy the units with the program's current path, which systemd-analyze checks.
units_here() {
	rm -rf $folder/units
	cp -r "$root/usr/lib/systemd/system" $folder/units
	sed -i "s,^\(ExecStart=\)/usr/sbin/,\1$root/usr/sbin/," $folder/units/*.service
}

systemd_understands_them() {
	units_here
	SYSTEMD_LOG_LEVEL=notice systemd-analyze verify --man=no $folder/units/*
}

# The scale ends at 10; systemd calls 2.0 "OK", and the program needs the remaining exposure.
they_are_exposed_little() {
	local unit
	for unit in $folder/units/*.service; do
		systemd-analyze security --no-pager --offline=true --threshold=20 "$unit" \
			>$folder.log 2>&1 || tail -n 1 $folder.log
	done
}

it_runs_from_there() {
	[ "$("$root/usr/sbin/losslessctl" --version)" = "losslessctl $version" ] ||
		echo 'it tells another version'
}

# The tarball must have every committed file.
the_tarball_is_whole() {
	if [ ! -e .git ]; then return; fi
	rm -rf $folder/meson-dist
	meson dist --no-tests --allow-dirty -C $folder >$folder.log 2>&1 || tail -n 20 $folder.log
	diff <(git ls-tree -r --name-only HEAD | sort) \
		<(tar -tf $folder/meson-dist/losslessctl-"$version".tar.xz | found grep -v '/$' |
			sed "s,^losslessctl-$version/,," | sort)
}

mkdir -p $folder
it 'it is built and installed' build_it
it 'everything is in its place, readable whatever the umask' everything_is_in_its_place
it 'nothing goes to /etc, /var or /run: the policy is for the operator' \
	nothing_is_for_the_operator_to_write
it 'no unit is enabled' nothing_is_enabled
it 'the units start what was installed' units_name_the_program
it 'systemd understands the units and the timer' systemd_understands_them
it 'systemd calls the exposure of each service 2.0 or less' they_are_exposed_little
it 'it runs from there' it_runs_from_there
it 'meson dist has every file that is committed' the_tarball_is_whole
tap_end
