#include "perftest.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool has_only(const char *text, size_t size, const char *characters)
{
	size_t n = strnlen(text, size);

	return n < size && strspn(text, characters) == n;
}

#define DIGITS	"0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_address(const char *text)
{
	struct in6_addr any;

	return strnlen(text, PERFTEST_ADDRESS_MAX) < PERFTEST_ADDRESS_MAX &&
	       (inet_pton(AF_INET, text, &any) == 1 || inet_pton(AF_INET6, text, &any) == 1);
}

/* A word that begins with "-" would be an option. */
static bool has_names(const struct perftest *p)
{
	return p->device[0] && p->device[0] != '-' &&
	       has_only(p->device, sizeof(p->device), LETTERS DIGITS "_-.") &&
	       (!p->peer[0] || is_address(p->peer));
}

bool perftest_check(const struct perftest *p, struct err *err)
{
	const struct {
		const char *what;
		uint32_t value, least, most;
	} rows[] = {
		{ "path", p->path, 0, PROBE_PATHS - 1 },
		{ "port of the RDMA device", p->ib_port, 1, 255 },
		{ "GID index", p->gid_index, 0, 255 },
		{ "traffic class", p->traffic_class, 0, 255 },
		{ "TCP port", p->tcp_port, 1024, 65535 },
		{ "number of messages", p->messages, PERFTEST_MESSAGES_MIN, PERFTEST_MESSAGES_MAX },
		{ "size of messages", p->size, 1, PERFTEST_SIZE_MAX },
	};

	if (p->asks_help)
		return true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value < rows[i].least || rows[i].value > rows[i].most)
			return err_set(err, ERR_USAGE, EINVAL, "%s %u is not in %u to %u",
				       rows[i].what, rows[i].value, rows[i].least, rows[i].most);
	if ((uint64_t)p->messages * p->size > PERFTEST_BYTES_MAX)
		return err_set(err, ERR_USAGE, EINVAL, "one run may carry %u MiB at most",
			       PERFTEST_BYTES_MAX >> 20);
	return has_names(p) || err_set(err, ERR_USAGE, EINVAL,
				       "no name of an RDMA device, or no "
				       "address");
}

static void __attribute__((format(printf, 2, 3)))
add(struct perftest_words *w, const char *fmt, ...)
{
	char *word = w->text + w->used;
	va_list args;

	va_start(args, fmt);
	vsnprintf(word, sizeof(w->text) - w->used, fmt, args);
	va_end(args);
	w->used += strlen(word) + 1;
	w->list[w->count++] = word;
	w->list[w->count] = NULL;
}

/* The way in which the class is set: --tclass is for queue pairs made without rdma_cm. */
static void add_path(const struct perftest *p, struct perftest_words *w)
{
	if (p->path == PROBE_VERBS || p->path == PROBE_GPU) {
		add(w, "--tclass=%u", p->traffic_class);
		add(w, "--gid-index=%u", p->gid_index);
		if (p->path == PROBE_GPU)
			add(w, PERFTEST_GPU_OPTION "=0");
		return;
	}
	add(w, "--rdma_cm");
	if (p->path == PROBE_RDMA_CM_TOS)
		add(w, "--tos=%u", p->traffic_class);
}

void perftest_write_words(const struct perftest *p, struct perftest_words *ret)
{
	ret->count = ret->used = 0;
	if (p->asks_help) {
		add(ret, "--help");
		return;
	}
	add(ret, "--CPU-freq"); /* no warning about the processor's frequency */
	add(ret, "--ib-dev=%s", p->device);
	add(ret, "--ib-port=%u", p->ib_port);
	add(ret, "--port=%u", p->tcp_port);
	add(ret, "--size=%u", p->size);
	add(ret, "--iters=%u", p->messages);
	add_path(p, ret);
	if (p->peer[0])
		add(ret, "%s", p->peer);
}
