# shellcheck shell=bash
# A switch simulated by LLDP frames, for peer.sh and peer_lldpad.sh.

id='0207 04 0c42a1b2c3d4  040d 05 45746865726e6574312f3337'
leaf="$id 0602 0078 0a06 6c6561662d37"
brief="$id 0602 0001"
eos='0c2d 417269737461204e6574776f726b7320454f532076657273696f6e20342e33302e31462072756e6e696e67206f'
pfc='fe06 0080c20b 08 08'
ets='fe19 0080c209 00 00030060 3200003200000000 0202020202020002'
app='fe08 0080c20c 00 65001a'
all="$pfc $ets $app 0000"
setup='"pfc":{"priorities":[3]},"dscp":{"prio":{"26":3}},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],
	"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}'

# wants [AGREEMENT,...]: write the policy of all these tests, with what the switch must agree on.
wants() {
	make_policy "{$setup${1:+,\"peer\":{\"must_agree\":[$1]\}}}" $port
}

sends() {
	ip netns exec peer "$tools/send_frame" "$@"
}

# Set `ears` to the number of sockets that receive LLDP.
count_ears() {
	local line
	ears=0
	while read -r line; do
		[[ $line != *' 88cc '* ]] || ears=$((ears + 1))
	done </proc/net/packet
}

# hears PORTS COMMAND...: start COMMAND, and return when it listens on PORTS ports.
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

# ended CODE: the command that `hears` started exits with CODE.
ended() {
	local code=0
	wait "$listener" || code=$?
	[ $code -eq "$1" ] || { echo "exit code $code instead of $1" && head -n 15 "$work/out" "$work/err"; }
}

# Print each subject of the last command's JSON like "pfc differs peer-pfc-mismatch".
items() {
	sed 's/{"subject":/\n&/g' "$work/out" | sed -nE '
		s/^\{"subject":"([a-z]+)","status":"([a-z_]+)".*"reason":"([a-z-]+)".*/\1 \2 \3/p
		t
		s/^\{"subject":"([a-z]+)","status":"([a-z_]+)".*/\1 \2/p'
}

# told LINE...: the last command's JSON has exactly these subjects.
told() {
	same items "$(printf '%s\n' "$@")" "$(items)"
}

agreed=('pfc agrees' 'ets agrees' 'app agrees')

all_three() {
	printf '%s\n' "pfc $*" "ets $*" "app $*"
}

begin() {
	wants
	expect 0 losslessctl apply "$work/policy.json"
}
