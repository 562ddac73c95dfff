#!/usr/bin/env bash
# short: 6.12
# waits
# losslessctl probe between two ports of one host, by Debian's mlx5_ib and perftest: the table
# `verdicts` has the traffic that leads to each verdict.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_probe.sh
. tests/system/lib_scenes.sh

set_tos() { echo "$2" >"/sys/kernel/config/rdma_cm/$1/ports/1/default_roce_tos"; }

# map_dscp PORT DSCP:PRIORITY: change the priority of this DSCP.
map_dscp() { dcb app add dev "$1" dscp-prio "$2"; }

in_class='in_class 3 -> 3'
unmarked='in_class 0 -> 0'

flood() {
	local datagram
	printf -v datagram %1400s ''
	while :; do printf %s "$datagram" >"/dev/udp/$far/9"; done 2>/dev/null
}

# The far port drops the flood: an answer to it would count beside the acknowledgements.
begin_flood() {
	far_drops ip flower ip_proto udp dst_port 9
	flood &
	flood=$!
}

end_flood() {
	kill $flood
	wait $flood
	far_takes
}

# A switch loses the packets of one run.
blocked() {
	connectx $port rewrite 26 lost
	probe 2 --json
	connectx $port rewrite off
	same connected 'false true' "$(tr -d '\n' <"$work/out" |
		grep -oE '"connected": *[a-z]+' | sed 's/.*[: ]//' | paste -sd ' ' -)"
	same verdicts 'in_class in_class' "$(tr -d '\n' <"$work/out" |
		grep -oE '"verdict": *"[a-z_]+"' | sed 's/.*: *//; s/"//g' | paste -sd ' ' -)"
	says ', or their acknowledgements, do not arrive"' # on a slow machine the time ends before perftest gives up
}

# The firewall drops TCP without an answer, so perftest waits.
blocked_tcp() {
	far_drops ip flower ip_proto tcp dst_port 18515
	probe 2
	far_takes
	says 'verbs no connection packets, or their acknowledgements, do not arrive permit UDP 4791 and TCP 18515'
	finds rdma_cm "$in_class" "$in_class"
}

# Without rdma_cm, the two perftests agree on the smaller MTU.
another_mtu() {
	ip link set $other mtu 1500
	probe 2
	ip link set $other mtu 9000
	wait_carrier
	finds verbs "$in_class" "$in_class"
	finds control "$unmarked" "$unmarked"
	says 'rdma_cm no connection packets'
	says ', or their acknowledgements, do not arrive'
	says 'see that both ports have the same MTU'
}

without_a_route() {
	ip route replace unreachable $far table $table
	probe 2
	add_end $port $near $other $far
	says "verbs no connection the other end's perftest cannot be reached by TCP"
	says "rdma_cm no connection rdma_cm finds no route to the other port's address"
	says '`ip route get ADDRESS`'
	probe 0
}

# Debian's perftest has no CUDA, which is an error only for a policy that names the path.
without_cuda() {
	probe 0 --json
	says '"path":"gpu"'
	says '"state":"unsupported"'
	paths '"verbs","gpu"'
	probe 3
	says 'gpu unsupported'
	says 'perftest was built without CUDA'
	finds verbs "$in_class" "$in_class"
	finds control "$unmarked" "$unmarked"
	rm /etc/losslessctl/policy.json
}

# probe_with_stand_in: probe with the program on standard input in place of perftest. The program
# finds perftest as $work/ib_write_bw.
probe_with_stand_in() {
	cp /usr/bin/ib_write_bw "$work/ib_write_bw"
	cat >"$work/stand_in"
	chmod 755 "$work" "$work/stand_in" "$work/ib_write_bw"
	mount --bind "$work/stand_in" /usr/bin/ib_write_bw
	probe 0
	umount /usr/bin/ib_write_bw
}

# The stand-in claims CUDA, and uses the host's memory. A client has one word more than a server,
# and may have to start twice.
with_cuda() {
	probe_with_stand_in <<-END
		#!/bin/bash
		case "\$*" in
		*--help*) echo '--use_cuda=<cuda device id>' ;;
		*--use_cuda=0*) echo \$# >>$work/gpu ;;
		esac
		exec $work/ib_write_bw "\${@/--use_cuda=*/--CPU-freq}"
	END
	finds gpu "$in_class" "$in_class"
	same 'ends with the option' 2 "$(sort -u "$work/gpu" | wc -l)"
}

# rdma_cm refuses the first four clients. The fifth is the last: it is started 3.2 s after its server. Both
# times are the kernel's, in hundredths of a second, because a stand-in on a busy machine runs seconds after
# its start; for the same reason the fifth client waits until its server listens.
accepts_late() {
	paths '"rdma_cm"'
	: >"$work/servers"
	: >"$work/clients"
	probe_with_stand_in <<-END
		#!/bin/bash
		read -ra stat </proc/\$\$/stat
		case "\$*" in
		*--rdma_cm*$far*)
			echo \${stat[21]} >>$work/clients
			mapfile -t clients <$work/clients
			until mapfile -t servers <$work/servers && ((\${#servers[@]} >= \${#clients[@]})); do sleep 0.05; done
			((\${#clients[@]} >= 5)) || { echo "Received event: RDMA_CM_EVENT_REJECTED, error: 8" && exit 1; }
			until rdma resource show cm_id | grep -q 'state LISTEN'; do sleep 0.05; done
			;;
		*--rdma_cm*) echo \${stat[21]} >>$work/servers ;;
		esac
		exec $work/ib_write_bw "\$@"
	END
	rm /etc/losslessctl/policy.json
	finds rdma_cm "$in_class" "$in_class"
	same 'servers and clients' '5 5' "$(wc -l <"$work/servers") $(wc -l <"$work/clients")"
	local waited=$(($(tail -n 1 "$work/clients") - $(tail -n 1 "$work/servers")))
	[ $waited -ge 310 ] || echo "the last client was started $waited hundredths of a second after its server"
}

without_an_address() {
	serve_probe $other
	ip address flush dev $port scope global
	ask 3
	wait $prober
	says "$port has no GID of RoCE v2 with an address that can be routed"
}

# begin_job: connect an idle queue pair in each direction, until end_job.
begin_job() {
	rping -s -a $near >/dev/null 2>&1 &
	job=($!)
	until rdma_cm_listens; do sleep 0.05; done
	rping -c -a $near -I $far -C 1000000 >/dev/null 2>&1 &
	job+=($!)
	until rdma resource show qp | grep -q 'type RC state RTS'; do sleep 0.05; done
	kill -STOP "${job[1]}"
}

end_job() {
	kill -KILL "${job[@]}"
	wait "${job[@]}"
}

busy() {
	begin_job
	serve_probe $other
	ask 1
	says '1 RDMA queue pair is connected through this port'
	says '--allow-disruption'
	wait $prober
	serve_probe $other # without --allow-disruption
	ask 1 --allow-disruption
	says 'the other end: 1 RDMA queue pair is connected through this port'
	wait $prober
	end_job
}

busy_and_allowed() {
	begin_job
	serve_probe --allow-disruption $other
	ask 0 --allow-disruption
	server_exits 0
	end_job
	says "$port: 1 RDMA queue pair is connected through this port; the probe slows it down"
	says "$other: 1 RDMA queue pair is connected through this port; the probe slows it down"
	finds verbs "$in_class" "$in_class"
}

connect_ports
set_up_ports
play_verdicts

# The probe starts a run without a connection five times, so the policy omits the third path.
paths '"verbs","rdma_cm"'
it 'TCP that is blocked is a reason of no connection' blocked_tcp
in_long it 'ports of different MTUs have no connection by rdma_cm' another_mtu
in_long it 'a port without a route to the other one has none at all' without_a_route
rm /etc/losslessctl/policy.json
in_long it 'a perftest without CUDA is an error only for a policy that names the path' without_cuda
in_long it 'the path gpu asks a perftest with CUDA for its memory' with_cuda
in_long it 'both ends start anew while rdma_cm refuses the one that begins' accepts_late

# One path is enough below.
paths '"verbs"'
in_long it 'a run that is blocked has no connection, and a reason' blocked
it 'a port in use is refused, by each end' busy
in_long it 'or probed with --allow-disruption, and a warning' busy_and_allowed
it 'a port without an address is unknown' without_an_address
disconnect_ports
tap_end
