# shellcheck shell=bash
# Settings that losslessctl applies and others read, for settings.sh and settings_roce.sh.

# sets SETTINGS: apply them to the port; verify agrees.
sets() {
	make_policy "{$1}" $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
}

# refuses SETTINGS: plan and apply exit 1 for the same reasons, and ask no driver for a change.
refuses() {
	local before refusals
	make_policy "{$1}" $port
	before=$(changes)
	expect 1 losslessctl --json plan "$work/policy.json"
	refusals=$(grep -oE '"refusals":\[[^]]*\]' "$work/out")
	expect 1 losslessctl --json apply "$work/policy.json"
	same "plan's refusals" "$(grep -oE '"refusals":\[[^]]*\]' "$work/out")" "$refusals"
	expect 1 losslessctl apply "$work/policy.json"
	same 'driver calls' "$before" "$(changes)"
}

shows() {
	expect 0 losslessctl --json show $port
	says "$1"
}

# Print the port's whole state, without counters.
everything() {
	connectx $port state | grep -vE '^(link|commands|objects|pool)'
	cat "/sys/class/net/$port/mtu"
	dcb pfc show dev $port delay
	dcb -j app show dev $port dscp-prio
	ip -d link show type vlan
}

# files DIRECTORY NAME=VALUE…: each file NAME reads VALUE.
files() {
	local folder=$1 pair
	shift
	for pair; do
		same "${pair%=*}" "${pair#*=}" "$(cat "$folder/${pair%=*}")"
	done
}
