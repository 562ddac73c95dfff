#!/usr/bin/env bash
# vm: --peer
# Tests of advertising by lldpad's file: soon after SIGHUP lldpad -R sends all that we write into
# it. lldpad -R writes only that file and keeps our values.
. tests/system/lib.sh

conf=$work/lldpad.conf
amend_conf=${LOSSLESSCTL_BUILD:-build}/tests/amend_conf
setup='{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}}'
another='{"pfc":{"priorities":[4,6]},"ets":{"prio_tc":[0,0,0,0,4,0,6,7],"tsa":["ets","ets","ets","ets","ets","vendor","ets","strict"],"bandwidth":[10,0,0,0,60,0,30,0]}}'
strict='{"pfc":{"priorities":[]},"ets":{"prio_tc":[0,1,2,3,4,5,6,7],"tsa":["strict","strict","strict","strict","strict","strict","strict","strict"],"bandwidth":[0,0,0,0,0,0,0,0]}}'
apps=$'IEEE 8021QAZ APP TLV\nPrio:3 dscp: 26,\nPrio:6 dscp: 48,'

# ets KIND WILLING PRIO_MAP SHARES ALGORITHMS: print the TLV as lldptool does, with blanks squeezed.
ets() {
	echo "IEEE 8021QAZ ETS $1 TLV"
	[ -z "$2" ] || printf 'Willing: %s\nCBS: not supported\nMAX_TCS: 8\n' "$2"
	printf 'PRIO_MAP: %s\nTC Bandwidth: %s\nTSA_MAP: %s\n' "$3" "$4" "$5"
}

both_ets() {
	ets Configuration no "$@"
	ets Recommendation '' "$@"
}

pfc() {
	printf 'IEEE 8021QAZ PFC TLV\nWilling: no\nMACsec Bypass Capable: no\nPFC capable traffic classes: %s\n' \
		"$(dcb -j pfc show dev $port pfc-cap | grep -oE '[0-9]+' | head -n 1)"
	echo "PFC enabled: $1"
}

spoken() {
	both_ets '0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:0' '50% 0% 0% 50% 0% 0% 0% 0%' \
		'0:ets 1:ets 2:ets 3:ets 4:ets 5:ets 6:strict 7:ets'
	pfc 3
	echo "$apps"
}

spoken_anew() {
	both_ets '0:0 1:0 2:0 3:0 4:4 5:0 6:6 7:7' '10% 0% 0% 0% 60% 0% 30% 0%' \
		'0:ets 1:ets 2:ets 3:ets 4:ets 5:vendor 6:ets 7:strict'
	pfc '4 6'
	echo "$apps"
}

spoken_strict() {
	both_ets '0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7' '0% 0% 0% 0% 0% 0% 0% 0%' \
		'0:strict 1:strict 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict'
	pfc none
	echo "$apps"
}

# Print the DCBX TLVs that the peer received last.
heard() {
	ip netns exec peer lldptool -t -n -i $other 2>/dev/null |
		sed -n '/8021QAZ/,/End of/p' | tr -d '\b' | tr -s '\t ' ' ' |
		sed '/End of/d; s/^ //; s/ $//'
}

# heard_soon WHAT FUNCTION: the peer receives what FUNCTION prints within 15 s.
heard_soon() {
	local expected now start=${EPOCHREALTIME/./}
	expected=$($2)
	until now=$(heard) && [ "$now" = "$expected" ] || [ $((${EPOCHREALTIME/./} - start)) -gt 15000000 ]; do
		sleep 0.1
	done
	echo "# $1: $(((${EPOCHREALTIME/./} - start) / 1000)) ms" >&3
	same "$1" "$expected" "$now"
}

# keep_running FILE NAME: restart lldpad when it ends, as lldpad.service does: Debian 12's dies of
# SIGHUP where a port also has CEE (openlldp#96).
keep_running() {
	local file=$1 name=$2 daemon
	trap 'kill $daemon; exit' TERM
	while :; do
		lldpad -p -t -R -f "$file" >/dev/null 2>&1 &
		daemon=$!
		echo $daemon >"$work/$name"
		wait $daemon
		sleep 0.1
	done 2>/dev/null
}

# All network namespaces share /dev/shm: the peer's lldpad gets a tmpfs of its own.
start_lldpads() {
	keep_running "$conf" here >/dev/null 2>&1 &
	here=$!
	ip netns exec peer bash -c 'mount -t tmpfs tmpfs /dev/shm; keep_running "$work/peer.conf" peer' \
		>/dev/null 2>&1 &
	there=$!
}

stop_lldpads() {
	kill "$here" "$there"
	wait "$here" "$there" 2>/dev/null
	rm -f "$conf"
}

# rewrite WORD…: replace the file atomically by amend_conf's output.
rewrite() {
	touch "$conf"
	"$amend_conf" "$@" <"$conf" >"$conf.new" && mv "$conf.new" "$conf"
}

read_again() { "$amend_conf" hup "$(<"$work/here")"; }

# Print the kernel's settings and how often the driver wrote registers. Omit the DCBX mode: lldpad
# does set it to host.
kernel() {
	dcb -j pfc show dev $port prio-pfc delay
	dcb -j ets show dev $port
	dcb -j app show dev $port
	connectx $port calls | grep ':write' | grep -v '^DCBX_PARAM'
}

# nothing_but_speech COMMAND…: COMMAND changes nothing in the kernel.
nothing_but_speech() {
	local before
	before=$(kernel)
	"$@"
	same 'the kernel' "$before" "$(kernel)"
}

write_first_words() {
	printf 'lldp : { %s : { tlvid0080c20c : { APP0 = "3,5,   26"; APP1 = "5,5,   40"; }; }; };\n' $port >"$conf"
	rewrite say $port "$setup"
}

first_words() { heard_soon 'the first words' spoken; }

# Wait longer than the 15 s after which lldpad without -R would write to the kernel.
stays_as_said() {
	sleep 17
	same 'what is heard' "$(spoken)" "$(heard)"
	file_is_as_said "$setup"
}

# file_is_as_said SETUP [silent]: amend_conf changes nothing in the file that lldpad wrote again.
file_is_as_said() {
	same 'the file' "$("$amend_conf" say $port "$1" ${2-} <"$conf")" "$(<"$conf")"
	grep -q 'APP1 = "5,5, *40"' "$conf" || echo 'a stored APP entry is gone'
}

other_words() {
	"$amend_conf" take $port <"$conf" >"$work/section"
	rewrite say $port "$another"
	read_again
	heard_soon 'after SIGHUP' spoken_anew
	sleep 1
	file_is_as_said "$another"
}

strict_words() {
	rewrite say $port "$strict"
	read_again
	heard_soon 'after SIGHUP' spoken_strict
	file_is_as_said "$strict"
}

silence() {
	local before
	rewrite say $port "$setup" silent
	read_again
	sleep 4
	before=$(frames)
	sleep 4
	same 'frames that the other end has heard' "$before" "$(frames)"
	file_is_as_said "$setup" silent
}

frames() { ip netns exec peer lldptool -S -i $other | grep 'Frames Received'; }

words_put_back() {
	rewrite put $port "$(<"$work/section")"
	read_again
	heard_soon 'after SIGHUP' spoken
	file_is_as_said "$setup"
}

no_words_put_back() {
	rewrite put $port
	! grep -q "enabled = \|APP0" "$conf" || cat "$conf"
	read_again
	for _ in $(seq 30); do
		heard | grep -q 'PFC enabled: 3' || return 0
		sleep 0.3
	done
	heard
}

exec 3>&1
dcb app add dev $port dscp-prio 26:3 48:6
export work
export -f keep_running
write_first_words
start_lldpads
it "the settings of the file are advertised, and reach the kernel's APP entries" nothing_but_speech first_words
it 'lldpad leaves the kernel and the file alone' nothing_but_speech stays_as_said
it 'other settings are advertised after SIGHUP' nothing_but_speech other_words
it 'all strict is said without shares' nothing_but_speech strict_words
it 'a port falls silent' nothing_but_speech silence
it 'a restored section is advertised' nothing_but_speech words_put_back
it 'a section taken away is not' nothing_but_speech no_words_put_back
stop_lldpads
tap_end
