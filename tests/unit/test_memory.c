/*
 * Every allocation of a verb fails, once or from there on: no crash, no leak, a documented exit
 * code, and nothing said that is not so. The whole program runs, with the fake kernel behind its
 * doors, in a process of its own each time.
 */
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cli/cli.h"
#include "../../cli/policy_file.h"
#include "scarce.h"
#include "unit.h"
#include "wish.h"

#undef main

/* glibc keeps a name that it found no room to note; and a leak has a code of its own. */
const char *__lsan_default_suppressions(void);
const char *__asan_default_options(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:_nl_normalize_codeset\n";
}

const char *__asan_default_options(void)
{
	return "exitcode=99";
}

int losslessctl(int argc, char **argv);
bool __wrap_cli_open_host(struct cli *c, bool may_write, struct err *err);
bool __real_host_linux_open(struct host_linux *l, const char *root, bool may_write,
			    struct err *err);
bool __wrap_host_linux_open(struct host_linux *l, const char *root, bool may_write,
			    struct err *err);
bool __wrap_begin(struct cli *c, struct err *err);

#define SAYS_MAX 65536
#define WANT \
	"{\"mtu\": 9000, \"pause\": {\"rx\": false, \"tx\": false}, \"pfc\": {\"priorities\": " \
	"[3]}," \
	" \"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}"

static const char policy[] =
	"{\"version\": 1, \"profiles\": {\"p\": " WANT "}, \"ports\": [{\"match\": {\"name\": "
	"\"ens*\"}, \"profile\": \"p\", \"set\": {\"mtu\": 9000}}]}";

/* What both processes see. */
static struct shared {
	struct fake fake;
	unsigned allocations, rounds;
} * shared;

static char root_name[] = "/tmp/losslessctl-test-XXXXXX";

/* Privileges are kept: whoever cleans up has need of them. */
bool __wrap_begin(struct cli *c, struct err *err)
{
	(void)err;
	if (c->opt.verb->takes & TAKES_POLICY)
		policy_find(c);
	return true;
}

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	*ret = (struct link_list){ calloc(1, sizeof(*ret->links)), 1 };
	if (!ret->links)
		return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
	if (!h->link(h, shared->fake.port.ifindex, ret->links, err))
		return false;
	snprintf(ret->links->name, sizeof(ret->links->name), "%.15s", shared->fake.port.id.name);
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
	if (number != ETHTOOL_GDRVINFO)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "not here");
	memcpy(command, &info, sizeof(info));
	return true;
}

/* The fake kernel knows DCB and pause, and no other message. */
static bool (*fake_talk)(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
			 void *arg, struct err *err);

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	bool dcb = request->nlmsg_type == RTM_GETDCB || request->nlmsg_type == RTM_SETDCB;

	if (bus == BUS_ETHTOOL ? mnl_nlmsg_get_payload_len(request) > 64 : bus != BUS_ROUTE || !dcb)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "not here");
	return fake_talk(h, bus, request, each, arg, err);
}

/* As ppoll() does; they wait otherwise. */
static void let_signal_in(int number)
{
	sigset_t none, old;

	sigemptyset(&none);
	raise(number);
	sigprocmask(SIG_SETMASK, &none, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

/* Three rounds are enough for an agent. */
static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	(void)h;
	(void)err;
	shared->fake.now += wait_ms;
	*ret = (struct event){ .kind = EVENT_NONE };
	if (wait_ms && ++shared->rounds >= 3)
		let_signal_in(SIGTERM);
	else if (wait_ms)
		*ret = (struct event){ .kind = EVENT_DCB, .ifindex = shared->fake.port.ifindex };
	return true;
}

bool __wrap_cli_open_host(struct cli *c, bool may_write, struct err *err)
{
	(void)err;
	c->outside.ioctl_fd = c->outside.host.root = -1;
	c->h = &shared->fake.host;
	c->h->may_write = may_write;
	return true;
}

bool __wrap_host_linux_open(struct host_linux *l, const char *root, bool may_write, struct err *err)
{
	(void)root;
	return __real_host_linux_open(l, root_name, may_write, err);
}

static int make_root(void **s)
{
	static const char *const folders[] = { "run", "run/losslessctl", "var" };
	int root;

	(void)s;
	if (!mkdtemp(root_name))
		return -1;
	root = open(root_name, O_PATH | O_DIRECTORY);
	for (size_t i = 0; i < COUNT(folders); i++)
		mkdirat(root, folders[i], 0755);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	fake_init(&shared->fake);
	shared->fake.host.root = root;
	shared->fake.host.links = links;
	shared->fake.host.ethtool = ethtool;
	shared->fake.host.next_event = next_event;
	fake_talk = shared->fake.host.talk;
	shared->fake.host.talk = talk;
	return shared == MAP_FAILED ? -1 : 0;
}

static int remove_root(void **s)
{
	char command[128];

	(void)s;
	close(shared->fake.host.root);
	snprintf(command, sizeof(command), "rm -r %s", root_name);
	return system(command);
}

/* One verb, and what is on the port before: as it comes, or as wished. */
struct sight {
	const char *sentence;
	char *words[8];
	int code;  /* of a clean run */
	bool done; /* the port is as wished already */
};

struct end {
	int code; /* of the exit; -1: killed */
	char out[SAYS_MAX], err[SAYS_MAX];
};

static int paper(const char *text)
{
	int fd = memfd_create("paper", 0);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void take_paper(int fd, char ret[SAYS_MAX])
{
	ssize_t n = pread(fd, ret, SAYS_MAX - 1, 0);

	ret[n > 0 ? n : 0] = '\0';
	close(fd);
}

static void child(const struct sight *g, const int fds[3], unsigned n, bool for_good)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS };
	char *argv[COUNT(g->words) + 2] = { "losslessctl" };
	int argc = 1, code;

	/* cmocka would go on with the next test. */
	for (size_t i = 0; i < COUNT(crashes); i++)
		signal(crashes[i], SIG_DFL);
	for (int i = 0; i < 3; i++)
		dup2(fds[i], i);
	while (argc <= (int)COUNT(g->words) && g->words[argc - 1]) {
		argv[argc] = g->words[argc - 1];
		argc++;
	}
	scarce_begin(n, for_good);
	code = losslessctl(argc, argv);
	fflush(NULL);
	shared->allocations = scarce_end();
	exit(code);
}

static void run(const struct sight *g, unsigned n, bool for_good, struct end *ret)
{
	int fds[3] = { paper(policy), paper(""), paper("") }, status = 0;
	pid_t pid;

	shared->rounds = 0;
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		child(g, fds, n, for_good);
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	ret->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	close(fds[0]);
	take_paper(fds[1], ret->out);
	take_paper(fds[2], ret->err);
}

/* The verdict stands, but its report could not be written down, and that is said. */
static bool is_lost(const struct end *e)
{
	return !e->out[0] && strstr(e->err, "standard output: Cannot allocate memory");
}

/* Does the last word of the agent say so? Takes it away. */
static bool tells_of_drift(void)
{
	char status[SAYS_MAX];
	int fd = openat(shared->fake.host.root, "run/losslessctl/status.json", O_RDONLY);

	if (fd < 0)
		return false;
	take_paper(fd, status);
	unlinkat(shared->fake.host.root, "run/losslessctl/status.json", 0);
	return !strstr(status, "\"verdict\": \"ok\"") && strstr(status, "\"drift\"");
}

/* A port that was set up, and a journal that could not be told so, is said to be. */
static const char *false_apply(const struct end *e, const struct hardware *before)
{
	struct config want = wish(WANT);

	if (hardware_has(&shared->fake.hw, &want))
		return e->code == 0 || strstr(e->err, "in the journal") ? NULL : "failed, but done";
	if (e->code == 0)
		return "called applied, and it is not";
	return hardware_is(&shared->fake.hw, before) ? NULL : "it failed half way";
}

/* What says all that a clean run says is one; else it failed, and tells why. */
static const char *false_end(const struct sight *g, const struct end *clean, const struct end *e,
			     const struct hardware *before)
{
	bool says_all = strcmp(e->out, clean->out) == 0 || is_lost(e);

	if (strcmp(g->words[0], "agent") == 0 && tells_of_drift())
		return "drift that is not there";
	if (e->code == clean->code)
		return says_all ? NULL : "it says less, and calls it all";
	if (e->code == -1)
		return "it crashed";
	if (e->code != 1 && e->code != 3)
		return "a code that cannot be";
	if (!strstr(e->err, "emory") && !strstr(e->out, "emory"))
		return "it does not say what failed";
	return strcmp(g->words[0], "apply") == 0 ? false_apply(e, before) : NULL;
}

/* No journal of an earlier verb is left. */
static void forget_files(void)
{
	for (size_t i = 0; i < FAKE_FILES; i++)
		if (strstr(shared->fake.files[i].path, "losslessctl"))
			shared->fake.files[i].path[0] = '\0';
}

/* From one allocation to a later one, as the tier has time for. */
static unsigned sweep(const struct sight *g, const struct end *clean, unsigned count, bool for_good)
{
	static struct end end;
	const struct fake first = shared->fake;
	unsigned step = (unsigned)times(1 + count / 16, 1), runs = 0;

	for (unsigned n = 1; n <= count; n += step, runs++) {
		const char *lie;

		run(g, n, for_good, &end);
		lie = false_end(g, clean, &end, &first.hw);
		if (lie)
			fail_msg("allocation %u%s: %s: code %d: %s", n,
				 for_good ? " and all after it" : "", lie, end.code,
				 end.err[0] ? end.err : end.out);
		shared->fake = first;
	}
	return runs;
}

static void any_allocation_may_fail(void **state)
{
	const struct sight *g = *state;
	struct config want = wish(WANT);
	static struct end clean;
	struct fake first;
	struct result r;
	unsigned count, runs;

	forget_files();
	if (g->done)
		go(&shared->fake, &want, &r);
	first = shared->fake;
	run(g, 0, false, &clean);
	assert_int_equal(clean.code, g->code);
	shared->fake = first;
	count = shared->allocations;
	runs = sweep(g, &clean, count, false) + sweep(g, &clean, count, true);
	print_message("# %u allocations, %u runs\n", count, runs);
}

static const struct sight sights[] = {
	{ "no allocation of check harms", { "check", "-" }, .code = 0 },
	{ "no allocation of show harms", { "show", "--json" }, .code = 0 },
	{ "no allocation of plan harms", { "plan", "--json", "-" }, .code = 2 },
	{ "no allocation of apply harms", { "apply", "--json", "--netns-ok", "-" }, .code = 0 },
	{ "no allocation of verify harms", { "verify", "--json", "-" }, .done = true },
	{ "no allocation of the agent harms", { "agent", "--netns-ok", "-" }, .done = true },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, sights, any_allocation_may_fail);
	return _cmocka_run_group_tests("memory", s.tests, s.count, make_root, remove_root);
}
