# Convert a container of a DaemonSet to the configuration that containerd passes to an OCI runtime,
# with the defaults of Kubernetes. The rootfs must be beside the result.
#   jq --arg name CONTAINER --argjson entrypoint [WORD…] --slurpfile seccomp PROFILE --argjson
#      sources {VOLUME: PATH} -f oci.jq DAEMONSET

.spec.template.spec as $pod
| ($pod.containers[] | select(.name == $name)) as $container
| $container.securityContext as $asked
| [$asked.capabilities.add // [] | .[] | "CAP_" + .] as $caps
| def volume: .name as $name | $pod.volumes[] | select(.name == $name);
  def source: $sources[.name] // volume.hostPath.path;
  def mount: {
	destination: .mountPath,
	source: source,
	type: "bind",
	options: ["rbind", if .mountPropagation == "HostToContainer" then "rslave" else "rprivate" end,
		if .readOnly then "ro" else "rw" end]
  };
  def default($place; $type; $options): {
	destination: $place, type: $type, source: $type, options: $options
  };
  # Select the rules of the runtimes' common profile that apply to these capabilities.
  def holds: (.caps // [] | length == 0 or any(.[]; IN($caps[])))
	and (.arches // [] | length == 0 or any(.[]; . == "amd64"));
  def excluded: any((.caps // [])[]; IN($caps[])) or any((.arches // [])[]; . == "amd64");
{
	ociVersion: "1.0.2",
	root: { path: "rootfs", readonly: $asked.readOnlyRootFilesystem },
	process: {
		cwd: "/",
		args: (($container.command // $entrypoint) + ($container.args // [])),
		env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
		user: { uid: $pod.securityContext.runAsUser, gid: $pod.securityContext.runAsGroup },
		noNewPrivileges: ($asked.allowPrivilegeEscalation == false),
		capabilities: { bounding: $caps, effective: $caps, permitted: $caps }
	},
	mounts: ([
		default("/proc"; "proc"; ["nosuid", "noexec", "nodev"]),
		default("/dev"; "tmpfs"; ["nosuid", "strictatime", "mode=755", "size=65536k"]),
		default("/dev/pts"; "devpts"; ["nosuid", "noexec", "newinstance", "ptmxmode=0666"]),
		default("/dev/shm"; "tmpfs"; ["nosuid", "noexec", "nodev", "mode=1777"]),
		default("/dev/mqueue"; "mqueue"; ["nosuid", "noexec", "nodev"]),
		default("/sys"; "sysfs"; ["nosuid", "noexec", "nodev", "ro"])
	] + ($container.volumeMounts | map(mount) | sort_by(.destination))),
	linux: {
		namespaces: ([
			{ type: "mount" },
			if $pod.hostPID then empty else { type: "pid" } end,
			if $pod.hostIPC then empty else { type: "ipc" } end,
			if $pod.hostNetwork then empty else { type: "network" }, { type: "uts" } end
		]),
		maskedPaths: ["/proc/asound", "/proc/acpi", "/proc/kcore", "/proc/keys",
			"/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats",
			"/proc/sched_debug", "/proc/scsi", "/sys/firmware",
			"/sys/devices/virtual/powercap"],
		readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
			"/proc/sysrq-trigger"],
		seccomp: ($seccomp[0] | {
			defaultAction, defaultErrnoRet,
			architectures: ["SCMP_ARCH_X86_64"],
			syscalls: [.syscalls[] | select((.includes // {} | holds)
				and (.excludes // {} | excluded | not))
				| { names, action, args: (.args // []) }
					+ if .errnoRet then { errnoRet } else {} end]
		})
	}
}
