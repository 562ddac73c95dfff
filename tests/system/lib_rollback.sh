# shellcheck shell=bash
# Applies to roll back, for rollback.sh and rollback_broken.sh.

state=/var/lib/losslessctl
journal=$state/journal

# set_up SETTINGS [PORT]: run one apply.
set_up() {
	make_policy "$@"
	expect 0 losslessctl -q apply "$work/policy.json"
}

both() { hardware $port; hardware $other; }

tos() { cat "/sys/kernel/config/rdma_cm/$(rdma_of "$1")/ports/1/default_roce_tos"; }

# Apply 1 changes both ports, 2 the first and 3 the second.
three_applies() {
	reset_ports
	before=$(both)
	set_up '{"mtu":4200,"roce":{"tos":100}}'
	after_first=$(both)
	set_up '{"roce":{"tos":104}}' $port
	after_second=$(both)
	set_up '{"roce":{"tos":96}}' $other
	after_third=$(both)
}

# Print the states in the list, newest first.
states() {
	losslessctl --json rollback --list >"$work/list"
	tr -d '\n' <"$work/list" | grep -oE '"number": *[0-9]+, *"state": *"[a-z_]*"' |
		sed -E 's/.*: *([0-9]+), *"state": *"([a-z_]*)"/\1 \2/' | paste -sd ,
}
