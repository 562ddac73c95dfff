/*
 * The judgement of `rdma_topo check` (rdma-core, kernel-boot/rdma_topo). NVIDIA's platforms where
 * adapter and GPU share a switch want some bits of ACS on and others off; it knows which.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "gpu_list.h"
#include "rdma_topo.h"

_Static_assert(sizeof(struct rdma_topo) <= FACT_BYTES, "a run remembers it");

/* Its lines begin so. */
#define OK    "OK\t"
#define FAIL  "FAIL\t"
#define ERROR "E: "
#define ACS   "ACS for "

static bool begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/* Copies a line, of which the terminal gets printable characters alone. */
static size_t copy_line(char *ret, size_t size, const char *line)
{
	size_t n = 0;

	for (; line[n] && line[n] != '\n' && n + 1 < size; n++)
		ret[n] = line[n] >= ' ' && line[n] <= '~' ? line[n] : '?';
	ret[n] = '\0';
	return n;
}

/* Lines of a kind, and the first of them without its beginning. */
struct lines {
	size_t count;
	const char *first;
};

static struct lines lines_of(const char *text, const char *kind)
{
	struct lines all = { 0, NULL };

	for (const char *line = text; *line; line = next_line(line))
		if (begins(line, kind) && !all.count++)
			all.first = line + strlen(kind);
	return all;
}

/* The first words are those of rdma-core 61. */
static bool is_unknown_platform(const char *error)
{
	return begins(error, "No ConnectX DMA Direct functions detected") ||
	       begins(error, "No supported topology detected");
}

static const char *last_line(const char *text)
{
	const char *last = text;

	for (const char *line = text; *line; line = next_line(line))
		if (*line != '\n')
			last = line;
	return last;
}

/* Version 61 ends at the first failure, later ones report them all. */
static void set_failure(struct rdma_topo *ret, const struct lines *failures)
{
	size_t n = copy_line(ret->text, sizeof(ret->text) - 16, failures->first);

	ret->status = READY_MET;
	if (failures->count > 1)
		snprintf(ret->text + n, sizeof(ret->text) - n, " (and %zu more)",
			 failures->count > 999 ? 999 : failures->count - 1);
}

struct rdma_topo rdma_topo_from_text(const struct tool_output *output)
{
	const char *text = output->text;
	struct lines good = lines_of(text, OK), failures = lines_of(text, FAIL),
		     errors = lines_of(text, ERROR);
	struct rdma_topo ret = { .status = READY_UNKNOWN };

	ret.judges_acs = lines_of(text, OK ACS).count || lines_of(text, FAIL ACS).count;
	if (failures.count) {
		set_failure(&ret, &failures);
	} else if (errors.count) {
		if (is_unknown_platform(errors.first))
			ret.status = READY_NOT_APPLICABLE;
		copy_line(ret.text, sizeof(ret.text), errors.first);
	} else if (good.count && !output->failed) {
		ret.status = READY_MET;
		ret.passed = true;
	} else {
		copy_line(ret.text, sizeof(ret.text), last_line(text));
	}
	if (!ret.passed && !ret.text[0])
		snprintf(ret.text, sizeof(ret.text), "it gave no reason");
	return ret;
}

static bool is_installed(struct host *h)
{
	return host_has_file(h, RDMA_TOPO_PATH) || host_has_file(h, RDMA_TOPO_PATH_2);
}

/* Every platform that it knows has NVIDIA GPUs. */
static bool has_nvidia_gpu(struct host *h)
{
	struct err quiet = { 0 };
	struct gpus gpus = { .count = 0 };

	return gpus_list(h, &gpus, &quiet) && gpus.has_nvidia;
}

static struct rdma_topo not_applicable(const char *why)
{
	struct rdma_topo t = { .status = READY_NOT_APPLICABLE };

	snprintf(t.text, sizeof(t.text), "%s", why);
	return t;
}

static struct rdma_topo ask(struct host *h)
{
	_free_ struct tool_output *output = NULL;
	struct rdma_topo t = { .status = READY_UNKNOWN };
	struct err err = { 0 };

	if (!is_installed(h))
		return not_applicable("rdma_topo is not installed (rdma-core 61 or later)");
	if (!has_nvidia_gpu(h))
		return not_applicable("the host has no GPU of NVIDIA");
	output = calloc(1, sizeof(*output));
	if (output && host_run_tool(h, TASK_RDMA_TOPO, "", output, &err))
		return rdma_topo_from_text(output);
	t.needs_root = err.kind == ERR_DENIED;
	copy_line(t.text, sizeof(t.text), output ? err.text : "out of memory");
	return t;
}

struct rdma_topo rdma_topo_judgement(struct host *h)
{
	struct rdma_topo t;

	if (run_fact_recall(&h->facts, FACT_RDMA_TOPO, &t, sizeof(t)))
		return t;
	t = ask(h);
	run_fact_remember(&h->facts, FACT_RDMA_TOPO, &t, sizeof(t));
	return t;
}
