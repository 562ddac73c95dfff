#!/usr/bin/env bash
# vm: --ports 4 --peer
# short: 6.1
# Tests of DCBX ownership and of the exchange with the real lldpad: lldpad answers, passes settings
# to the kernel, and a process that only looks like lldpad, or has ended, is recognised in time.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
other=$port # the peer's port is in another network namespace

setup='{"pfc":{"priorities":[3,4]},"ets":{"prio_tc":[0,0,0,1,2,0,0,0],"bandwidth":[20,50,30,0,0,0,0,0],
	"tsa":["ets","ets","ets","strict","strict","strict","strict","strict"]}}'

owned_by() {
	expect 0 losslessctl --json show $port
	same dcbx_owner "$1" "$(json dcbx_owner)"
	expect 0 losslessctl -v show $port
	says "$2"
}

# Start a root process with this name.
impersonate() {
	cp /bin/sleep "$work/$1"
	keep "$work/$1" 1000
	soon 90 grep -qx "$1" "/proc/$(tail -n 1 "$work/kept")/comm"
}

# squat UID [ANSWER]: a process of this user listens on lldpad's address.
squat() {
	local uid=$1
	shift
	: >"$work/squatter"
	keep setpriv --reuid="$uid" --clear-groups sh -c 'exec "$0" "$@" >&9' \
		"$tools/squat_lldpad" "$@" 9>>"$work/squatter"
	soon 90 grep -q '@/com/intel/lldpad$' /proc/net/unix
}

nobody_or_firmware() {
	owned_by none 'link up'
	dcbx_by_firmware $port
	owned_by firmware 'DCBX by firmware'
	dcbx_by_host $port
	expect 3 ask $port ping
	says 'no lldpad runs on this host'
}

# No command may send a datagram to the held socket, since a datagram would start lldpad.
a_held_socket() {
	squat 0 R00PPONG42
	owned_by lldpad_socket 'holds lldpad'
	expect 3 ask $port ping
	expect 2 losslessctl plan $policy $port
	expect 0 losslessctl apply $policy $port
	expect 0 losslessctl verify $policy $port
	expect 0 losslessctl rollback
	same 'datagrams sent' '' "$(cat "$work/squatter")"
	impersonate lldpad
	expect 0 ask $port ping
	same 'datagrams sent to one that runs' P "$(cat "$work/squatter")"
	end_kept
	rm -rf /var/lib/losslessctl
}

an_enabled_unit() {
	local wants=/etc/systemd/system/multi-user.target.wants unit=/run/systemd/system/lldpad.service
	mkdir -p $wants ${unit%/*}
	ln -s $unit $wants/lldpad.service
	expect 0 losslessctl show $port
	grep 'lldpad is enabled' "$work/out" "$work/err" # of a package that is gone
	printf '[Service]\nExecStart=/usr/sbin/lldpad\n' >$unit
	expect 0 losslessctl show $port
	says 'lldpad is enabled but not running'
	make_policy '{"pfc":{"priorities":[3]}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	says lldpad-enabled-not-running
	make_policy '{"dcbx":{"mode":"host","advertise":true,"willing":false},"pfc":{"priorities":[3]}}' $port
	expect 3 losslessctl apply "$work/policy.json"
	says 'nothing to write'
	says 'lldpad does not run yet: dcbx.advertise left to it'
	expect 0 losslessctl rollback
	rm $wants/lldpad.service $unit
}

network_manager() {
	local keyfile=/etc/NetworkManager/system-connections/storage.nmconnection
	mkdir -p "${keyfile%/*}"
	printf '[connection]\ninterface-name=%s\n\n[dcb]\n' $port >$keyfile
	owned_by none 'link up'
	impersonate NetworkManager
	owned_by networkmanager storage.nmconnection
	sed -i s/$port/eno1/ $keyfile
	owned_by none 'link up'
	end_kept
	rm $keyfile
}

only_speaks() {
	start -R
	owned_by lldpad_advertise_only 'lldpad advertises'
	expect 77 ask $port set pfc enabled=3
	says 'started with -R'
	end_kept
}

# A container's lldpad names a file of its own, at the path of this host's.
in_another_mount_namespace() {
	local conf=/var/lib/lldpad/lldpad.conf
	mkdir -p ${conf%/*}
	echo 'lldp : { };' >$conf
	keep unshare -m sh -c "mount -t tmpfs tmpfs ${conf%/*} && $daemon $conf -R"
	soon 90 ask $port ping
	make_policy '{"dcbx":{"mode":"host","advertise":true,"willing":false}}' $port
	expect 1 losslessctl apply "$work/policy.json"
	says "lldpad (pid $(kept)) runs in another mount or user namespace"
	same "this host's file" 'lldp : { };' "$(<$conf)"
	end_kept
	rm -r ${conf%/*}
	reset_ports
}

writes() {
	start
	owned_by lldpad 'DCBX by lldpad'
	says "lldpad (pid $(kept))"
	dcbx_by_firmware $port
	expect 0 losslessctl show $port
	says 'DCBX by lldpad and firmware'
	says 'two LLDP agents on one cable'
	make_policy '{"dcbx":{"mode":"firmware"}}' $port
	expect 0 losslessctl --json verify "$work/policy.json"
	says '"lint":"lldp-two-agents","severity":"warning"'
	dcbx_by_host $port
	expect 0 ask $port get dcbx mode
	says auto
	expect 0 ask $port get pfc willing
	same 'willing, which nobody set' '' "$(cat "$work/out")"
	expect 3 ask lo set pfc enabled=3
	says 'port not found'
	expect 1 ask $port set app app=3,9,26
	says 'invalid value'
}

both_ends_hear_each_other() {
	start_far
	expect 0 ask $port admin rxtx
	expect 0 ask $port admin
	says rxtx
	expect 0 ip netns exec peer "$tools/ask_lldpad" $far admin rxtx
	soon 90 ask $port received
	same 'heard here, said there' "$(ip netns exec peer "$tools/ask_lldpad" $far sent)" "$(ask $port received)"
	soon 90 ip netns exec peer "$tools/ask_lldpad" $far received
	expect 0 ask $port frames-in
	grep -qE '^[1-9][0-9]*$' "$work/out" || cat "$work/out"
}

kernel_has() {
	dcb -j pfc show dev $port prio-pfc | grep -qF '[false,false,false,true,true,false,false,false]'
}

ets_and_pfc_reach_the_kernel() {
	expect 0 ask $port put <<<"$setup"
	soon 90 kernel_has
	expect 0 dcb -j ets show dev $port prio-tc tc-tsa tc-bw
	says '"prio_tc":[0,0,0,1,2,0,0,0]'
	says '"tc_tsa":["ets","ets","ets","strict","strict","strict","strict","strict"]'
	tr -d ' ' <"$work/out" | grep -qF '"tc_bw":[20,50,30,0,0,0,0,0]' || cat "$work/out"
	expect 0 ask $port get pfc enabled
	same 'stored mask' 24 "$(cat "$work/out")"
	expect 0 ask $port get pfc willing
	says no
}

# The PFC change took the link down: lldpad waits for its neighbour again, or for 15 s.
lists() {
	dcb app show dev $port | grep -q "$1"
}

lists_none() {
	! lists "$1"
}

an_app_entry_comes_and_goes() {
	expect 0 ask $port set app app=3,5,26
	soon 90 lists AF31:3
	expect 0 ask $port delete app app=3,5,26
	soon 90 lists_none AF31:3
}

hangs() {
	kill -STOP "$(kept)"
	within 5 3 ask $port get pfc enabled
	says 'does not answer within 3 s'
	within 5 0 losslessctl show
	kill -CONT "$(kept)"
	expect 0 ask $port ping
}

killed_meanwhile() {
	kill -STOP "$(kept)"
	(sleep 1 && kill -KILL "$(kept)") &
	within 5 3 ask $port get pfc enabled
	says 'ended before it answered'
	wait $!
	end_kept
	expect 3 ask $port ping
	says 'no lldpad runs on this host'
}

# A root process is called lldpad, while another user's process listens on lldpad's address. In a
# container, its socket refuses nothing either.
a_squatter() {
	impersonate lldpad
	squat 65534 R00PPONG42
	expect 3 ask $port ping
	says 'no lldpad runs on this host'
	expect 0 unshare -p -f --mount-proc losslessctl apply $policy $port
	expect 0 losslessctl rollback
	same 'datagrams sent' '' "$(cat "$work/squatter")"
	end_kept
}

it 'a port is nobody'"'"'s, or firmware'"'"'s' nobody_or_firmware
it 'a socket that is held for lldpad: reported, and never sent to' a_held_socket
it 'an enabled unit is a warning' an_enabled_unit
it 'NetworkManager, where its profile is for this port and it runs' network_manager
it 'an lldpad that only advertises: reported, and takes no settings' only_speaks
it 'the lldpad of a container chooses no file of this host' in_another_mount_namespace
it 'an lldpad that writes: reported, and answers' writes
it 'both ends report what the other one advertises' both_ends_hear_each_other
it 'ETS and PFC that we write to lldpad reach the kernel' ets_and_pfc_reach_the_kernel
it 'so does an APP entry, and goes' an_app_entry_comes_and_goes
it 'an lldpad that hangs costs three seconds, however many ports there are' hangs
it 'an lldpad that is killed meanwhile is recognised' killed_meanwhile
it 'somebody else on its address is refused' a_squatter
tap_end
