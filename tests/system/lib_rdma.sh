# shellcheck shell=bash
# Real RDMA by soft RoCE over the simulated port, whose own device offers no queue pairs. To be
# sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets port

# connect_rdma: connect two queue pairs of rxe0 over $port, until end_pairs.
connect_rdma() {
	mlx5sim $port fwcaps rdma off
	modprobe rdma_rxe
	modprobe rdma_ucm
	ip address add 192.0.2.1/24 dev $port
	rdma link add rxe0 type rxe netdev $port
	rping -s -a 192.0.2.1 >/dev/null 2>&1 &
	rping_server=$!
	sleep 1
	rping -c -a 192.0.2.1 -C 100000 >/dev/null 2>&1 &
	rping_client=$!
	until rdma res show qp | grep -q 'type RC state RTS'; do sleep 0.1; done
}

end_pairs() {
	kill $rping_client $rping_server
	wait 2>/dev/null
}

end_soft_roce() {
	rdma link delete rxe0
	mlx5sim $port fwcaps rdma on
	ip address flush dev $port
}
