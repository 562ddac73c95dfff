# shellcheck shell=bash
# The way back of an apply, whatever else runs or breaks: rows for recovery.sh and recovery_long.sh.
# To be sourced after lib.sh, lib_lldpad.sh and lib_agent.sh.

other=$port # the peer's port is in another network namespace
pending=/run/losslessctl/pending-confirm.json
journal=/var/lib/losslessctl/journal

settings='"mtu":4200,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],
	"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]},
	"trust":"dscp","dscp":{"prio":{"26":3},"rest":0},"roce":{"tos":106}'

# ---- the rows: PHASE LLDPAD AGENT HARM ----

# lldpad_at LIFE MOMENT: start or end one, if this is its moment. Restart the one with -R, as its
# unit does: Debian's dies of SIGHUP now and then.
lldpad_at() {
	case $1-$2 in
	before-first | dying-first | hanging-first | within-within | after-last) start ;;
	before-R-first | dying-R-first | within-R-within | after-R-last) start_service -R ;;
	dying-within | dying-R-within) end_kept ;;
	hanging-within) kill -STOP "$(kept)" ;;
	hanging-healed) end_kept && start_again ;;
	dying-healed) start_again ;;
	dying-R-healed) start_service_again -R ;;
	dying-last | hanging-last) sleep 20 ;; # lldpad waits 15 s for a switch before it writes
	esac
}

# What an lldpad that runs holds for the port. -R has that in its file alone; the other one keeps
# its defaults there after a rollback.
lldpad_holds() {
	[ -e "$work/kept" ] || return
	case $1 in
	*-R) lldp_of "$work/here.conf" ;;
	*) ask $port get pfc enabled | sed 's/^$/0/' && ask $port get pfc willing | sed 's/^$/yes/' ;;
	esac
}

# shellcheck disable=SC2089,SC2090 # JSON, as agent_policy takes it
# An lldpad that runs when apply starts is given the settings; apply refuses to write beside it.
recovery_policy() {
	local dcbx='"mode":"host"' mode=report
	[[ $1 != before* && $1 != dying* && $1 != hanging ]] || dcbx+=',"advertise":true,"willing":false'
	[ "$2" != enforce ] || mode=enforce
	agent_policy $mode '{"allow_link_flap":true}' '{"dcbx":{'$dcbx'},'"$settings"'}' $port
}

# Kill an apply after its first writes, while it waits for the link.
killed_half_way() {
	connectx $port link stuck on
	: >"$work/err"
	losslessctl apply "$work/policy.json" $port >/dev/null 2>"$work/err" &
	limit=60 quickly grep -q 'writing pfc' "$work/err"
	kill -KILL $!
	wait $!
	let_the_link_back
} 2>/dev/null

# do_apply PHASE: bring the port to where the way back starts.
do_apply() {
	case $1 in
	unconfirmed) expect 0 losslessctl -q apply --confirm-within 4 "$work/policy.json" $port ;;
	applied) expect 0 losslessctl -q apply "$work/policy.json" $port ;;
	killed) killed_half_way ;;
	esac
}

harm() {
	case $1 in
	watchdog) kill -KILL "$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' $pending)" ;;
	journal) echo torn >$journal/pending.json ;;
	run) rm -rf /run/losslessctl ;;
	readonly) mount -o remount,ro /var/lib/losslessctl ;;
	readonly-run) mount --bind /run/losslessctl /run/losslessctl && mount -o remount,bind,ro /run/losslessctl ;;
	esac
}

is_over() {
	[ ! -e $pending ] && [ ! -e $journal/pending.json ]
}

# heal LLDPAD HARM: what a person repairs first. Until then the journal stays.
heal() {
	[ "$2" != readonly ] || mount -o remount,rw /var/lib/losslessctl
	[ "$2" != readonly-run ] || umount /run/losslessctl
	lldpad_at "$1" healed
}

# exit_code PHASE LLDPAD HARM: that of a rollback before a person has repaired anything. After an
# apply that has ended there is no copy of its journal in /run, which would have to go.
exit_code() {
	case $1-$2-$3 in
	*-dying*) echo 4 ;;
	*-hanging-*) echo 3 ;;
	applied-*-readonly-run) echo 0 ;;
	*-readonly*) echo 1 ;;
	*) echo 0 ;;
	esac
}

roll_back() {
	expect "$1" losslessctl rollback --lock-timeout 60
	[ "$1" != 4 ] || says 'start lldpad, then run `losslessctl rollback`'
}

now() {
	witness $port
}

# now() starts nine programs: called too often, they leave the watchdog no processor.
is_as_before() {
	nap 0.5
	[ "$(now)" = "$before" ]
}

# The watchdog, or an agent that may write, goes back by itself; a person does it otherwise, as
# `show` says. A rollback by hand must be needed only once, and no rollback may find more to do.
comes_back() {
	local phase=$1 lldpad=$2 agent=$3 harm=$4 code
	code=$(exit_code "$phase" "$lldpad" "$harm")
	if [ "$phase" = unconfirmed ] && [[ $harm != watchdog || $agent = enforce ]]; then
		limit=100 quickly is_as_before || same 'by itself' "$before" "$(now)"
		[ "$code" != 4 ] || roll_back 4
	else
		[ "$phase" != unconfirmed ] || sleep 4.2 # until its time is over
		[ "$phase" = applied ] || [ "$agent" = enforce ] || { expect 0 losslessctl show $port && says 'losslessctl rollback'; }
		roll_back "$code"
	fi
	wait_carrier
	same 'the kernel' "$before" "$(now)"
	heal "$lldpad" "$harm"
	[ "$code" = 0 ] || roll_back 0
	limit=30 quickly is_over
}

# comes_back_from PHASE LLDPAD AGENT HARM
comes_back_from() {
	local phase=$1 lldpad=$2 agent=$3 harm=$4 before held
	reset_ports
	mkdir -p /var/lib/losslessctl
	mount -t tmpfs -o mode=755 tmpfs /var/lib/losslessctl
	recovery_policy "$lldpad" "$agent"
	lldpad_at "$lldpad" first
	before=$(now) held=$(lldpad_holds "$lldpad")
	do_apply "$phase"
	harm "$harm"
	# An agent may roll back as soon as it starts: an lldpad that dies is gone by then.
	[[ $lldpad != dying* ]] || lldpad_at "$lldpad" within
	[ "$agent" = off ] || start_agent --verify-interval 1 --sample-interval 3600
	[[ $lldpad = dying* ]] || lldpad_at "$lldpad" within
	comes_back "$phase" "$lldpad" "$agent" "$harm"
	lldpad_at "$lldpad" last
	wait_carrier
	same 'the port' "$before" "$(now)"
	[ ! "$held" ] || same 'what lldpad holds' "$held" "$(lldpad_holds "$lldpad")"
	expect 0 losslessctl rollback
	says 'nothing to roll back'
	same 'the port, after another rollback' "$before" "$(now)"
	[ "$agent" = off ] || stop_agent
	[ ! -e "$work/kept" ] || end_kept
	umount /var/lib/losslessctl
}

# Read rows from standard input.
recovery_rows() {
	local phase lldpad agent harm
	while read -r phase lldpad agent harm; do
		it "$phase, lldpad $lldpad, agent $agent, harm $harm: the port comes back" \
			comes_back_from "$phase" "$lldpad" "$agent" "$harm"
	done
}
