# shellcheck shell=bash
# Connected RDMA queue pairs. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets port

# connect_rdma: connect two queue pairs of $port to the namespace "peer", until end_pairs. One after
# the other, as rping's server confuses two requests that come at once, and refuses one of them.
connect_rdma() {
	local pairs
	modprobe rdma_ucm
	ip address add 192.0.2.1/24 dev $port
	ip -n peer address add 192.0.2.2/24 dev ens1f1np1
	ip netns exec peer rping -s -P -a 192.0.2.2 >/dev/null 2>&1 &
	rpings=$!
	until_rdma_has 1 'state LISTEN .* comm rping' cm_id
	for pairs in 1 2; do
		rping -c -a 192.0.2.2 -C 100000 >/dev/null 2>&1 &
		rpings+=" $!"
		until_rdma_has $pairs '^link mlx5_0.* type RC state RTS' qp
	done
	# shellcheck disable=SC2086	# some numbers
	kill -STOP $rpings
}

# until_rdma_has COUNT PATTERN WHAT: wait, for 60 s, for so many of the RDMA devices' queue pairs or
# the like.
until_rdma_has() {
	local end=$((SECONDS + 60))
	until [ "$(rdma res show "$3" | grep -cE "$2")" -ge "$1" ]; do
		[ $SECONDS -lt $end ] || { echo "never $1 of $3 with $2" && return 1; }
		sleep 0.1
	done
}

end_pairs() {
	# shellcheck disable=SC2086	# some numbers
	kill -KILL $rpings
	wait 2>/dev/null
}

# Remove the addresses that connect_rdma set.
end_addresses() {
	ip -n peer address flush dev ens1f1np1
	ip address flush dev $port
}
