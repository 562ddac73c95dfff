#include "lying_helper.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static bool answer(int line, enum lie lie, const struct helper_answer *a, struct helper_head head)
{
	char half = 0;

	head.number += lie == OF_AN_EARLIER_QUESTION;
	head.sha256[5] += lie == ABOUT_ANOTHER_TEXT;
	head.task += lie == OF_ANOTHER_TASK;
	if (lie != TOO_LONG && lie != TOO_SHORT && lie != HALF)
		return helper_reply(line, &head, a);
	head.size = lie == TOO_LONG ? (uint32_t)(sizeof(a->result) + a->text_max + 1)
		    : lie == HALF   ? (uint32_t)(sizeof(a->result) + a->text_size)
				    : (uint32_t)sizeof(a->result) - 1;
	return send(line, &head, sizeof(head), MSG_NOSIGNAL) > 0 &&
	       send(line, &half, 1, MSG_NOSIGNAL) > 0 && lie != HALF;
}

static void serve(int line, enum lie lie, const struct helper_answer *a, unsigned after_ms)
{
	static char question[1 << 20];
	struct helper_head head;

	while (helper_next(line, question, sizeof(question), &head) && lie != ENDS) {
		usleep(1000 * after_ms);
		if (lie != SILENT && !answer(line, lie, a, head))
			return;
	}
}

int lying_helper_start(enum lie lie, const struct helper_answer *a, unsigned after_ms)
{
	int line[2];
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(line[0]);
		serve(line[1], lie, a, after_ms);
		_exit(0);
	}
	close(line[1]);
	return line[0];
}

void lying_helper_end(int line)
{
	close(line);
	while (wait(NULL) < 0)
		;
}
