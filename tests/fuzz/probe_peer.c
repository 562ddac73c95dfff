/* Fuzz target: the messages of a probe's remote end, to the asking end or to the serving end. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../agent/engine/backends.h"
#include "../../cli/probe/probe_plan.h"
#include "../../cli/probe/probe_server.h"
#include "fuzz.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static uint64_t now_ms(struct host *h)
{
	(void)h;
	return 1000;
}

static bool read_counters(struct host *h, const struct port *port, struct scratch *s,
			  struct sample *ret, struct err *err)
{
	(void)h;
	(void)port;
	(void)s;
	(void)ret;
	(void)err;
	return true;
}

static struct host host = { .now_ms = now_ms };
static const struct counter_reader reader = { .name = "none", .read = read_counters };
static const struct counter_reader *const readers[] = { &reader };
static const struct backends backends = { .counter_readers = { readers, 1 } };
static const struct engine engine = { .h = &host, .backends = &backends };

static bool ends_within(const char *text, size_t size)
{
	return strnlen(text, size) < size;
}

static void judge_port(const struct probe_port *p)
{
	MUST(ends_within(p->name, sizeof(p->name)) && ends_within(p->device, sizeof(p->device)));
	MUST(ends_within(p->address, sizeof(p->address)));
	MUST(ends_within(p->lacks, sizeof(p->lacks)) && ends_within(p->busy, sizeof(p->busy)));
	MUST(p->ib_port <= 255 && p->gid_index <= 255);
}

/* The remote end's address becomes a word of perftest's command line. */
static void judge_words(const struct probe_port *p)
{
	struct perftest run = { .ib_port = 1, .tcp_port = 18515, .messages = 500, .size = 4096 };
	struct perftest_words words;
	struct err err = { 0 };

	snprintf(run.device, sizeof(run.device), "%s", p->device);
	snprintf(run.peer, sizeof(run.peer), "%s", p->address);
	if (!perftest_check(&run, &err))
		return;
	perftest_write_words(&run, &words);
	MUST(words.count <= PERFTEST_WORDS_MAX && !words.list[words.count]);
	for (size_t i = 0; i + !!run.peer[0] < words.count; i++)
		MUST(words.list[i][0] == '-');
	MUST(!run.peer[0] || words.list[words.count - 1][0] != '-');
}

static void judge_counts(const struct probe_port *p, const struct probe_counts far[PROBE_TIMES])
{
	const struct probe_direction d = {
		.sender = probe_end_from(&p->actual, true, far),
		.receiver = probe_end_from(&p->actual, false, far),
		.traffic_class = 106,
		.pcp = 3,
		.min_share = 0.99,
	};
	struct probe_judgement j = probe_judge(&d);

	MUST(j.verdict < PROBE_VERDICTS);
	for (int end = 0; end < 2; end++) {
		MUST(j.measured[end] >= -1 && j.measured[end] < PRIOS);
		MUST(j.expected[end] >= -1 && j.expected[end] < PRIOS);
		MUST(j.share[end] >= 0 && j.share[end] <= 1);
	}
}

static bool receive_counts(struct peer_line *l, struct probe_counts *ret, struct err *err)
{
	json_t *j;
	bool ok = peer_line_receive(l, 1000, &j, err) && probe_counts_from_json(j, ret, err);

	json_decref(j);
	return ok;
}

/* The caller owns the line, so remove it from the endpoint before freeing that. */
static void ask(struct peer_line *l, struct err *err)
{
	struct probe_endpoint *p = calloc(1, sizeof(*p));
	struct probe_endpoints all = { p, p ? 1 : 0 };
	struct probe_counts far[PROBE_TIMES];
	bool ok;

	MUST(p);
	*p = (struct probe_endpoint){ .address = "gpu-17", .line = *l, .messages = -1 };
	probe_endpoints_greet(&all, "token", &host);
	for (size_t i = 0; i < p->ports_count; i++) {
		judge_port(&p->ports[i]);
		judge_words(&p->ports[i]);
	}
	ok = probe_endpoint_is_there(p);
	MUST(ok || p->why.text[0]);
	for (unsigned time = 0; ok && time < PROBE_TIMES; time++)
		ok = receive_counts(&p->line, &far[time], err);
	if (ok && p->ports_count)
		judge_counts(&p->ports[0], far);
	MUST(ok || p->why.kind != ERR_NONE || err->text[0]);
	*l = p->line;
	p->line = (struct peer_line){ .in = -1, .out = -1 };
	probe_endpoints_free(&all);
}

/* No run can start, because the worker has no helper. */
static void serve(struct peer_line *l, const char *token, struct err *err)
{
	struct target target = { .task = { .port = { .id = { .name = "ens1f0np0" } } } };
	struct probe_port port = { .name = "ens1f0np0", .device = "mlx5_0", .ib_port = 1 };
	const struct probe_host h = { .e = &engine, .targets = { &target, 1 }, .ports = &port };
	struct probe_worker worker = { .host = &h, .helper = -1, .other = l };
	const struct probe_server s = { .worker = &worker, .line = l };
	json_auto_t *hello = NULL;
	bool ok = probe_let_in(l, token, HELLO_MS, &hello, err) && probe_serve(&s, hello, err);

	MUST(ok == (err->kind == ERR_NONE));
	MUST(ok || err->text[0]);
}

/*
 * The first byte of the input selects the end: 'a' asks, 't' serves for a token, and any other byte
 * serves behind ssh.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int in = memfd_create("peer", MFD_CLOEXEC), out = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct err err = { 0 };
	struct peer_line line;

	MUST(in >= 0 && out >= 0 && peer_line_open(&line, in, out, &err));
	if (size > 1)
		MUST(pwrite(in, data + 1, size - 1, 0) == (ssize_t)size - 1);
	if (size && data[0] == 'a')
		ask(&line, &err);
	else
		serve(&line, size && data[0] == 't' ? TOKEN : NULL, &err);
	if (line.in >= 0) {
		close(line.in);
		close(line.out);
	}
	peer_line_close(&line);
	return 0;
}
