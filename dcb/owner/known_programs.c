#include "known_programs.h"

#include <string.h>

#include "../../agent/host/proc/process.h"

/* Those of find_writers.c and of capabilities.c. */
static const char *const known[] = { "nic-configuration-daemon",
				     "dmsd",
				     "sriov-network-config-daemon",
				     "doca_spcx_cc",
				     "doca_pcc",
				     NULL };

/* Returns a bit for each of the names that is known. */
static uint32_t bits_of(const char *const *names)
{
	uint32_t bits = 0;

	for (size_t i = 0; known[i]; i++)
		for (size_t k = 0; names[k]; k++)
			bits |= strcmp(known[i], names[k]) == 0 ? 1u << i : 0;
	return bits;
}

static void note_process(const struct process *p, void *arg)
{
	uint32_t *running = arg;
	const char *const name[] = { p->name, NULL };

	*running |= bits_of(name);
}

bool known_programs_run(struct host *h, const char *const *names)
{
	uint32_t running = 0;

	if (!run_fact_recall(&h->facts, FACT_KNOWN_PROGRAMS, &running, sizeof(running))) {
		/* A host that hides its processes has none to name. */
		(void)!process_each_of(h, known, note_process, &running);
		run_fact_remember(&h->facts, FACT_KNOWN_PROGRAMS, &running, sizeof(running));
	}
	return running & bits_of(names);
}
