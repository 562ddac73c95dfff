#!/usr/bin/env bash
# only: 6.12
# waits
# A host that accepts only signed policies, with real keys and the real ssh-keygen.
. tests/system/lib.sh
. tests/system/lib_agent.sh

signers=/etc/losslessctl/allowed_signers
taken=/var/lib/losslessctl/generation
signed=$work/policy.json

# policy GENERATION MTU
policy() {
	printf '{"version":1,"generation":%s,"profiles":{"p":{"mtu":%s}},"rules":[{"match":{"name":"%s"},"profile":"p"}]}' \
		"$1" "$2" $port >"$signed"
}

# sign KEY [NAMESPACE]
sign() {
	rm -f "$signed.sig"
	ssh-keygen -q -Y sign -n "${2-losslessctl}" -f "$work/$1" "$signed" 2>/dev/null
}

# refused TEXT [GENERATION]: apply fails with TEXT, and writes neither a port nor a file.
refused() {
	local before
	before=$(changes)
	expect 1 losslessctl apply "$signed"
	says "$1"
	same 'driver calls' "$before" "$(changes)"
	same 'generation taken' "${2-}" "$(cat $taken 2>/dev/null)"
}

without_signers_nothing_is_asked_for() {
	policy 7 4200
	expect 0 losslessctl apply "$signed"
	[ ! -e $taken ] || echo 'a generation is kept'
	expect 0 losslessctl rollback
	printf '{"version":1,"profiles":{"p":{"mtu":4200}},"rules":[{"match":{"name":"%s"},"profile":"p"}]}' $port >"$signed"
	expect 0 losslessctl apply "$signed"
	expect 0 losslessctl rollback
}

what_is_not_signed() {
	mkdir -p ${signers%/*}
	{ echo -n 'fleet@example.com namespaces="losslessctl" ' && cat "$work/fleet.pub"; } >$signers
	policy 7 4200
	refused 'it is not signed'
	says 'ssh-keygen -Y sign -n losslessctl'
	: >"$signed.sig"
	refused 'its signature is empty'
	expect 1 losslessctl apply - <"$signed"
	says 'standard input: it has no signature'
}

signed_by_a_stranger() {
	sign stranger
	refused 'is not valid'
}

signed_for_another_use() {
	sign fleet git
	refused 'is not valid'
}

changed_after_that() {
	sign fleet
	sed -i 's/4200/4300/' "$signed"
	refused 'is not valid'
}

signed_it_is_applied() {
	policy 7 4200
	sign fleet
	expect 0 losslessctl --json apply "$signed"
	same generation 7 "$(json generation)"
	same signer fleet@example.com "$(json signer)"
	same 'generation taken' 7 "$(cat $taken)"
	same mtu 4200 "$(cat /sys/class/net/$port/mtu)"
	expect 0 losslessctl apply "$signed"
}

# ssh-keygen finds the first line with the key, which is for another namespace.
a_key_with_two_lines() {
	cp $signers "$work/signers"
	sed 's/fleet@/old@/; s/"losslessctl"/"git"/' "$work/signers" | cat - "$work/signers" >$signers
	expect 0 losslessctl --json apply "$signed"
	same signer fleet@example.com "$(json signer)"
	sed 's/fleet@/old@/; s/"losslessctl"/"git"/' "$work/signers" >$signers
	refused 'is not valid' 7
	sed 's/fleet@example.com/!bad@other,*@example.com/' "$work/signers" >$signers
	expect 0 losslessctl apply "$signed" # the first pattern excludes, and names nobody
	cat "$work/signers" >$signers
}

# The helper's line must not become standard input or output.
closed_standard_files() {
	expect 0 sh -c "losslessctl apply $signed <&- >&-"
	same 'what it says' 'losslessctl: standard output: Bad file descriptor; only this report is lost' \
		"$(cat "$work/err")"
}

an_older_one() {
	policy 6 4100
	sign fleet
	refused 'generation 6 is older than 7' 7
	printf '{"version":1,"rules":[]}' >"$signed"
	sign fleet
	refused 'needs a "generation"' 7
}

# The policy that is in force stays valid: it can still be applied and repaired.
what_a_port_refuses_takes_no_generation() {
	policy 8 65000
	sign fleet
	refused 'above the port' 7
	policy 7 4200
	sign fleet
	expect 0 losslessctl apply "$signed"
}

who_only_reads_needs_none() {
	policy 8 4200
	rm -f "$signed.sig"
	expect 0 losslessctl verify "$signed"
}

others_could_sign() {
	policy 8 4400
	sign fleet
	chmod o+w "$signed.sig"
	refused 'users other than root can change it' 7
	chmod o-w "$signed.sig"
	chmod o+w $signers
	refused 'users other than root can change it' 7
	chmod o-w $signers
}

# A file system that is not mounted turns signatures off for nobody.
a_list_out_of_reach() {
	local folder=${signers%/*}
	policy 7 4300
	rm -f "$signed.sig"
	mv $signers "$work/list"
	ln -s "$work/unmounted/list" $signers
	refused 'it is not signed' 7
	sign fleet
	refused 'cannot be verified' 7
	rm $signers
	mv "$work/list" $signers
	mv $folder "$work/folder"
	ln -s "$work/unmounted" $folder
	rm "$signed.sig"
	refused 'it is not signed' 7
	rm $folder
	mv "$work/folder" $folder
	policy 8 4400
	sign fleet
}

without_ssh_keygen() {
	cp /usr/bin/ssh-keygen "$work/theirs"
	chown 65534 "$work/theirs"
	mount --bind "$work/theirs" /usr/bin/ssh-keygen
	refused 'users other than root can change it: the file /usr/bin/ssh-keygen belongs to user 65534' 7
	umount /usr/bin/ssh-keygen
	mount --bind /dev/null /usr/bin/ssh-keygen
	refused 'cannot be verified by /usr/bin/ssh-keygen' 7
	umount /usr/bin/ssh-keygen
}

# Send SIGHUP as `killall -HUP losslessctl` does: the process that verifies has the same name.
everybody_hears_hup() {
	local pid
	pid=$(agent)
	# shellcheck disable=SC2046	# numbers
	kill -HUP $(<"/proc/$pid/task/$pid/children")
	sleep 0.2
	kill -HUP "$pid"
}

the_agent_asks_too() {
	policy 8 4200
	sign fleet
	: >"$log"
	cp "$signed" "$signed.sig" "$work/kept/"
	start_agent
	same 'generation taken' 8 "$(cat $taken)"
	policy 9 4200
	kill -HUP "$(agent)"
	quickly in_log 'the agent refused the new policy.*its signature is not valid'
	sign fleet
	kill -HUP "$(agent)"
	quickly in_log 'policy .* is in force'
	same 'generation taken' 9 "$(cat $taken)"
	policy 10 4200
	sed -i 's/"mtu"/"pause":{"rx":true,"tx":true},"pfc":{"priorities":[3]},"mtu"/' "$signed"
	sign fleet
	kill -HUP "$(agent)"
	quickly in_log 'the agent refused the new policy.*pfc-with-global-pause'
	same 'generation taken' 9 "$(cat $taken)"
	cp "$work/kept/"* "$work/"
	everybody_hears_hup
	quickly in_log 'generation 8 is older than 9'
	stop_agent
}

# stalls: make ssh-keygen wait longer than the agent does, while $work/stall exists.
stalls() {
	cp /usr/bin/ssh-keygen "$work/real-keygen"
	printf '#!/bin/bash\n[ ! -e %s/stall ] || sleep 40\nexec %s/real-keygen "$@"\n' "$work" "$work" \
		>"$work/slow-keygen"
	chmod +x "$work/slow-keygen"
	mount --bind "$work/slow-keygen" /usr/bin/ssh-keygen
}

# The answer about one policy comes when the next one is asked about.
a_late_answer_is_about_no_other_policy() {
	local tries=0
	stalls
	policy 10 4200
	sign fleet
	: >"$log"
	start_agent
	touch "$work/stall"
	policy 11 4300
	sign fleet
	kill -HUP "$(agent)"
	until in_log 'the agent refused the new policy' || [ $((tries += 1)) -gt 40 ]; do sleep 1; done
	in_log 'it did not end in time' || cat "$log"
	rm "$work/stall"
	policy 12 4400 # with the signature of 11
	: >"$log"
	kill -HUP "$(agent)"
	quickly in_log 'its signature is not valid'
	sleep 15
	! in_log 'is in force' || cat "$log"
	same 'generation taken' 10 "$(cat $taken)"
	sign fleet
	kill -HUP "$(agent)"
	quickly in_log 'is in force'
	stop_agent
	umount /usr/bin/ssh-keygen
}

mkdir "$work/kept"
for key in fleet stranger; do
	ssh-keygen -q -t ed25519 -N '' -C $key -f "$work/$key"
done
reset_ports
it 'without a list of signers nothing is asked for' without_signers_nothing_is_asked_for
it 'what is not signed is refused, and it is said how to sign' what_is_not_signed
it 'signed by a stranger: refused' signed_by_a_stranger
it 'signed for another use of the key: refused' signed_for_another_use
it 'changed after it was signed: refused' changed_after_that
it 'signed it is applied; the report names generation and signer' signed_it_is_applied
it 'a key that is also listed for another use is found' a_key_with_two_lines
it 'closed standard files break no helper' closed_standard_files
it 'an older generation is refused, and one without' an_older_one
it 'what a port refuses takes no generation' what_a_port_refuses_takes_no_generation
it 'who only reads needs no signature' who_only_reads_needs_none
it 'a signature or a list that others can change: refused' others_could_sign
it 'a list behind a link that leads nowhere is a list' a_list_out_of_reach
it 'without ssh-keygen nothing is taken' without_ssh_keygen
it 'the agent asks at its start and for each reload' the_agent_asks_too
in_long it 'a late answer of ssh-keygen makes no other policy valid' a_late_answer_is_about_no_other_policy
tap_end
