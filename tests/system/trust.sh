#!/usr/bin/env bash
# Only root may change the policy of apply and agent, or any directory on its path; and both check
# their namespaces.
# short: 6.12
. tests/system/lib.sh

make_policy '{"mtu":4200}' $port
top=$work/etc
elsewhere="move it to a directory that only root can change, such as /etc/losslessctl, or run \`losslessctl apply - <FILE\`"
nobody=65534

# Place a policy in two directories of its own, below a directory of root's.
place() {
	rm -rf "$top"
	mkdir -p "$top/a/b"
	chmod 755 "$top" "$top/a" "$top/a/b"
	cat "$work/policy.json" >"$top/a/b/p.json"
	chmod 644 "$top/a/b/p.json"
}

mtu() {
	cat /sys/class/net/$port/mtu
}

# refused PART FIX [PATH]: apply reports PART of the path and FIX, and writes nothing.
refused() {
	expect 1 losslessctl apply "${3:-$top/a/b/p.json}"
	says 'users other than root can change it'
	says "$1"
	says "$2"
	same MTU 1500 "$(mtu)"
}

# Do not advise to take from others what may be theirs, such as /home/alice.
tells_nobody_to_change() {
	! grep -E 'chown|chmod' "$work/out" "$work/err"
}

the_systems_own_is_repaired() {
	mkdir -p /etc/losslessctl
	cat "$work/policy.json" >/etc/losslessctl/policy.json
	chown $nobody /etc/losslessctl/policy.json
	refused 'the file /etc/losslessctl/policy.json belongs to user' \
		'chown root /etc/losslessctl/policy.json' /etc/losslessctl/policy.json
	chown root /etc/losslessctl/policy.json
	chmod 775 /etc/losslessctl
	refused 'the directory /etc/losslessctl has mode 0775' 'chmod go-w /etc/losslessctl' \
		/etc/losslessctl/policy.json
	rm -r /etc/losslessctl
}

accepted() {
	expect 0 losslessctl apply "${1:-$top/a/b/p.json}" "${@:2}"
	same MTU 4200 "$(mtu)"
	losslessctl -q rollback
}

roots_own_is_accepted() {
	place
	accepted
	(cd "$top/a" && accepted b/p.json)
	(cd "$top/a/b" && accepted ../../a//./b/p.json)
}

a_file_is_named_once() {
	place
	expect 66 losslessctl apply "$top/a/b/q.json"
	same 'the message' "losslessctl: $top/a/b/q.json: No such file or directory" "$(cat "$work/err")"
	expect 66 losslessctl apply "$top/c/q.json"
	same 'the message' "losslessctl: $top/c/q.json: $top/c: No such file or directory" "$(cat "$work/err")"
}

file_mode() {
	place
	chmod 664 "$top/a/b/p.json"
	refused "the file $top/a/b/p.json has mode 0664" "chmod go-w $top/a/b/p.json"
	chmod 646 "$top/a/b/p.json"
	refused "the file $top/a/b/p.json has mode 0646" "chmod go-w $top/a/b/p.json"
}

file_owner() {
	place
	chown $nobody "$top/a/b/p.json"
	refused "the file $top/a/b/p.json belongs to user $nobody" "$elsewhere"
}

parent_mode() {
	place
	chmod 775 "$top/a"
	refused "the directory $top/a has mode 0775" "$elsewhere"
	(cd "$top/a/b" && refused "the directory $top/a has mode 0775" "$elsewhere" ./p.json)
}

parent_owner() {
	place
	chown $nobody "$top/a"
	refused "the directory $top/a belongs to user $nobody" "$elsewhere"
	tells_nobody_to_change

}

temporary_folder() {
	cat "$work/policy.json" >/tmp/p.json
	refused 'the directory /tmp has mode 1777' "$elsewhere" /tmp/p.json
	rm /tmp/p.json
}

links() {
	place
	ln -s a/b/p.json "$top/near"
	ln -s "$top/near" "$top/far"
	accepted "$top/far"
	chown -h $nobody "$top/near"
	refused "the link $top/near belongs to user $nobody" "$elsewhere" "$top/far"
	tells_nobody_to_change
}

a_link_to_where_others_write() {
	place
	chmod 777 "$top/a"
	ln -s "$top/a/b/p.json" "$work/outside"
	refused "the directory $top/a has mode 0777" "$elsewhere" "$work/outside"
	rm "$work/outside"
}

# The files are laid out as the kubelet does, then read-only as in a container.
a_config_map() {
	place
	mkdir "$top/map"
	mount -t tmpfs -o mode=777 tmpfs "$top/map"
	mkdir "$top/map/..2026"
	cat "$work/policy.json" >"$top/map/..2026/p.json"
	ln -s ..2026 "$top/map/..data"
	ln -s ..data/p.json "$top/map/p.json"
	refused "the directory $top/map has mode 0777" "$elsewhere" "$top/map/p.json"
	mount -o remount,ro "$top/map"
	refused "the directory $top/map has mode 0777" "$elsewhere" "$top/map/p.json"
	accepted "$top/map/p.json" --trust-read-only-mount
	mount -o remount,rw "$top/map"
	expect 1 losslessctl apply --trust-read-only-mount "$top/map/p.json"
	umount "$top/map"
}

# Another file has the name elsewhere: the link to the root of a process there is "/" by its text.
in_a_container() {
	local inside
	unshare --mount sh -c "mount -t tmpfs tmpfs $top/a && mkdir $top/a/b && exec sleep 60" &
	inside=/proc/$!/root
	until [ -d "$inside$top/a/b" ] && [ ! -e "$inside$top/a/b/p.json" ]; do nap 0.05; done
	sed 's/4200/4300/' "$work/policy.json" >"$inside$top/a/b/p.json"
	expect 1 losslessctl apply "$inside$top/a/b/p.json"
	says "the link $inside leads to another file than /, which it names"
	says "$elsewhere"
	same MTU 1500 "$(mtu)"
	expect 0 losslessctl -q bundle "$inside$top/a/b/bundle.json" $port
	[ -s "$inside$top/a/b/bundle.json" ] && [ ! -e "$top/a/b/bundle.json" ] || echo 'the bundle is elsewhere'
	kill $!
}

what_is_no_file() {
	place
	mkfifo "$top/pipe"
	expect 65 timeout 10 losslessctl apply "$top/pipe"
	says 'not a regular file'
	expect 65 losslessctl apply "$top/a/"
	expect 66 losslessctl apply "$top/none.json"
	ln -s round "$top/round"
	expect 65 losslessctl apply "$top/round"
	in_a_container
	same MTU 1500 "$(mtu)"
}

standard_input_is_accepted() {
	expect 0 losslessctl apply - <"$work/policy.json"
	same MTU 4200 "$(mtu)"
	losslessctl -q rollback
}

# swap FILE FILE...: make each the policy in turn, until killed.
swap() {
	while :; do
		for file in "$@"; do
			ln -sfn "$file" "$top/next" && mv -T "$top/next" "$top/now.json"
		done
	done
}

# The report's hash is that of the applied bytes, whichever file they came from.
one_open_one_hash() {
	local swapper round one two hash
	place
	sed 's/4200/4100/' "$work/policy.json" >"$top/two.json"
	cat "$work/policy.json" >"$top/one.json"
	one=$(sha256sum <"$top/one.json" | cut -d' ' -f1)
	two=$(sha256sum <"$top/two.json" | cut -d' ' -f1)
	ln -s one.json "$top/now.json"
	swap one.json two.json &
	swapper=$!
	for round in 1 2 3 4 5 6; do
		expect 0 losslessctl --json apply "$top/now.json"
		hash=$(json sha256)
		case $(mtu) in
		4200) same "round $round" "$one" "$hash" ;;
		4100) same "round $round" "$two" "$hash" ;;
		esac
	done
	kill $swapper
	wait $swapper 2>/dev/null
	reset_ports
}

the_agent_refuses_it_too() {
	place
	chmod 775 "$top/a"
	expect 1 timeout 20 losslessctl agent "$top/a/b/p.json"
	says "the directory $top/a has mode 0775"
}

who_only_reads_is_told_if_asked() {
	place
	chmod 775 "$top/a"
	expect 2 losslessctl verify "$top/a/b/p.json"
	[ ! -s "$work/err" ] || cat "$work/err"
	expect 2 losslessctl -v verify "$top/a/b/p.json"
	says "apply and agent would refuse this policy: users other than root can change it: the directory $top/a"
	expect 0 losslessctl -v check "$top/a/b/p.json"
	says 'would refuse'
}

another_network_namespace() {
	place
	expect 1 unshare -n losslessctl apply "$top/a/b/p.json"
	says 'this network namespace is not that of the host'
	says '--allow-other-netns'
	expect 1 unshare -n timeout 20 losslessctl agent "$top/a/b/p.json"
	says 'this network namespace is not that of the host'
	# Process 1 of a container is its own.
	expect 1 unshare -n -p --fork --mount-proc losslessctl apply "$top/a/b/p.json"
	says 'this network namespace is not that of the host'
	# The new namespace has no ports: nothing was verified.
	expect 3 unshare -n losslessctl apply --allow-other-netns "$top/a/b/p.json"
	says 'no port of this host matches a rule'
}

another_user_namespace() {
	local before
	place
	before=$(changes)
	expect 77 unshare -U -r losslessctl apply "$top/a/b/p.json"
	says 'CAP_NET_ADMIN in the initial'
	expect 77 setpriv --bounding-set -net_admin --inh-caps -net_admin losslessctl apply "$top/a/b/p.json"
	says 'CAP_NET_ADMIN in the initial'
	same 'driver calls' "$before" "$(changes)"
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo 'a journal was written'
}

mtu() { cat /sys/class/net/$port/mtu; }

# The copy in /run decides what a rollback writes.
a_journal_of_others_is_not_taken() {
	local state=/run/losslessctl
	make_policy '{"mtu":4200}' $port
	expect 0 losslessctl apply --confirm-within 60 "$work/policy.json"
	kill -KILL "$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' $state/pending-confirm.json)"
	mv /var/lib/losslessctl/journal/pending.json "$work/pending.json"
	chmod 777 $state
	losslessctl rollback >/dev/null 2>&1
	same 'MTU, by a copy that others could write' 4200 "$(mtu)"
	chmod 755 $state
	expect 0 losslessctl rollback
	same 'MTU, by the copy of root' 1500 "$(mtu)"
}

# The state in /run says what waits for its confirmation, and what the agent may repair.
a_state_that_others_change_is_refused() {
	local state=/run/losslessctl problem
	problem="users other than root can change it: directory $state belongs to user 0 and has mode 0777"
	make_policy '{"mtu":4200}' $port
	expect 0 losslessctl apply "$work/policy.json"
	make_policy '{"mtu":4100}' $port
	chmod 777 $state
	expect 1 losslessctl plan "$work/policy.json"
	says "$problem"
	expect 1 losslessctl apply "$work/policy.json"
	says "$problem"
	says "chmod go-w $state"
	expect 1 timeout 20 losslessctl agent "$work/policy.json"
	says "$problem"
	same MTU 4200 "$(mtu)"
	expect 0 losslessctl rollback
	says "$problem"
	same MTU 1500 "$(mtu)"
	chmod 755 $state
	make_policy '{"mtu":4200}' $port
}

reset_ports
it "what is root's alone is accepted, by any name" roots_own_is_accepted
it 'a file that is not there is named once' a_file_is_named_once
it 'a file that others may write to is refused' file_mode
it "a file of another user's is refused" file_owner
it 'a directory above it that others may write to is refused' parent_mode
it "a directory above it of another user's is refused" parent_owner
it '/tmp is refused, and the fix names another directory' temporary_folder
it 'a journal that others can write is not taken' a_journal_of_others_is_not_taken
it 'a state directory that others can write to is refused, and a rollback goes on' a_state_that_others_change_is_refused
it "links of root's are followed; another user's is refused" links
it 'a link to where others may write is refused' a_link_to_where_others_write
it "a part of the system's own is to be repaired" the_systems_own_is_repaired
it 'a Kubernetes ConfigMap is accepted where it is mounted read-only, if the user says so' a_config_map
it 'what is no regular file is refused at once' what_is_no_file
it 'standard input is accepted' standard_input_is_accepted
it 'the hash in the report is that of the bytes that were applied' one_open_one_hash
it 'the agent refuses it, too' the_agent_refuses_it_too
it 'verbs that only read report it with -v' who_only_reads_is_told_if_asked
it 'in another network namespace nothing is done, unless --allow-other-netns' another_network_namespace
it 'without CAP_NET_ADMIN in the initial user namespace nothing is written: 77' another_user_namespace
tap_end
