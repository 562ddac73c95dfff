# shellcheck shell=bash
# Settings that are applied, and read by others, for settings.sh and settings_roce.sh.

# sets SETTINGS: the port gets them, and verify agrees.
sets() {
	make_policy "{$1}" $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
}

# refuses SETTINGS: exit 1, and no driver was asked for a change.
refuses() {
	local before
	make_policy "{$1}" $port
	before=$(writes)
	expect 1 losslessctl apply "$work/policy.json"
	same 'driver calls' "$before" "$(writes)"
}

shows() {
	expect 0 losslessctl --json show $port
	says "$1"
}

# Calls of all setters, those of DCQCN and OFED's files, too.
writes() {
	mlx5sim $port state | grep '^writes '
}

# All there is, but for what only counts.
everything() {
	mlx5sim $port state | grep -vE '^(link_down_events|writes|dcbx) '
	ip -d link show type vlan
}

# files FOLDER NAME=VALUE…: what the files read.
files() {
	local folder=$1 pair
	shift
	for pair; do
		same "${pair%=*}" "${pair#*=}" "$(cat "$folder/${pair%=*}")"
	done
}
