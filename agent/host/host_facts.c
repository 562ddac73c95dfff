#include "host_facts.h"

#include <stdio.h>
#include <string.h>

#include "kernel_fault.h"

_Static_assert(sizeof(struct host_facts) <= FACT_BYTES, "a run remembers them");

const char *mlx5_source_name(enum mlx5_source source)
{
	static const char *const names[] = {
		[MLX5_INBOX] = "inbox",
		[MLX5_RHEL] = "rhel",
		[MLX5_NVIDIA] = "nvidia",
	};

	return names[source];
}

/* The file has all levels, the one in force in brackets. */
static void read_lockdown(struct host *h, char *ret, size_t size)
{
	struct err quiet = { 0 };
	char levels[64], *start, *end;

	if (!host_read_file(h, levels, sizeof(levels), &quiet, "/sys/kernel/security/lockdown"))
		return;
	start = strchr(levels, '[');
	end = start ? strchr(start, ']') : NULL;
	if (end)
		snprintf(ret, size, "%.*s", (int)(end - start - 1), start + 1);
}

bool host_is_locked_down(struct host *h)
{
	char level[LOCKDOWN_MAX] = "";

	read_lockdown(h, level, sizeof(level));
	return strcmp(level, "integrity") == 0 || strcmp(level, "confidentiality") == 0;
}

struct mlx5_version {
	bool is_known;
	char text[sizeof(((struct host_facts *)0)->mlx5_version)];
};

static struct mlx5_version read_version(struct host *h)
{
	struct mlx5_version v = { false };
	struct err quiet = { 0 };

	if (run_fact_recall(&h->facts, FACT_MLX5_VERSION, &v, sizeof(v)))
		return v;
	v.is_known =
		host_read_file(h, v.text, sizeof(v.text), &quiet, "/sys/module/mlx5_core/version");
	run_fact_remember(&h->facts, FACT_MLX5_VERSION, &v, sizeof(v));
	return v;
}

bool host_has_nvidia_driver(struct host *h)
{
	return read_version(h).is_known;
}

/* Red Hat carries newer code in older kernels. */
static enum mlx5_source find_source(struct host *h, struct host_facts *p)
{
	struct mlx5_version version = read_version(h);

	if (version.is_known) {
		snprintf(p->mlx5_version, sizeof(p->mlx5_version), "%s", version.text);
		return MLX5_NVIDIA;
	}
	return strstr(p->kernel, ".el") ? MLX5_RHEL : MLX5_INBOX;
}

/* Reads a file of /proc/sys/kernel; "" if it cannot be read. */
static void read_uname(struct host *h, char *ret, size_t size, const char *name)
{
	struct err quiet = { 0 };

	if (!host_read_file(h, ret, size, &quiet, "/proc/sys/kernel/%s", name))
		ret[0] = '\0';
}

void host_facts_read(struct host *h, struct host_facts *ret)
{
	char version[128];

	if (run_fact_recall(&h->facts, FACT_HOST, ret, sizeof(*ret)))
		return;
	*ret = (struct host_facts){ .mlx5 = MLX5_INBOX };
	read_uname(h, ret->kernel, sizeof(ret->kernel), "osrelease");
	read_uname(h, version, sizeof(version), "version");
	read_lockdown(h, ret->lockdown, sizeof(ret->lockdown));
	ret->mlx5 = find_source(h, ret);
	ret->slows_mlx5 = ret->mlx5 == MLX5_INBOX && kernel_slows_mlx5(ret->kernel, version);
	run_fact_remember(&h->facts, FACT_HOST, ret, sizeof(*ret));
}
