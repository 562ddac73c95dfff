# shellcheck shell=bash
# Real RDMA over the cable from $port to $other, by mlx5_0 and mlx5_1, both in the first network
# namespace. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets port, other, work

near=192.0.2.1 far=192.0.2.2
near6=2001:db8::1 far6=2001:db8::2
few=(-F -n 5 -s 1024) # messages
perftest=ib_write_bw
gid_option=-x # of the program for the index of its GID
dial=18515 # the port of TCP that the client of a transfer calls
table=4791 # routes that win against the local ones

family_of() { [[ $1 == *:* ]] && echo -6 || echo -4; }

# add_end DEVICE ADDRESS TO_DEVICE TO_ADDRESS: route packets to TO_ADDRESS through DEVICE.
add_end() {
	local family mac nodad=
	family=$(family_of "$2")
	[ "$family" = -4 ] || nodad=nodad
	read -r mac <"/sys/class/net/$3/address"
	ip $family address replace "$2" dev "$1" $nodad
	ip $family neighbour replace "$4" lladdr "$mac" dev "$1" nud permanent
	ip $family route replace "$4" dev "$1" src "$2" table $table
	[ "$family" = -6 ] || echo 1 >"/proc/sys/net/ipv4/conf/$1/accept_local"
}

# connect_ends DEVICE ADDRESS DEVICE ADDRESS: route between them without a short cut through lo.
# rdma_cm looks up the route back by device alone.
connect_ends() {
	local family
	family=$(family_of "$2")
	add_end "$1" "$2" "$3" "$4"
	add_end "$3" "$4" "$1" "$2"
	ip $family rule add pref 1 oif "$1" table $table
	ip $family rule add pref 1 oif "$3" table $table
	[ -n "$(ip $family rule show pref 0)" ] || return 0
	ip $family rule add pref 1 iif lo table $table
	ip $family rule add pref 2 table local
	ip $family rule delete pref 0
}

connect_ports() {
	local each
	modprobe rdma_ucm
	for each in all $port $other; do
		echo 0 >"/proc/sys/net/ipv4/conf/$each/rp_filter"
	done
	connect_ends $port $near $other $far
	connect_ends $port $near6 $other $far6
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0 /sys/kernel/config/rdma_cm/mlx5_1
}

disconnect_ports() {
	local family each
	rmdir /sys/kernel/config/rdma_cm/mlx5_0 /sys/kernel/config/rdma_cm/mlx5_1
	for family in -4 -6; do
		ip $family rule add pref 0 table local
		ip $family rule delete pref 2
		while ip $family rule delete pref 1 2>/dev/null; do :; done
		ip $family route flush table $table
	done
	for each in $port $other; do
		ip address flush dev $each scope global
		ip neighbour flush dev $each nud permanent
	done
}

# gid_text ADDRESS: print the GID as sysfs does; an IPv6 address is PREFIX:PREFIX::LAST.
gid_text() {
	local part
	IFS=.: read -ra part <<<"$1"
	case $1 in
	*:*) printf '%04x:%04x:0000:0000:0000:0000:0000:%04x' "0x${part[0]}" "0x${part[1]}" "0x${part[3]}" ;;
	*) printf '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x' "${part[@]}" ;;
	esac
}

gid_type='RoCE v2'

# gid_index RDMA_DEVICE ADDRESS: wait for the GID of this type, which the core adds a moment after the
# address.
gid_index() {
	local folder=/sys/class/infiniband/$1/ports/1 gid kind wanted tries n
	wanted=$(gid_text "$2")
	for ((tries = 0; tries < 600; tries++)); do
		for n in {0..15}; do
			read -r gid <"$folder/gids/$n"
			[ "$gid" = "$wanted" ] && read -r kind <"$folder/gid_attrs/types/$n" && [ "$kind" = "$gid_type" ] ||
				continue
			echo "$n"
			return
		done
		sleep 0.05
	done
	echo "$1 has no GID for $2"
	return 1
}

# on_the_wire PORT: print each kind of RoCE packet of the transfer at PORT's end of the cable: its
# sender, its TOS and the priority in its tag. The adapter counts them, as tcpdump sees none of them.
# A request to disconnect that is repeated, as on a loaded machine, is answered by rdma_cm without the
# connection's class (cm_issue_drep()): a packet or two of TOS 0x2.
on_the_wire() {
	local sender=near receiver=far
	[ "$1" = $port ] || { sender=far && receiver=near; }
	passed "$1" | awk -v sent=$sender -v received=$receiver '$NF > ($3 == "0x2" ? 2 : 0) {
		print ($1 == "sent" ? sent : received), $3 ($4 == "prio" ? " p" $5 : "")
	}' | sort -u | paste -sd , -
}

# passed PORT: print the kinds of packets at its end of the cable, with their packets and bytes since
# the start of the transfer: "sent tos 0x6a BYTES PACKETS".
passed() {
	awk '{ kind = $0; sub(/ packets.*/, "", kind) }
		FILENAME ~ /before$/ { packets[kind] = $(NF - 2); bytes[kind] = $NF; next }
		{ print kind, $NF - bytes[kind], $(NF - 2) - packets[kind] }' \
		"$work/$1.wire.before" "$work/$1.wire"
}

# frames_on_wire PORT: print the number of packets, and their bytes.
frames_on_wire() {
	passed "$1" | awk '{ n += $NF; bytes += $(NF - 1) } END { print n + 0, bytes + 0 }'
}

# grown PORT: print by how much each of its counters grew from the start of the transfer to its end.
grown() {
	awk -F '[ :]+' 'NR == FNR { was[$2] = $3; next } { print $2, $3 - was[$2] }' \
		"$work/$1.before" "$work/$1.after"
}

# rdma_frames PORT: print the adapter's count of RDMA frames, sent and received, and their bytes.
rdma_frames() {
	grown "$1" | awk '/_vport_rdma_unicast_packets / { n += $2 } /_vport_rdma_unicast_bytes / { bytes += $2 }
		END { print n + 0, bytes + 0 }'
}

# priorities PORT tx|rx: print those that RDMA moved. Other traffic has priority 0: list 0 only if
# RDMA has more frames than the other priorities, and the one or two answers of on_the_wire() without a
# class, which are counted on the wire.
priorities() {
	local way=sent answers
	[ "$2" = tx ] || way=received
	answers=$(passed "$1" | awk -v way=$way '$1 == way && $3 == "0x2" { n += $NF } END { print (n > 2 ? 0 : n + 0) }')
	grown "$1" | awk -v way="$2" -v answers="$answers" '
		$1 == way "_vport_rdma_unicast_packets" { rdma = $2 - answers }
		$1 ~ "^" way "_prio[0-7]_packets$" && $2 > 0 { moved[substr($1, 8, 1)] = $2 }
		END {
			for (p = 1; p < 8; p++)
				if (moved[p]) { rdma -= moved[p]; others = others " " p }
			if (rdma > 4 && moved[0] >= rdma) others = " 0" others
			else if (rdma) others = others " and " rdma " frames of RDMA on none"
			print substr(others, 2)
		}'
}

transfer_begins() {
	local each
	for each in $port $other; do
		ethtool -S $each >"$work/$each.before"
		connectx $each wire >"$work/$each.wire.before"
	done
}

# serve LISTENS OPTION…: start perftest's server on mlx5_1, and wait until LISTENS succeeds or it
# ends. perftest never gives up by itself.
serve() {
	local listens=$1
	shift
	timeout "${longest:-60}" $perftest -d mlx5_1 "${few[@]}" "$@" >"$work/server" 2>&1 &
	server=$!
	until $listens || [ ! -e "/proc/$server" ]; do sleep 0.05; done
}

verbs_listen() { grep -q ' 00000000:4853 00000000:0000 0A ' /proc/net/tcp; }
rdma_cm_listens() { rdma resource show cm_id | grep -q 'state LISTEN'; }

# server_ends CODE: wait for the server, then kill it: after a client that fails it may never end.
server_ends() {
	local tries most=40
	[ "$1" -ne 0 ] || most=400
	for ((tries = 0; tries < most; tries++)); do
		[ -e "/proc/$server" ] || break
		sleep 0.05
	done
	[ ! -e "/proc/$server" ] || kill "$server"
	wait "$server" 2>/dev/null
}

transfer_ends() {
	local each
	for each in $port $other; do
		ethtool -S $each >"$work/$each.after"
		connectx $each wire >"$work/$each.wire"
	done
}

# ucx TRANSPORT BYTES [NAME=VALUE]...: send a few messages of that size by UCX, with these variables.
ucx() {
	local variables=("UCX_TLS=$1,self" "${@:3}")
	transfer_begins
	env "${variables[@]}" UCX_NET_DEVICES=mlx5_1:1 timeout 60 ucx_perftest -p 18515 >"$work/server" 2>&1 &
	server=$!
	until verbs_listen || [ ! -e "/proc/$server" ]; do sleep 0.05; done
	expect 0 env "${variables[@]}" UCX_NET_DEVICES=mlx5_0:1 timeout 40 \
		ucx_perftest -p 18515 -t tag_lat -n 10 -w 2 -s "$2" 127.0.0.1
	server_ends 0
	transfer_ends
}

# limit CODE: print the seconds for a client that exits with CODE: few for one that never ends
# (124), many for the others on a slow machine.
limit() { [ "$1" -eq 124 ] && echo 8 || echo 40; }

# transfer CODE NEAR FAR OPTION…: send a few messages between these addresses, without rdma_cm; CODE
# is the client's exit code. The ends negotiate by TCP through lo.
transfer() {
	local code=$1 from to
	from=$(gid_index mlx5_0 "$2") && to=$(gid_index mlx5_1 "$3") || { echo "$from $to" && return; }
	shift 3
	transfer_begins
	serve verbs_listen $gid_option "$to" "$@"
	expect "$code" timeout "$(limit "$code")" $perftest -d mlx5_0 "${few[@]}" -p "$dial" $gid_option "$from" "$@" 127.0.0.1
	server_ends "$code"
	transfer_ends
}

# transfer_cm OPTION…: like transfer, but with rdma_cm, so that the ends also negotiate by RDMA. The
# client of perftest 4.5 makes its second connection without checking that the server listens, and
# dies of SIGSEGV if that is rejected: retry when the kernel has given up the first.
transfer_cm() {
	local said
	for _ in 1 2 3 4 5; do
		transfer_begins
		serve rdma_cm_listens -R "$@"
		said=$(expect 0 timeout "$(limit 0)" ib_write_bw -d mlx5_0 "${few[@]}" -R "$@" $far 2>&1)
		server_ends 0
		connections_end
		transfer_ends
		grep -q RDMA_CM_EVENT_REJECTED "$work/err" || break
		sleep 5
	done
	[ -z "$said" ] || printf '%s\n' "$said"
}

# Wait until no packet was sent for a while: the kernel ends a dead process's connections. On a busy
# host one pause may pass without a moment for the kernel's worker.
connections_end() {
	local before=none now same=0
	until [ $same -eq 3 ]; do
		now=$(connectx $port wire)
		same=$(($([ "$now" = "$before" ] && echo $same || echo -1) + 1))
		before=$now
		sleep 0.2
	done
}

# cut_headroom PORT: the buffer of priority 3 ends a kilobyte above xoff, until the firmware sizes it anew.
cut_headroom() {
	local xoff
	xoff=$(awk '/^xoff/ { print $3 / 128 }' "$simulation/${pci_of[$1]}/state")
	connectx "$1" register PFCC buf_ownership_sw 1
	connectx "$1" register PBMC size 1 $((xoff + 8))
}
size_anew() { connectx "$1" register PFCC buf_ownership_sw 0; }

# far_drops PROTOCOL FILTER…: drop frames at the far end, behind its counters, until
# far_takes.
far_drops() {
	tc qdisc add dev $other clsact
	tc filter add dev $other ingress protocol "$@" action drop
}
far_takes() { tc qdisc del dev $other clsact; }
