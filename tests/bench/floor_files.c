/* The files and ioctls that the floor program reads. */
#include "floor_files.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define GIDS_MAX 256
#define GAP_MAX	 8 /* this many empty GIDs in a row end the list */

static char answer[1 << 16];

static const char *const host_files[] = {
	"/proc/sys/kernel/osrelease",
	"/proc/sys/kernel/version",
	"/proc/sys/kernel/random/boot_id",
	"/proc/sys/net/ipv4/tcp_ecn",
	"/etc/machine-id",
	"/sys/kernel/security/lockdown",
	"/sys/module/mlx5_core/version",
	"/run/losslessctl/pending-confirm.json",
	"/run/losslessctl/lost-settings",
	"/var/lib/losslessctl/journal/pending.json",
	"/etc/systemd/system/lldpad.service",
	"/run/systemd/system/lldpad.service",
	"/usr/local/lib/systemd/system/lldpad.service",
	"/usr/lib/systemd/system/lldpad.service",
	"/lib/systemd/system/lldpad.service",
};
static const char *const host_directories[] = {
	"/etc/NetworkManager/system-connections",
	"/run/NetworkManager/system-connections",
	"/usr/lib/NetworkManager/system-connections",
};
/* These files are below /sys/class/net/PORT/. */
static const char *const netdev_files[] = {
	"device/vendor",
	"device/physfn/vendor",
	"device/sfnum",
	"ecn/roce_np/enable/0",
};
static const char *const cc_params[] = {
	"rp_clamp_tgt_rate",
	"rp_clamp_tgt_rate_ati",
	"rp_time_reset",
	"rp_byte_reset",
	"rp_threshold",
	"rp_ai_rate",
	"rp_max_rate",
	"rp_hai_rate",
	"rp_min_dec_fac",
	"rp_min_rate",
	"rp_rate_to_set_on_first_cnp",
	"rp_dce_tcp_g",
	"rp_dce_tcp_rtt",
	"rp_rate_reduce_monitor_period",
	"rp_initial_alpha_value",
	"rp_gd",
	"np_cnp_prio",
	"np_cnp_prio_mode",
	"np_cnp_dscp",
	"np_min_time_between_cnps",
	"rtt_resp_dscp_valid",
};
static const char *const rdma_cm_files[] = { "default_roce_mode", "default_roce_tos" };

static const uint32_t ethtool_commands[] = { ETHTOOL_GLINKSETTINGS, ETHTOOL_GTUNABLE,
					     ETHTOOL_GDRVINFO, ETHTOOL_GPAUSEPARAM,
					     ETHTOOL_GFECPARAM };

/* Return the size of a short file, which the kernel returns in one read; -1 without the file. */
static ssize_t read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, answer, sizeof(answer) - 1);
	close(fd);
	answer[n > 0 ? n : 0] = '\0';
	return n;
}

static void read_sockets(void)
{
	int fd = open("/proc/net/unix", O_RDONLY | O_CLOEXEC);

	while (read(fd, answer, sizeof(answer)) > 0)
		;
	close(fd);
}

static void read_files(const char *directory, const char *const *names, size_t count)
{
	char path[256];

	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		read_file(path);
	}
}

static bool is_number(const char *name)
{
	return isdigit((unsigned char)name[0]);
}

/* List a directory, and pass the paths below it that `chosen` accepts to `take`. */
static void list(const char *directory, bool (*chosen)(const char *name),
		 void (*take)(const char *path))
{
	DIR *d = opendir(directory);
	const struct dirent *e;
	char path[512];

	while (d && (e = readdir(d)))
		if (chosen && chosen(e->d_name)) {
			snprintf(path, sizeof(path), "%s/%s", directory, e->d_name);
			take(path);
		}
	if (d)
		closedir(d);
}

static void read_comm(const char *process)
{
	static const char *const comm[] = { "comm" };

	read_files(process, comm, 1);
}

void read_host(void)
{
	for (size_t i = 0; i < COUNT(host_files); i++)
		read_file(host_files[i]);
	for (size_t i = 0; i < COUNT(host_directories); i++)
		list(host_directories[i], NULL, NULL);
	read_sockets();
	list("/proc", is_number, read_comm);
}

/* Issue `command` with a buffer that holds the largest answer. */
static void ethtool_ioctl(int fd, const char *name, uint32_t command)
{
	static uint32_t buffer[512];
	struct ifreq r = { .ifr_data = (char *)buffer };
	struct ethtool_link_settings *link = (void *)buffer;
	struct ethtool_tunable *storm = (void *)buffer;
	static int8_t words; /* the kernel reports the size of a bitmap of link modes */

	memset(buffer, 0, sizeof(buffer));
	buffer[0] = command;
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (command == ETHTOOL_GLINKSETTINGS)
		link->link_mode_masks_nwords = words;
	if (command == ETHTOOL_GTUNABLE) {
		storm->id = ETHTOOL_PFC_PREVENTION_TOUT;
		storm->type_id = ETHTOOL_TUNABLE_U16;
		storm->len = sizeof(uint16_t);
	}
	if (ioctl(fd, SIOCETHTOOL, &r) == 0 && command == ETHTOOL_GLINKSETTINGS && !words)
		words = (int8_t)-link->link_mode_masks_nwords;
}

void read_ethtool(int fd, const char *name)
{
	static bool words_known;

	if (!words_known)
		ethtool_ioctl(fd, name, ETHTOOL_GLINKSETTINGS);
	words_known = true;
	for (size_t i = 0; i < COUNT(ethtool_commands); i++)
		ethtool_ioctl(fd, name, ethtool_commands[i]);
}

/* Read the GIDs, and the types of those in use: an unused entry is all zeros. */
static void read_gids(const char *port)
{
	char path[256];

	for (int i = 0, empty = 0; i < GIDS_MAX && empty < GAP_MAX; i++) {
		snprintf(path, sizeof(path), "%s/gids/%d", port, i);
		if (read_file(path) < 0)
			return;
		empty = answer[strspn(answer, "0:\n")] ? 0 : empty + 1;
		snprintf(path, sizeof(path), "%s/gid_attrs/types/%d", port, i);
		if (!empty)
			read_file(path);
	}
}

void read_port_files(const char *name, const char *pci, const char *rdma)
{
	char path[192];

	snprintf(path, sizeof(path), "/sys/class/net/%s", name);
	read_files(path, netdev_files, COUNT(netdev_files));
	snprintf(path, sizeof(path), "/etc/sysconfig/network-scripts/ifcfg-%s", name);
	read_file(path);
	snprintf(path, sizeof(path), "/sys/kernel/debug/mlx5/%s/cc_params", pci);
	read_files(path, cc_params, COUNT(cc_params));
	if (!rdma)
		return;
	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1", rdma);
	read_gids(path);
	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/tc/1/traffic_class", rdma);
	read_file(path);
	snprintf(path, sizeof(path), "/sys/kernel/config/rdma_cm/%s/ports/1", rdma);
	read_files(path, rdma_cm_files, COUNT(rdma_cm_files));
}
