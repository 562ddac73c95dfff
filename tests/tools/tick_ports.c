/*
 * Takes rounds of samples as the agent does, as fast as possible, for tests:
 * every port is sampled, watched and written to a page. Prints the number of
 * allocations after half of the rounds, the resident memory then and at the end
 * in kB, the milliseconds for a round, and the number of ports with counters of
 * RDMA.
 *
 *   tick_ports ROUNDS PORT...
 */
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "../../agent/daemon/metrics/metrics.h"
#include "../../agent/host/host_linux.h"
#include "../../agent/monitor/sampler.h"
#include "../../dcb/registry.h"
#include "../../policy/model/setting.h"
#include "../../roce/registry.h"
#include "../../policy/util/exit_code.h"

#define PORTS_MAX 16

/* Counts every malloc() in this program; glibc's own does the work. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static unsigned long asked;

void *malloc(size_t size)
{
	asked++;
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	asked++;
	return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	asked++;
	return __libc_realloc(old, size);
}

static const struct counter_reader *const counter_readers[] = { &counter_reader_ethtool,
								&counter_reader_rdma };

static struct {
	struct port ports[PORTS_MAX];
	struct sampled_port sampler[PORTS_MAX];
	struct metered metered[PORTS_MAX];
	size_t count;
	struct config config;
	struct thresholds thresholds;
	struct scratch *scratch;
	char *page;
	size_t room;
} world;

static long resident_kb(void)
{
	char line[128];
	FILE *f = fopen("/proc/self/status", "r");
	long kb = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "RssAnon: %ld", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

/* The RDMA devices are numbered as the ports are. */
static void add_port(const char *name)
{
	struct port *p = &world.ports[world.count];

	snprintf(p->id.name, sizeof(p->id.name), "%s", name);
	snprintf(p->id.rdma, sizeof(p->id.rdma), "mlx5_%zu", world.count);
	snprintf(p->id.driver, sizeof(p->id.driver), "mlx5_core");
	p->ifindex = if_nametoindex(name);
	p->rdma_index = (uint32_t)world.count;
	p->rdma_port = 1;
	world.metered[world.count].port = p->id.name;
	world.metered[world.count].pci = p->id.pci;
	world.metered[world.count].rdma = p->id.rdma;
	world.metered[world.count].compared = true;
	world.metered[world.count++].sample = NULL;
}

static bool sample_port(struct host *h, size_t i, struct err *err)
{
	struct sampled_port *w = &world.sampler[i];
	struct counter_readers all = { counter_readers,
				       sizeof(counter_readers) / sizeof(counter_readers[0]) };
	struct sample s;

	if (!sample_read(h, all, &world.ports[i], world.scratch, &s, err))
		return false;
	if (sampler_add(w, &s, &world.config, &world.config, &world.thresholds)) {
		world.metered[i].active_symptoms = w->active_symptoms;
		world.metered[i].active_symptoms_count = w->active_symptoms_count;
	}
	world.metered[i].sample = &w->last;
	return true;
}

static bool tick(struct host *h, struct err *err)
{
	struct metered_host host = {
		.version = "0", .policy = "p", .sha256 = "0", .verified_at_s = 1, .reloaded = true
	};

	for (size_t i = 0; i < world.count; i++)
		if (!sample_port(h, i, err))
			return false;
	return metrics_write(world.page, world.room, &host, world.metered, world.count) ||
	       err_set(err, ERR_SYSTEM, 0, "the page is full");
}

static size_t with_rdma(void)
{
	size_t n = 0;

	for (size_t i = 0; i < world.count; i++)
		n += world.sampler[i].last.has[counter_slot(COUNT_CNP_SENT, 0)];
	return n;
}

static bool run(struct host *h, long rounds, struct err *err)
{
	unsigned long before = 0;
	long half = 0;
	uint64_t started_at = h->now_ms(h);

	for (long i = 0; i < rounds; i++) {
		if (i == rounds / 2) {
			half = resident_kb(); /* first, because its file allocates memory */
			before = asked;
		}
		if (!tick(h, err))
			return false;
	}
	before = asked - before;
	printf("mallocs %lu half_kb %ld late_kb %ld ms %.2f with_rdma %zu\n", before, half,
	       resident_kb(), (double)(h->now_ms(h) - started_at) / (double)rounds, with_rdma());
	return true;
}

int main(int argc, char **argv)
{
	struct host_linux l;
	struct err err = { 0 };

	if (argc < 3 || argc > 2 + PORTS_MAX)
		return 64;
	/* khugepaged gives half a MiB of a heap 2 MiB, whenever it comes by. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (int i = 2; i < argc; i++)
		add_port(argv[i]);
	world.thresholds = thresholds_defaults();
	world.thresholds.value[THRESHOLD_WINDOW_S] = 1;
	world.config.has = SETTING(SETTING_PFC_PRIORITIES);
	world.config.pfc.priorities = 1u << 3;
	world.scratch = scratch_new();
	world.room = metrics_room(world.count);
	world.page = malloc(world.room);
	if (!host_linux_open(&l, "/", false, &err) ||
	    !run(&l.host, strtol(argv[1], NULL, 10), &err))
		fprintf(stderr, "%s: %s\n", err.where, err.text);
	host_linux_close(&l);
	return exit_code_of_err(&err);
}
