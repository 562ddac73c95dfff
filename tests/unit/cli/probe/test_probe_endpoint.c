/* Tests of a probe's peer from its answer to hello: a host with ports, or a reason. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/probe/probe_endpoint.h"
#include "tests/support/unit.h"

#define REST "\"host\":\"gpu-17\",\"uses_gpu\":false,\"ports\":["

static uint64_t now_ms(struct host *h)
{
	(void)h;
	return 1000;
}

static const struct answer_row {
	const char *sentence, *answer;
	enum err_kind kind;
	const char *why;
} answers[] = {
	{ "a host without ports is there", "{\"protocol\":1,\"version\":\"0.1.0\"," REST "]}",
	  ERR_NONE, "" },
	{ "another protocol is another release", "{\"protocol\":2,\"version\":\"0.9.0\"," REST "]}",
	  ERR_REFUSED, "the other end has losslessctl 0.9.0, this end " },
	{ "so is none", "{" REST "]}", ERR_REFUSED, "the other end has losslessctl of another" },
	{ "a protocol as text is none", "{\"protocol\":\"1\"," REST "]}", ERR_REFUSED,
	  "install the same release" },
	{ "a long version is cut",
	  "{\"protocol\":2,\"version\":\"0.9.0-1234567890123456789012345678901234567890\"}",
	  ERR_REFUSED, "0.9.0-12345678901234567890123456, this end" },
	{ "ports that are no list are refused", "{\"protocol\":1,\"host\":\"gpu-17\",\"ports\":{}}",
	  ERR_POLICY, "lists no ports" },
	{ "a name that is a number is refused", "{\"protocol\":1,\"host\":17,\"ports\":[]}",
	  ERR_POLICY, "found the number 17" },
	{ "a refusal is the reason", "{\"error\":\"the token is wrong\"}", ERR_REFUSED,
	  "the token is wrong" },
};

static void is_greeted_so(void **state)
{
	const struct answer_row *row = *state;
	struct probe_endpoint *p = calloc(1, sizeof(*p));
	struct probe_endpoints all = { p, 1 };
	struct host host = { .now_ms = now_ms };
	struct err err = { 0 };
	int fds[2];

	assert_non_null(p);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	*p = (struct probe_endpoint){ .address = "gpu-17", .messages = -1 };
	assert_true(peer_line_open(&p->line, fds[0], fds[0], &err));
	assert_int_equal(dprintf(fds[1], "%s\n", row->answer), strlen(row->answer) + 1);
	probe_endpoints_greet(&all, NULL, &host);
	assert_int_equal(p->why.kind, row->kind);
	if (!strstr(p->why.text, row->why))
		fail_msg("\"%s\" is not in \"%s\"", row->why, p->why.text);
	assert_int_equal(probe_endpoint_is_there(p), row->kind == ERR_NONE);
	probe_endpoints_free(&all);
	close(fds[1]);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, answers, is_greeted_so);
	return suite_run(&s, "probe_endpoint");
}
