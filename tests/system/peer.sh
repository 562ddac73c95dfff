#!/usr/bin/env bash
# vm: --ports 4 --peer
# short: 6.1
# Does the switch agree? Its part is played by frames, and by a second lldpad: each way to disagree
# is named, with its exit code, and so is each way not to know.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh

other=ens2f0np0 other_far=ens2f1np1

id='0207 04 0c42a1b2c3d4  040d 05 45746865726e6574312f3337'
leaf="$id 0602 0078 0a06 6c6561662d37"
gone="$id 0602 0000"
brief="$id 0602 0001"
hostile="$id 0602 0078 0a0d 1b5b324a 22 5c 0a e280ae 25 73 24"
garbled="$id 04ff 05 4574"
spine='0207 04 0c42a1b2c3d5  0405 05 73777031  0602 0078'
pfc='fe06 0080c20b 08 08'
ets='fe19 0080c209 00 00030060 3200003200000000 0202020202020002'
other_ets='fe19 0080c209 00 00030060 2800003c00000000 0202020202020002'
app='fe08 0080c20c 00 65001a'
all="$pfc $ets $app 0000"
setup='"pfc":{"priorities":[3]},"dscp":{"prio":{"26":3}},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],
	"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}'

# wants [AGREEMENT,...]: the policy of all these tests, and what the switch must agree on.
wants() {
	make_policy "{$setup${1:+,\"peer\":{\"must_agree\":[$1]\}}}" $port
}

sends() {
	ip netns exec peer "$tools/send_frame" "$@"
}

# While somebody is waited for no process is started: there is one processor.
mkfifo "$work/never"
nap() {
	read -rt "$1" <>"$work/never" || true
}

# Sets `ears`: how many listen to LLDP.
count_ears() {
	local line
	ears=0
	while read -r line; do
		[[ $line != *' 88cc '* ]] || ears=$((ears + 1))
	done </proc/net/packet
}

# hears PORTS COMMAND...: begins, and returns when it listens on so many ports.
hears() {
	local enough ears
	count_ears
	enough=$((ears + $1))
	shift
	"$@" <&0 >"$work/out" 2>"$work/err" &
	listener=$!
	until count_ears && [ "$ears" -ge $enough ]; do
		kill -0 $listener || return
		nap 0.02
	done 2>/dev/null
}

# ended CODE: it ends with that code.
ended() {
	local code=0
	wait "$listener" || code=$?
	[ $code -eq "$1" ] || { echo "exit code $code instead of $1" && head -n 15 "$work/out" "$work/err"; }
}

# What the last command's JSON says of each item: "pfc differs peer-pfc-differs".
items() {
	sed 's/{"item":/\n&/g' "$work/out" | sed -nE '
		s/^\{"item":"([a-z]+)","status":"([a-z]+)".*"reason":"([a-z-]+)".*/\1 \2 \3/p
		t
		s/^\{"item":"([a-z]+)","status":"([a-z]+)".*/\1 \2/p'
}

# is_json: the last command's output, if anybody here can tell.
is_json() {
	command -v python3 >/dev/null || return 0
	python3 -ISc 'import json, sys; json.load(sys.stdin)' <"$work/out" || cat "$work/out"
}

# told LINE...: those are the items of the last command.
told() {
	same items "$(printf '%s\n' "$@")" "$(items)"
}

agreed=('pfc agrees' 'ets agrees' 'app agrees')
all_three() {
	printf '%s\n' "pfc $*" "ets $*" "app $*"
}

# plays FRAME CODE LINE...: the switch sends that, and that is what is made of it.
plays() {
	local frame=$1 code=$2
	shift 2
	hears 1 losslessctl --json peer $port "$work/policy.json"
	sends $far "$frame"
	ended "$code"
	told "$@"
}

# ---- the switch is played by frames ----

begin() {
	wants
	expect 0 losslessctl apply "$work/policy.json"
}

names_the_switch() {
	hears 1 losslessctl peer $port "$work/policy.json"
	sends $far "$leaf 0807 7261636b203432 fe06 0080c20b 08 18 $other_ets 0000"
	ended 2
	says "$port  differs  leaf-7 (0c:42:a1:b2:c3:d4), port Ethernet1/37 (rack 42), heard on the wire"
	says 'pfc.priorities  3                  3                  -                  3, 4               differs'
	says 'lossless here: 3; at the switch: 3, 4 (peer-pfc-differs)'
	says 'ets.bandwidth   50,0,0,50,0,0,0,0  50,0,0,50,0,0,0,0  -                  40,0,0,60,0,0,0,0'
	says 'dscp.prio       64 DSCPs           64 DSCPs           -                  -                  unknown'
	grep -n ' $' "$work/out"
}

too_many() {
	mlx5sim $port poke pfc 24
	hears 1 losslessctl --json peer $port
	sends $far "$leaf fe06 0080c20b 01 18 $ets $app 0000"
	ended 2
	told 'pfc differs peer-too-small' 'ets agrees' 'app agrees'
	plays "$leaf $all" 2 'pfc differs port-not-as-wished' 'ets agrees' 'app agrees'
	mlx5sim $port poke pfc 8
}

the_port_does_not_tell() {
	mlx5sim $port fail ieee_getpfc 95 0
	plays "$leaf $all" 3 'pfc unknown port-says-nothing-of-it' 'ets agrees' 'app agrees'
	mlx5sim $port fail ieee_getpfc 0
}

hostile_texts() {
	hears 1 losslessctl peer $port "$work/policy.json"
	sends $far "$hostile $all"
	ended 0
	says '\x1b[2J"\x5c\x0a\xe2\x80\xae%s$ (0c:42:a1:b2:c3:d4)'
	plays "$hostile $all" 0 "${agreed[@]}"
	is_json
	LC_ALL=C grep -n '[^ -~]' "$work/out"
}

silent_and_gone() {
	hears 2 losslessctl --json peer --listen 1 $port $other
	sends $other_far "$gone $all"
	ended 3
	told "$(all_three unknown peer-silent)" "$(all_three unknown peer-stale)"
	says 'the switch took its leave'
}

stale_and_not_alone() {
	hears 2 losslessctl --json peer --listen 2 $port $other
	sends $far "$brief $all"
	sends $other_far <<-END
		$leaf $all
		$spine $all
	END
	ended 3
	told "$(all_three unknown peer-stale)" "$(all_three unknown peer-not-alone)"
	says 'the switch fell silent: what it said was good for 1 s'
	is_json
	says '2 devices send LLDP on this cable: 0c:42:a1:b2:c3:d4, and 0c:42:a1:b2:c3:d5'
}

# What is garbled is no answer: it goes on listening.
garbled_and_mended() {
	hears 2 losslessctl peer --listen 1 $port $other
	sends $far "$garbled"
	sends $other_far <<-END
		$garbled
		$leaf 0000
		$garbled
	END
	ended 3
	says "$port  unknown  what the switch sends is no LLDP: a TLV of type 2 and 255 bytes runs past"
	says "$other  unknown  leaf-7"
	same 'each reason once' 1 "$(grep -c peer-garbled "$work/out")"
}

no_link() {
	mlx5sim $port carrier down
	expect 3 losslessctl --json peer $port "$work/policy.json"
	told "$(all_three unknown peer-no-link)"
	mlx5sim $port carrier up
	wait_carrier
}

without_privilege() {
	expect 3 setpriv --bounding-set=-net_raw losslessctl peer $port "$work/policy.json"
	says 'Operation not permitted (peer-unheard)'
	says CAP_NET_RAW
}

interrupted() {
	expect 130 timeout --preserve-status -s INT 1 losslessctl --json peer $port
	same 'what comes out' '' "$(cat "$work/out")"
}

quietly() {
	hears 1 losslessctl -q peer - $port <"$work/policy.json"
	sends $far "$leaf $all"
	ended 0
	same 'what comes out' '' "$(cat "$work/out" "$work/err")"
}

no_such_port() {
	expect 3 losslessctl --json peer gone0 "$work/policy.json"
	same schema losslessctl/error/1 "$(json schema)"
	is_json
}

# ---- verify, where the policy asks ----

# verifies FRAME CODE [OPTION]...
verifies() {
	local frame=$1 code=$2
	shift 2
	hears 1 losslessctl "$@" verify "$work/policy.json" $port
	sends $far "$frame"
	ended "$code"
}

verified() {
	wants '"pfc","ets","app"'
	verifies "$leaf $all" 0 --json --all
	same verdict ok "$(json verdict)"
	says '{"knob":"peer.pfc","status":"ok","want":{"pfc":{"priorities":[3]}},"have":{"pfc":{"priorities":[3]}},"source":"wire"}'
	says '{"knob":"peer.ets","status":"ok"'
	says '{"knob":"peer.app","status":"ok"'
	is_json
}

not_verified() {
	verifies "$leaf fe06 0080c20b 08 18 $other_ets fe08 0080c20c 00 85001a 0000" 2
	says 'peer.pfc              lossless here: 3; at the switch: 3, 4'
	says 'peer.ets              ETS differs'
	says 'peer.app              DSCP 26 has priority 3 here and 4 there'
	wants '"ets"'
	verifies "$leaf $pfc $other_ets 0000" 2 --nagios
	says "LOSSLESSCTL CRITICAL - $port peer.ets,"
	says 'drift=1;;0 unknown=0'
	wants '"pfc"'
	verifies "$leaf $pfc $other_ets 0000" 0 --nagios
	says 'LOSSLESSCTL OK'
	expect 3 setpriv --bounding-set=-net_raw losslessctl verify --nagios "$work/policy.json" $port
	says "LOSSLESSCTL UNKNOWN - $port peer.pfc,"
	expect 3 losslessctl --json verify --listen 1 "$work/policy.json" $port
	same verdict unknown "$(json verdict)"
	says '"knob":"peer.pfc","status":"unknown"'
	says '"have":null,"source":"wire","why":"the switch sends no LLDP"'
}

# With nothing to agree on nobody is listened for.
taken_back() {
	wants '"pfc"'
	sed -i 's/"profile":"p"}/"profile":"p","set":{"peer":{"must_agree":null}}}/' "$work/policy.json"
	expect 0 setpriv --bounding-set=-net_raw losslessctl verify "$work/policy.json" $port
	same 'no listening' '' "$(cat "$work/err")"
	wants
	sed -i 's/"profile":"p"}/"profile":"p","set":{"peer":{"must_agree":["app"]}}}/' "$work/policy.json"
	verifies "$leaf fe06 0080c20b 08 18 $app 0000" 0
	verifies "$leaf fe06 0080c20b 08 18 fe05 0080c20c 00 0000" 3
	says "the switch's APP TLV has no entries"
	wants
}

# ---- the switch is played by an lldpad, and another speaks here ----

ask_far() {
	ip netns exec peer "$tools/ask_lldpad" $far "$@"
}

# What an lldpad says: PORT MASK WILLING [PFC_ENABLE_TX [BANDWIDTH]]
config() {
	cat <<-END
	lldp : { $1 : { adminStatus = 3;
	  tlvid0080c209 : { willing = $3; enableTx = true; up2tc = "0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0";
	    tsa = "0:ets,1:ets,2:ets,3:ets,4:ets,5:ets,6:strict,7:ets"; tcbw = "${5:-50,0,0,50,0,0,0,0}"; };
	  tlvid0080c20b : { willing = $3; enableTx = ${4:-true}; enabled = $2; };
	  tlvid0080c20c : { enableTx = true; }; }; };
	END
}

# launch NAME COMMAND...: an lldpad that outlives the test, as each is a process of its own.
launch() {
	"${@:2}" >/dev/null 2>&1 &
	echo $! >"$work/$1.pid"
}

signal() {
	kill -"$1" "$(cat "$work/$2.pid")" 2>/dev/null
}

# By force, as nobody shall hear of it.
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

# far_says MASK WILLING...: a new one there, which is heard here. It writes nothing to its port.
only_speaks=-R
far_says() {
	end far 2>/dev/null
	config $far "$@" >"$work/far.conf"
	[ "$(ip netns exec peer dcb app show dev $far dscp-prio)" ] ||
		ip netns exec peer dcb app add dev $far dscp-prio 26:3
	launch far ip netns exec peer sh -c "$daemon $work/far.conf $only_speaks"
	soon 10 in_step
}

# judges CODE LINE...: of what lldpad knows; nobody listens.
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
	same source lldpad "$(json source)"
	says '"advertised":{"pfc":{"priorities":[3]}},"peer":{"pfc":{"priorities":[3]}}'
	wants '"pfc","ets","app"'
	expect 0 losslessctl verify "$work/policy.json" $port
	wants
}

kernel_has_otherwise() {
	mlx5sim $port poke pfc 24
	expect 2 losslessctl --json peer $port
	told 'pfc differs advertised-otherwise' 'ets agrees' 'app agrees'
	mlx5sim $port poke pfc 8
	judges 0 "${agreed[@]}"
}

# What lldpad says of the peer counts, and who else is on the cable is heard.
lldpad_is_not_alone() {
	hears 1 losslessctl --json peer --listen 1 $port "$work/policy.json"
	sends $far "$leaf $all"
	ended 3
	told "$(all_three unknown peer-not-alone)"
	same source lldpad "$(json source)"
}

lldpads_differ() {
	ip netns exec peer dcb app replace dev $far dscp-prio 26:4
	far_says 24 0 true 40,0,0,60,0,0,0,0
	judges 2 'pfc differs peer-pfc-differs' 'ets noted peer-ets-differs' 'app differs peer-app-conflict'
	wants '"pfc","ets","app"'
	expect 2 losslessctl verify --nagios "$work/policy.json" $port
	says 'drift=3;;0'
	wants
	ip netns exec peer dcb app flush dev $far
}

# An lldpad sends PFC even where it is told not to (enableTx); a frame without it comes from a switch.
no_pfc_tlv() {
	far_says 8 0 false
	ask_far sent | grep -q 0080c20b && echo 'sent nevertheless' && return
	judges 3 'pfc unknown peer-says-nothing-of-it' 'ets agrees' 'app agrees'
}

both_willing() {
	end here
	config $port 8 1 >"$work/here.conf"
	starts -R
	only_speaks='' far_says 8 1
	judges 2 'pfc differs peer-willing-too' 'ets agrees' 'app agrees'
}

# lldpad forgets at once who takes leave, and when the time is over who says no more.
forgotten() {
	[ -z "$(ask $port received 2>/dev/null)" ]
}

takes_leave() {
	expect 0 ask_far admin disabled
	soon 10 forgotten
	expect 3 losslessctl --json peer --listen 1 $port "$work/policy.json"
	told "$(all_three unknown peer-silent)"
}

ages_out() {
	sends $far "$brief $all"
	soon 5 forgotten
	expect 3 losslessctl --json peer --listen 1 $port "$work/policy.json"
	told "$(all_three unknown peer-silent)"
}

# It knows nobody, is killed while the wire is heard, and is back before the end.
restarted_in_the_middle() {
	config $port 8 0 >"$work/here.conf"
	hears 1 losslessctl --json peer $port "$work/policy.json"
	end here
	starts -R
	soon 10 ask $port ping
	sends $far "$leaf $all"
	ended 0
	told "${agreed[@]}"
	same source wire "$(json source)"
}

# 3 s once, and the wire tells what it can.
hangs() {
	local began=$SECONDS
	signal STOP here
	hears 1 losslessctl --json peer $port "$work/policy.json"
	sends $far "$leaf fe06 0080c20b 08 18 $ets $app 0000"
	ended 2
	told 'pfc differs peer-pfc-differs' 'ets unknown lldpad-silent' 'app unknown lldpad-silent'
	says 'lldpad does not answer within 3 s'
	[ $((SECONDS - began)) -le 15 ] || echo "it took $((SECONDS - began)) s"
}

# It hangs, so that it is asked just then; whoever notices first, the wire is heard in time.
killed_while_it_is_asked() {
	(sleep 1 && end here) &
	losslessctl --json peer $port "$work/policy.json" >"$work/out" 2>"$work/err" &
	listener=$!
	while kill -0 $listener 2>/dev/null; do sends $far "$leaf $all" && nap 0.2; done
	wait $listener
	same source wire "$(json source)"
	items | grep -vE ' agrees$| unknown lldpad-silent$'
}

# It never looks whether what it wrote is there.
one_that_writes() {
	end here
	config $port 8 0 >"$work/here.conf"
	starts
	far_says 8 0
	judges 0 "${agreed[@]}"
	mlx5sim $port deaf ieee_setpfc on
	mlx5sim $port poke pfc 24
	expect 2 losslessctl --json peer $port
	told 'pfc differs advertised-otherwise' 'ets agrees' 'app agrees'
	mlx5sim $port deaf ieee_setpfc off
	mlx5sim $port poke pfc 8
	end here
	end far
}

it 'a policy is applied, for all that follows' begin
it 'a switch that has the same agrees' plays "$leaf $all" 0 "${agreed[@]}"
it 'another mask is told, with switch and port' names_the_switch
it 'other shares are noted' plays "$leaf $pfc $other_ets $app 0000" 0 \
	'pfc agrees' 'ets noted peer-ets-differs' 'app agrees'
it 'another priority of the same traffic is told' plays "$leaf $pfc $ets fe08 0080c20c 00 85001a 0000" 2 \
	'pfc agrees' 'ets agrees' 'app differs peer-app-conflict'
it 'no DCBX at all is told, part by part' plays "$leaf 0000" 3 \
	'pfc unknown peer-says-nothing-of-it' 'ets unknown peer-says-nothing-of-it' \
	'app unknown peer-says-nothing-of-it'
it 'a malformed part is told, and the others count' plays "$leaf fe07 0080c20b 08 08ff $ets $app 0000" 3 \
	'pfc unknown peer-malformed' 'ets agrees' 'app agrees'
it 'the older dialect is told' plays "$leaf fe08 001b2102 02020000 0000" 2 "$(all_three differs peer-speaks-cee)"
it 'more than the switch has room for, and not as wished' too_many
it 'a port that does not tell its own is told' the_port_does_not_tell
it 'what the switch calls itself does no harm to a terminal, nor to JSON' hostile_texts
it 'on two ports at once: silence, and who took leave' silent_and_gone
it 'on two ports at once: who fell silent, and two on one cable' stale_and_not_alone
it 'what is garbled is told, unless something sound comes' garbled_and_mended
it 'no link: nobody is waited for' no_link
it 'without the privilege it says which one it needs' without_privilege
it 'Ctrl-C ends it' interrupted
it 'a policy on standard input, and not a word' quietly
it 'an unknown port is an error, in JSON too' no_such_port
it 'verify: all that must agree does' verified
it 'verify: what does not is drift, or cannot be told' not_verified
it 'verify: a rule takes the demand back, or asks for less' taken_back
it 'two lldpads that say the same agree' lldpads_agree
it 'a kernel that has not what lldpad says' kernel_has_otherwise
it 'a second sender that lldpad does not know' lldpad_is_not_alone
it 'mask, shares and priorities that another lldpad has' lldpads_differ
it 'no PFC TLV from another lldpad' no_pfc_tlv
it 'both willing' both_willing
it 'who takes leave of lldpad' takes_leave
it 'who ages out in lldpad' ages_out
it 'an lldpad that is restarted while the wire is heard does no harm' restarted_in_the_middle
it 'one that hangs costs three seconds, and is told' hangs
it 'one that is killed while it is asked does no harm' killed_while_it_is_asked
it 'one that writes' one_that_writes
tap_end
