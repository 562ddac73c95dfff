#!/usr/bin/env bash
# short: 6.12
# vm: --peer
# Every refusal of apply that has nothing to do with what its policy asks of a port: plan reports it
# beforehand, in the same words. The guards of ports are those of guards.sh, limits.sh and others:
# packaging/docs/architecture.md lists all.
. tests/system/lib.sh
. tests/system/lib_confirm.sh
other=$port # the peer's port is in another network namespace

state=/var/lib/losslessctl
lock=/run/losslessctl
signers=/etc/losslessctl/allowed_signers
good=$work/good.json
make_policy '{"mtu":4200}'
mv "$work/policy.json" "$good"

# What a case may set, and what is reset before each: how apply and plan start, their words, what they
# read, and the exit code of the plan.
reset_case() {
	with=() words=("$good") input=/dev/null plan=1
	rm -rf "${work:?}"/{etc,elsewhere} $state $lock ${signers%/*}
	mkdir -p "$work/etc"
	cp "$good" "$work/etc/p.json"
	chmod -R go-w "$work/etc"
}

# untouched: what apply could have changed.
untouched() {
	changes
	find $state $signers -printf '%p %m %s\n' 2>/dev/null | grep -v ' 4096$'
}

# refused CODE TEXT SETUP [UNDO]: apply ends with CODE and TEXT, and changes nothing; plan has said so.
refused() {
	local code=$1 text=$2 before undo=${4-true}
	reset_case
	$3
	before=$(changes)
	# shellcheck disable=SC2154 # of reset_case
	expect $plan "${with[@]}" losslessctl plan "${words[@]}" <$input
	says "$text"
	expect $plan "${with[@]}" losslessctl --json plan "${words[@]}" <$input
	says "$text"
	if [ $plan = 1 ]; then
		grep -qE '^\{"schema":"losslessctl/error/1"|"change_count":0,"link_flap_count":0,.*"refusals":\[' "$work/out" ||
			head -c 900 "$work/out"
		expect 1 "${with[@]}" losslessctl -q plan "${words[@]}" <$input
		says "$text"
	fi
	expect "$code" "${with[@]}" losslessctl apply "${words[@]}" <$input
	says "$text"
	same 'driver calls' "$before" "$(changes)"
	$undo
}

# --- Rights and namespaces ---

without_the_capability() { with=(setpriv --bounding-set -net_admin --inh-caps -net_admin); }
in_a_user_namespace() { with=(unshare -U -r); }
beside_the_host() { with=(ip netns exec peer); }
without_ports() { with=(unshare -n); }
in_a_container() { with=(unshare -n -p --fork --mount-proc); }

# --- The policy's file ---

of_a_user() { words=("$work/etc/p.json") && chown 65534 "$work/etc/p.json"; }
for_all() { words=("$work/etc/p.json") && chmod 0666 "$work/etc/p.json"; }
below_a_directory_for_all() { words=("$work/etc/p.json") && chmod 0777 "$work/etc"; }
a_link_of_a_user() {
	ln -s p.json "$work/etc/link" && chown -h 65534 "$work/etc/link"
	words=("$work/etc/link")
}
in_tmp() { cp "$good" /tmp/p.json && words=(/tmp/p.json); }
a_pipe() { words=(its-file) && with=(on_a_pipe); }

# on_a_pipe COMMAND...: with the policy on a pipe, anew for each command.
on_a_pipe() { "${@:1:$#-1}" <(cat "$good"); }

# --- Signature and generation ---

# sign KEY GENERATION
sign() {
	mkdir -p ${signers%/*}
	{ echo -n 'fleet@example.com namespaces="losslessctl" ' && cat "$work/fleet.pub"; } >$signers
	sed 's/"version":1/&'"${2:+,\"generation\":$2}/" "$good" >"$work/etc/p.json"
	[ -z "$1" ] || ssh-keygen -q -Y sign -n losslessctl -f "$work/$1" "$work/etc/p.json" 2>/dev/null
	words=("$work/etc/p.json")
}
unsigned() { sign '' 7; }
on_standard_input() { sign '' 7 && words=(-) && input=$good; }
of_a_stranger() { sign stranger 7; }
with_a_signature_for_all() { sign fleet 7 && chmod 0666 "$work/etc/p.json.sig"; }
with_signers_for_all() { sign fleet 7 && chmod 0666 $signers; }
without_ssh_keygen() { sign fleet 7 && mount --bind /dev/null /usr/bin/ssh-keygen; }
with_ssh_keygen() { umount /usr/bin/ssh-keygen; }
an_older_generation() { sign fleet 6 && mkdir -p $state && echo 7 >$state/generation; }
without_a_generation() { sign fleet ''; }
a_generation_that_is_none() { sign fleet 6 && mkdir -p $state && echo seven >$state/generation; }

# --- The state directory ---

mounted() { mkdir -p $state && mount -t tmpfs -o "mode=755,$1" tmpfs $state; }
unmount() { umount $state || true; }
full() { mounted size=4k && mkdir $state/journal && head -c 4096 /dev/zero >$state/full; }
without_inodes() { mounted nr_inodes=2; }
read_only() { mounted ro; }
a_file() { : >$state; }
a_file_within() { mkdir $state && : >$state/journal; }
of_another_user() { mkdir -p $state/journal && chown 65534 $state; }
for_all_within() { mkdir -p $state/journal && chmod 0777 $state/journal; }
a_link_elsewhere() { mkdir -m 0777 "$work/elsewhere" && ln -s "$work/elsewhere" $state; }
a_lock_that_is_read_only() { mkdir -p $lock && mount -t tmpfs -o ro,mode=755 tmpfs $lock; }
a_lock_again() { umount $lock; }

# --- What reading needs ---

a_mode_that_needs_it() {
	make_policy '{"roce":{"mode":"v2"}}' $port
	words=("$work/policy.json")
	rmdir /sys/kernel/config/rdma_cm/mlx5_* 2>/dev/null
}
without_the_module() {
	a_mode_that_needs_it
	modprobe -r rdma_ucm rdma_cm
	mount -t tmpfs tmpfs "/lib/modules/$(uname -r)"
}
with_the_module() { umount "/lib/modules/$(uname -r)" && modprobe rdma_cm; }
without_configfs() { a_mode_that_needs_it; umount /sys/kernel/config; }
with_configfs() { mount -t configfs configfs /sys/kernel/config; }

# --- Others, who end by themselves: the plan keeps its exit code ---

another_writes() {
	plan=2
	mkdir -p $lock
	(exec 9>$lock/lock && flock 9 && exec sleep 600) >/dev/null 2>&1 &
	holder=$!
	until ! flock -n $lock/lock true; do nap 0.02; done
}
it_ends() { kill $holder && wait $holder 2>/dev/null; }

one_waits() {
	plan=0
	losslessctl -q apply --confirm-within 600 "$good"
}
it_is_rolled_back() { losslessctl -q rollback; }

# An option of apply that permits it is one of plan, too.
what_apply_permits_plan_permits() {
	reset_case
	expect 2 ip netns exec peer losslessctl plan --allow-other-netns "$good"
	mount -t tmpfs -o mode=777 tmpfs "$work/etc"
	cp "$good" "$work/etc/p.json"
	mount -o remount,ro "$work/etc"
	expect 1 losslessctl plan "$work/etc/p.json"
	expect 2 losslessctl plan --trust-read-only-mount "$work/etc/p.json"
	umount "$work/etc"
	expect 2 losslessctl plan "$good"
	same 'what is refused' '' "$(grep -i refus "$work/out" "$work/err")"
	expect 2 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl plan - <"$good"
	same 'what is refused' '' "$(grep -i refus "$work/out" "$work/err")"
}

for key in fleet stranger; do
	ssh-keygen -q -t ed25519 -N '' -C $key -f "$work/$key"
done
for_others='users other than root can change it'
cannot='cannot be verified by /usr/bin/ssh-keygen'

it 'without CAP_NET_ADMIN' refused 77 'no CAP_NET_ADMIN in the initial user namespace' without_the_capability
it 'in a user namespace' refused 77 'this process is in another user namespace' in_a_user_namespace
it 'in another network namespace, which has a port' refused 1 'this network namespace is not that of the host' beside_the_host
it 'in another one without a port' refused 1 'this network namespace is not that of the host' without_ports
it 'in a container' refused 1 'this network namespace is not that of the host' in_a_container
it "a policy of a user's" refused 1 "$for_others: the file $work/etc/p.json belongs to user 65534" of_a_user
it 'one that all may write' refused 1 "$for_others: the file $work/etc/p.json has mode 0666" for_all
it 'one below a directory that all may write' refused 1 "$for_others: the directory $work/etc has mode 0777" below_a_directory_for_all
it "one behind a link of a user's" refused 1 "$for_others: the link $work/etc/link belongs to user 65534" a_link_of_a_user
it 'one in /tmp' refused 1 'move it to a directory that only root can change' in_tmp
it 'one on a pipe' refused 65 'is not a regular file' a_pipe
it 'one that is not signed' refused 1 'it is not signed' unsigned
it 'one on standard input, where a signature is needed' refused 1 'standard input: it has no signature' on_standard_input
it "a stranger's signature" refused 1 'its signature is not valid' of_a_stranger
it 'a signature that all may write' refused 1 "its signature: $for_others" with_a_signature_for_all
it 'signers that all may write' refused 1 "$cannot: $for_others" with_signers_for_all
it 'no ssh-keygen' refused 1 "$cannot" without_ssh_keygen with_ssh_keygen
it 'an older generation' refused 1 'generation 6 is older than 7' an_older_generation
it 'a signed policy without a generation' refused 1 'a signed policy needs a ' without_a_generation
it 'a generation of this host that is none' refused 1 "$state/generation is not a number" a_generation_that_is_none
it 'a full state directory' refused 1 'No space left on device' full unmount
it 'one without inodes' refused 1 'No space left on device' without_inodes unmount
it 'one that is read-only' refused 1 'Read-only file system' read_only unmount
it 'one that is a file' refused 1 "$state: Not a directory" a_file
it 'one whose journal is a file' refused 1 "$state/journal: Not a directory" a_file_within
it "one of another user's" refused 1 "$for_others: directory $state belongs to user 65534" of_another_user
it 'one whose journal all may write' refused 1 'mode 0777' for_all_within
it 'a link to a directory that all may write' refused 1 'mode 0777' a_link_elsewhere
it 'a lock that is read-only' refused 1 'Read-only file system' a_lock_that_is_read_only a_lock_again
it 'no module rdma_cm' refused 1 'make /sys/kernel/config/rdma_cm/mlx5_0: No such file or directory' without_the_module with_the_module
it 'no configfs' refused 1 'make /sys/kernel/config/rdma_cm/mlx5_0: No such file or directory' without_configfs with_configfs
it 'another run that writes' refused 75 ') is writing on this host' another_writes it_ends
it 'an apply that waits for confirmation' refused 75 'waits for confirmation until' one_waits it_is_rolled_back
it 'what an option permits is permitted to both' what_apply_permits_plan_permits
tap_end
