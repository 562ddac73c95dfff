#!/usr/bin/env bash
# vm: --ports 4 --peer
# only: 6.1
# The comparison with the switch, which is played by a second lldpad. An lldpad may hang, end and
# come back.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_peer.sh

# nap reads from this FIFO: waiting must not start processes, as the guest has one processor.

# ---- one lldpad plays the switch, another runs on this host ----

ask_far() {
	ip netns exec peer "$tools/ask_lldpad" $far "$@"
}

# config PORT MASK WILLING [PFC_ENABLE_TX [BANDWIDTH]]: print an lldpad's configuration.
config() {
	cat <<-END
	lldp : { $1 : { adminStatus = 3;
	  tlvid0080c209 : { willing = $3; enableTx = true; up2tc = "0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0";
	    tsa = "0:ets,1:ets,2:ets,3:ets,4:ets,5:ets,6:strict,7:ets"; tcbw = "${5:-50,0,0,50,0,0,0,0}"; };
	  tlvid0080c20b : { willing = $3; enableTx = ${4:-true}; enabled = $2; };
	  tlvid0080c20c : { enableTx = true; }; }; };
	END
}

# launch NAME COMMAND...: start an lldpad that outlives the test, as each test is its own process.
launch() {
	"${@:2}" >/dev/null 2>&1 &
	echo $! >"$work/$1.pid"
}

signal() {
	kill -"$1" "$(cat "$work/$2.pid")" 2>/dev/null
}

# end NAME: kill this lldpad, so that it cannot announce its end.
end() {
	signal KILL "$1"
	while [ -e "/proc/$(cat "$work/$1.pid")/exe" ]; do nap 0.02; done
}

starts() {
	launch here unshare -m sh -c "$daemon $work/here.conf $*"
}

in_step() {
	local said
	said=$(ask_far sent) && [ "$said" ] && [ "$(ask $port received)" = "$said" ] && ask $port sent
}

# far_says MASK WILLING...: start a new lldpad at the far end, and return when this host receives
# its frames. With -R it writes nothing to its port.
only_speaks=-R

far_says() {
	end far 2>/dev/null
	config $far "$@" >"$work/far.conf"
	[ "$(peer_dcb app show dev $far dscp-prio)" ] ||
		peer_dcb app add dev $far dscp-prio 26:3
	launch far ip netns exec peer sh -c "$daemon $work/far.conf $only_speaks"
	soon 90 in_step
}

# judges CODE LINE...: peer exits with CODE and reports these lines from lldpad, without listening.
judges() {
	local code=$1
	shift
	expect "$code" setpriv --bounding-set=-net_raw losslessctl --json peer $port "$work/policy.json"
	told "$@"
	same 'no listening' '' "$(cat "$work/err")"
}

lldpads_agree() {
	config $port 8 0 >"$work/here.conf"
	starts -R
	far_says 8 0
	judges 0 "${agreed[@]}"
	same source lldpad "$(json lldp_source)"
	says '"advertised":{"pfc":{"priorities":[3]}},"peer":{"pfc":{"priorities":[3]}}'
	wants '"pfc","ets","app"'
	expect 0 losslessctl verify "$work/policy.json" $port
	wants
}

kernel_has_otherwise() {
	poke_pfc $port 24
	expect 2 losslessctl --json peer $port
	told 'pfc differs port-advertisement-mismatch' 'ets agrees' 'app agrees'
	poke_pfc $port 8
	judges 0 "${agreed[@]}"
}

# The peer's values come from lldpad, and listening finds the other sender on the cable.
lldpad_is_not_alone() {
	hears 1 losslessctl --json peer --listen-for 1 $port "$work/policy.json"
	sends $far "$leaf $all"
	ended 3
	told "$(all_three unknown peer-not-unique)"
	same source lldpad "$(json lldp_source)"
}

lldpads_differ() {
	peer_dcb app replace dev $far dscp-prio 26:4
	far_says 24 0 true 40,0,0,60,0,0,0,0
	judges 2 'pfc differs peer-pfc-mismatch' 'ets differs_allowed peer-ets-mismatch' 'app differs peer-app-conflict'
	wants '"pfc","ets","app"'
	expect 2 losslessctl verify --nagios "$work/policy.json" $port
	says 'drift=3;;0'
	wants
	peer_dcb app flush dev $far
}

# The far lldpad sends no PFC TLV (enableTx).
no_pfc_tlv() {
	far_says 8 0 false
	ask_far sent | grep -q 0080c20b && echo 'sent nevertheless' && return
	judges 3 'pfc unknown peer-tlv-missing' 'ets agrees' 'app agrees'
}

both_willing() {
	end here
	config $port 8 1 >"$work/here.conf"
	starts -R
	only_speaks='' far_says 8 1
	judges 2 'pfc differs dcbx-both-willing' 'ets agrees' 'app agrees'
}

# lldpad forgets a peer that announces its end at once, and a silent peer when its TTL is over.
forgotten() {
	[ -z "$(ask $port received 2>/dev/null)" ]
}

takes_leave() {
	expect 0 ask_far admin disabled
	soon 90 forgotten
	expect 3 losslessctl --json peer --listen-for 1 $port "$work/policy.json"
	told "$(all_three unknown peer-lldp-missing)"
}

ages_out() {
	sends $far "$brief $all"
	soon 90 forgotten
	expect 3 losslessctl --json peer --listen-for 1 $port "$work/policy.json"
	told "$(all_three unknown peer-lldp-missing)"
}

# lldpad knows no peer, is killed while losslessctl listens, and is back before the end.
restarted_in_the_middle() {
	config $port 8 0 >"$work/here.conf"
	hears 1 losslessctl --json peer $port "$work/policy.json"
	end here
	starts -R
	soon 90 ask $port ping
	sends $far "$leaf $all"
	ended 0
	told "${agreed[@]}"
	same source raw_socket "$(json lldp_source)"
}

# losslessctl waits 3 s once, and takes from the wire what it can.
hangs() {
	local began=$SECONDS
	signal STOP here
	hears 1 losslessctl --json peer $port "$work/policy.json"
	sends $far "$leaf fe06 0080c20b 08 18 $ets $app 0000"
	ended 2
	told 'pfc differs peer-pfc-mismatch' 'ets unknown lldpad-unresponsive' 'app unknown lldpad-unresponsive'
	says 'lldpad does not answer within 3 s'
	[ $((SECONDS - began)) -le 15 ] || echo "it took $((SECONDS - began)) s"
}

# lldpad hangs, so losslessctl is still asking it when it is killed, and listens in time either way.
killed_while_it_is_asked() {
	(sleep 1 && end here) &
	losslessctl --json peer $port "$work/policy.json" >"$work/out" 2>"$work/err" &
	listener=$!
	while kill -0 $listener 2>/dev/null; do sends $far "$leaf $all" && nap 0.2; done
	wait $listener
	same source raw_socket "$(json lldp_source)"
	items | grep -vE ' agrees$| unknown lldpad-unresponsive$'
}

# lldpad never checks whether the kernel has what it wrote. Its writes fail: they neither repair
# the port nor flap its link.
one_that_writes() {
	end here
	config $port 8 0 >"$work/here.conf"
	starts
	far_says 8 0
	judges 0 "${agreed[@]}"
	connectx $port fault PFCC fail bad_param 0
	poke_pfc $port 24
	expect 2 losslessctl --json peer $port
	told 'pfc differs port-advertisement-mismatch' 'ets agrees' 'app agrees'
	connectx $port fault none
	poke_pfc $port 8
	end here
	end far
}

begin
it 'two lldpads that say the same agree' lldpads_agree
it 'a kernel that has not what lldpad says' kernel_has_otherwise
it 'a second sender that lldpad does not know' lldpad_is_not_alone
it 'mask, shares and priorities that another lldpad has' lldpads_differ
it 'no PFC TLV from another lldpad' no_pfc_tlv
it 'both willing' both_willing
it 'who takes leave of lldpad' takes_leave
it 'who ages out in lldpad' ages_out
it 'an lldpad that is restarted during a listening does no harm' restarted_in_the_middle
it 'one that hangs costs three seconds, and is reported' hangs
it 'one that is killed while it is asked does no harm' killed_while_it_is_asked
it 'one that writes' one_that_writes
tap_end
