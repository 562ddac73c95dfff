/* Tests of lldpad's socket, in a network namespace of its own: an answer's sender and text. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/lldpad_host.h"
#include "tests/support/unit.h"

#define NOBODY 65534

static bool can_be(uid_t uid)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(setuid(uid) < 0);
	return waitpid(pid, &status, 0) == pid && status == 0;
}

static void an_answer_of_root_is_taken(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	open_lldpad_host();
	assert_true(ask_once("R00PPONG42", 10, 0, reply, &err));
	assert_string_equal(reply, "R00PPONG42");
}

static void an_answer_of_another_user_is_not(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	if (!can_be(NOBODY))
		skip();
	open_lldpad_host();
	assert_false(ask_once("R00PPONG42", 10, NOBODY, reply, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_non_null(strstr(err.text, "a process of user 65534 answers on lldpad's socket"));
}

static void an_answer_that_is_cut_short_is_not(void **s)
{
	static const char long_text[] = "R00PPONG4200000000000000000000000000000000000000000";
	struct err err = { 0 };
	char reply[32];

	(void)s;
	open_lldpad_host();
	assert_false(ask_once(long_text, sizeof(long_text) - 1, 0, reply, &err));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(err.code, EMSGSIZE);
}

static void an_answer_with_a_zero_in_it_is_not(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	open_lldpad_host();
	assert_false(ask_once("R00P\0ONG42", 10, 0, reply, &err));
	assert_int_equal(err.code, EPROTO);
}

static void an_empty_answer_is_an_empty_text(void **s)
{
	struct err err = { 0 };
	char reply[32] = "old";

	(void)s;
	open_lldpad_host();
	assert_true(ask_once("", 0, 0, reply, &err));
	assert_string_equal(reply, "");
}

static void nobody_is_missing(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	open_lldpad_host();
	assert_false(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_MISSING);
	host_linux_close(&lldpad_host);
}

static const struct request_row {
	const char *sentence, *request;
	bool reads;
} requests[] = {
	{ "a ping reads", "P", true },
	{ "statistics read", "M00000001C3000000000003veB00", true },
	{ "getting a TLV reads", "M00000001C3010000000203veA000000007f", true },
	{ "getting adminStatus reads", "M00000001C3030000000403veB000badminstatus", true },
	{ "setting a TLV changes", "M00000001C3020000000c03veB000080c20b07willing0002no", false },
	{ "setting adminStatus changes", "M00000001C3040000000c03veB000badminstatus0004rxtx",
	  false },
	{ "another module changes", "M001b2102C3010000000203veA000000007f", false },
	{ "another version changes", "M00000001C2010000000203veA0000007f", false },
	{ "the old messages change", "C301fe", false },
	{ "attaching changes", "A", false },
	{ "more than a ping changes", "PP", false },
	{ "nothing changes", "", false },
};

static bool never(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	(void)h;
	(void)request;
	(void)err;
	snprintf(reply, size, "reached");
	return true;
}

static void only_readers_pass_a_host_that_may_not_write(void **s)
{
	const struct request_row *row = *s;
	struct host h = { .ask_lldpad = never };
	struct err err = { 0 };
	char reply[16] = "";

	assert_int_equal(host_ask_lldpad(&h, row->request, reply, sizeof(reply), &err), row->reads);
	assert_string_equal(reply, row->reads ? "reached" : "");
	assert_int_equal(err.kind, row->reads ? ERR_NONE : ERR_REFUSED);
	h.may_write = true;
	assert_true(host_ask_lldpad(&h, row->request, reply, sizeof(reply), &err));
}

int main(void)
{
	static struct suite s;

	is_alone = leave_network();
	SUITE_ADD(&s, an_answer_of_root_is_taken);
	SUITE_ADD(&s, an_answer_of_another_user_is_not);
	SUITE_ADD(&s, an_answer_that_is_cut_short_is_not);
	SUITE_ADD(&s, an_answer_with_a_zero_in_it_is_not);
	SUITE_ADD(&s, an_empty_answer_is_an_empty_text);
	SUITE_ADD(&s, nobody_is_missing);
	SUITE_ADD_ROWS(&s, requests, only_readers_pass_a_host_that_may_not_write);
	return suite_run(&s, "lldpad_socket");
}
