#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/devlink.h>
#include <linux/ethtool.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/backends.h"
#include "cli/captured/captured_bundle.h"
#include "cli/losslessctl.h"
#include "cli/sandbox/policy_file.h"
#include "tests/support/unit.h"

struct whole *whole;

char whole_root[] = "/tmp/losslessctl-test-XXXXXX";

/* Keeps the privileges: the test removes its files afterwards. */
static bool enter(struct cli *c, struct err *err)
{
	c->opt.root = whole_root; /* the agent opens a second host to write its files */
	if (c->opt.verb->takes & TAKES_POLICY)
		policy_find(c);
	return !c->opt.state || state_file_open(c, err);
}

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	if (!fake_links(h, ret, err) || !h->link(h, whole->fake.port.ifindex, ret->links, err))
		return false;
	snprintf(ret->links->name, sizeof(ret->links->name), "%.15s", whole->fake.port.id.name);
	return true;
}

static bool ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	static const struct ethtool_drvinfo info = { .driver = "mlx5_core",
						     .bus_info = "0000:01:00.0" };
	uint32_t number;

	memcpy(&number, command, sizeof(number));
	if (number == ETHTOOL_GTUNABLE || number == ETHTOOL_STUNABLE)
		return fake_ethtool(h, port, command, err);
	if (number != ETHTOOL_GDRVINFO || strcmp(port, FAKE_VLAN) == 0)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "not here");
	memcpy(command, &info, sizeof(info));
	return true;
}

/* The fake kernel knows DCB and pause, has no routes, and knows no other message. */
static bool (*fake_talk)(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
			 void *arg, struct err *err);

/* Answers as net/devlink/rate.c of Linux 6.17. */
static bool reply_rate_object(reply_fn *each, void *arg)
{
	char buf[256] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct nlattr *share;

	mnl_nlmsg_put_extra_header(n, sizeof(struct genlmsghdr));
	mnl_attr_put_strz(n, DEVLINK_ATTR_BUS_NAME, "pci");
	mnl_attr_put_strz(n, DEVLINK_ATTR_DEV_NAME, whole->fake.port.id.pci);
	mnl_attr_put_strz(n, DEVLINK_ATTR_RATE_NODE_NAME, whole->rate_object);
	share = mnl_attr_nest_start(n, 180);
	mnl_attr_put_u8(n, 1, 3);
	mnl_attr_put_u32(n, 2, 100);
	mnl_attr_nest_end(n, share);
	return each(n, arg) >= 0;
}

static bool asks_for_rates(enum bus bus, const struct nlmsghdr *n)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(n);

	return bus == BUS_DEVLINK && g->cmd == DEVLINK_CMD_RATE_GET;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	bool knows = request->nlmsg_type == RTM_GETDCB || request->nlmsg_type == RTM_SETDCB ||
		     request->nlmsg_type == RTM_GETROUTE;

	if (whole->rate_object[0] && asks_for_rates(bus, request))
		return reply_rate_object(each, arg);
	if (bus == BUS_ETHTOOL ? mnl_nlmsg_get_payload_len(request) > 64
			       : bus != BUS_ROUTE || !knows)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "not here");
	return fake_talk(h, bus, request, each, arg, err);
}

/* No switch sends LLDP. */
static bool listen_lldp(struct host *h, const struct lldp_listener *l, struct err *err)
{
	(void)h;
	(void)err;
	whole->fake.now += l->wait_ms;
	return true;
}

/* Delivers a signal, as ppoll() does; signals are blocked otherwise. */
void whole_let_signal_in(int number)
{
	sigset_t none, old;

	sigemptyset(&none);
	raise(number);
	sigprocmask(SIG_SETMASK, &none, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static bool open_host(struct cli *c, bool may_write, struct err *err)
{
	if (c->opt.state)
		return captured_host_open(c, err);
	c->outside.ioctl_fd = c->outside.host.root = -1;
	c->h = &whole->fake.host;
	c->h->may_write = may_write;
	c->h->facts.is_kept = true; /* as in host_linux_open() */
	c->engine = cli_engine(c);
	return true;
}

static const struct platform fake_platform = { enter, open_host };

static next_event_fn *played;

static int make(void **s)
{
	static const char *const folders[] = { "run", "run/losslessctl", "var" };
	int root;

	(void)s;
	whole = mmap(NULL, sizeof(*whole), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (whole == MAP_FAILED || !mkdtemp(whole_root))
		return -1;
	root = open(whole_root, O_PATH | O_DIRECTORY);
	for (size_t i = 0; i < COUNT(folders); i++)
		mkdirat(root, folders[i], 0755);
	fake_init(&whole->fake);
	whole->fake.host.root = root;
	whole->fake.host.links = links;
	whole->fake.host.ethtool = ethtool;
	fake_talk = whole->fake.host.talk;
	whole->fake.host.talk = talk;
	whole->fake.host.next_event = played;
	whole->fake.host.listen_lldp = listen_lldp;
	return 0;
}

static int clear_away(void **s)
{
	char command[128];

	(void)s;
	close(whole->fake.host.root);
	snprintf(command, sizeof(command), "rm -r %s", whole_root);
	return system(command);
}

static int agent_output(const char *text)
{
	int fd = memfd_create("paper", 0);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void take_document(int fd, char ret[SAYS_MAX])
{
	ssize_t n = pread(fd, ret, SAYS_MAX - 1, 0);

	ret[n > 0 ? n : 0] = '\0';
	close(fd);
}

static unsigned runs_so_far;

static void child(const struct call *call, const int fds[3])
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS };
	char *argv[COUNT(call->words) + 2] = { "losslessctl" };
	int argc = 1, code;

	/* cmocka's handlers would go on with the next test. */
	for (size_t i = 0; i < COUNT(crashes); i++)
		signal(crashes[i], SIG_DFL);
	for (int i = 0; i < 3; i++)
		dup2(fds[i], i);
	while (argc <= (int)COUNT(call->words) && call->words[argc - 1]) {
		argv[argc] = call->words[argc - 1];
		argc++;
	}
	if (call->begins)
		call->begins(call->arg);
	code = losslessctl(argc, argv, &fake_platform);
	run_facts_forget(&whole->fake.host.facts);
	whole->fake.host.facts.is_kept = false; /* the memory is shared */
	fflush(NULL);
	if (call->ended)
		call->ended(call->arg);
	/* exit() looks for leaks, which takes longer than the run: the short tier looks at some. */
	if (runs_so_far % times(8, 1))
		_exit(code);
	exit(code);
}

void whole_run(const struct call *call, struct end *ret)
{
	int fds[3] = { agent_output(call->input), agent_output(""), agent_output("") }, status = 0;
	pid_t pid;

	whole->rounds = 0;
	runs_so_far++;
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		child(call, fds);
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	ret->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	close(fds[0]);
	take_document(fds[1], ret->out);
	take_document(fds[2], ret->err);
}

bool whole_document(const char *path, char ret[SAYS_MAX])
{
	int fd = openat(whole->fake.host.root, path, O_RDONLY);

	if (fd < 0)
		return false;
	take_document(fd, ret);
	return true;
}

int whole_tests(const char *name, const struct suite *s, next_event_fn *next_event)
{
	played = next_event;
	return _cmocka_run_group_tests(name, s->tests, s->count, make, clear_away);
}
