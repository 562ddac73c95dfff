# shellcheck shell=bash
# A real systemd in the guest, in a PID namespace of its own, with the units of packaging/systemd.
# To be sourced after lib.sh.

units=${LOSSLESSCTL_BUILD:-build}/packaging/systemd

# in_systemd COMMAND...: run it in systemd's namespaces: systemctl connects only to its own PID 1.
in_systemd() { nsenter --target "$systemd" --pid --mount "$@"; }

# mask_this_machine [PATTERN]: mask its own units, except those that every service needs (targets
# and the journal with its sockets), ours, and those that match PATTERN.
mask_this_machine() {
	local unit
	mkdir -p /run/systemd/system
	for unit in /lib/systemd/system/*.wants/* /etc/systemd/system/*.wants/*; do
		# shellcheck disable=SC2254	# a pattern is wanted
		case ${unit##*/} in
		systemd-journald* | *.target | losslessctl* | ${1-}) ;;
		*) ln -sf /dev/null "/run/systemd/system/${unit##*/}" ;;
		esac
	done
}

# Install the program where its units look for it; that directory is read-only in the guest.
install_program() {
	local place
	place=$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' "$units/losslessctl.service")
	mkdir -p "$work/upper" "$work/scratch"
	mount -t overlay -o "lowerdir=${place%/*},upperdir=$work/upper,workdir=$work/scratch" sbin "${place%/*}"
	cp "$(readlink -f "$(command -v losslessctl)")" "$place"
}

install_units() {
	cp "$units"/*.service packaging/systemd/*.timer /run/systemd/system/
}

# boot_systemd [TARGET [PATTERN]]: boot to TARGET (default: basic.target), with those units of this
# machine that match PATTERN.
boot_systemd() {
	local parent target=${1:-basic.target}
	mountpoint -q /sys/fs/cgroup || mount -t cgroup2 cgroup2 /sys/fs/cgroup
	mask_this_machine "${2-}"
	install_program
	install_units
	env -i PATH="$PATH" container=guest SYSTEMD_LOG_LEVEL=warning unshare --pid --fork --mount-proc \
		/lib/systemd/systemd --system --unit="$target" --show-status=0 >"$work/systemd" 2>&1 &
	parent=$!
	until systemd=$(<"/proc/$parent/task/$parent/children") && [ -n "$systemd" ]; do sleep 0.05; done
	systemd=${systemd% }
	until in_systemd systemctl is-active -q "$target" 2>/dev/null; do sleep 0.2; done
}

journal() { in_systemd journalctl -q -o cat "$@"; }
