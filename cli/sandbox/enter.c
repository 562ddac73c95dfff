#include "enter.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/engine/write/confirm_watchdog.h"
#include "../../agent/host/cleanup.h"
#include "../../agent/host/namespace.h"
#include "../../roce/devlink.h"
#include "../output/print.h"
#include "env_files.h"
#include "helper.h"
#include "output_file.h"
#include "policy_file.h"
#include "privileges.h"
#include "probe_peer.h"
#include "ready_history.h"
#include "ssh_session.h"
#include "tools.h"

/* ---- the user behind this process ---- */

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-@\\$"

/* Accepts names without blanks only, because blanks separate the fields of the journal's lines. */
static bool is_name(const char *text)
{
	return text && *text && !text[strspn(text, NAME_CHARACTERS)];
}

/* Returns the user who logged in, even after su or sudo; see audit(8). */
static uid_t login_uid(void)
{
	FILE *f = fopen("/proc/self/loginuid", "re");
	unsigned uid = (unsigned)-1;

	if (f && fscanf(f, "%u", &uid) != 1)
		uid = (unsigned)-1;
	if (f)
		fclose(f);
	return uid == (unsigned)-1 ? getuid() : uid;
}

static bool name_of(uid_t uid, char *buf, size_t size)
{
	FILE *f = fopen("/etc/passwd", "re");
	const struct passwd *p = NULL;

	while (f && (p = fgetpwent(f)) && p->pw_uid != uid)
		;
	if (p && is_name(p->pw_name))
		snprintf(buf, size, "%s", p->pw_name);
	if (f)
		fclose(f);
	return p;
}

/*
 * Writes the login name behind sudo, of the login session, or of this process; "uid:1000" if
 * /etc/passwd has no name. Asks no name service, because one that hangs would delay a rollback.
 */
static void caller_name(char *buf, size_t size)
{
	const char *sudo = getenv("SUDO_USER");
	uid_t uid = login_uid();

	buf[0] = '\0';
	if (is_name(sudo))
		snprintf(buf, size, "%s", sudo);
	else if (uid == 0) /* skip the lookup, whose 64 KiB the agent would keep */
		snprintf(buf, size, "root");
	else if (!name_of(uid, buf, size) || !buf[0])
		snprintf(buf, size, "uid:%u", (unsigned)uid);
}

/* ---- the start of a verb ---- */

/*
 * Reads the ancestors' environments now, because that needs privileges dropped later. A plan asks
 * for the rights of apply, which root has and others get by sudo.
 */
static void find_session(struct cli *c)
{
	struct host_linux l;
	struct err quiet = { 0 };

	if (host_linux_open(&l, c->opt.root, false, &quiet))
		session_find(&l.host);
	if (cli_foresees_apply(c) && geteuid() == 0)
		(void)!namespace_may_change(&l.host, &c->foreseen.rights);
	c->session = l.host.session;
	host_linux_close(&l);
}

/* Asks devlink now, because the mode of an E-Switch needs a right dropped later. */
static void find_eswitches(struct cli *c)
{
	struct host_linux l;
	struct err quiet = { 0 };

	if (host_linux_open(&l, c->opt.root, false, &quiet))
		devlink_list_eswitches(&l.host, &c->eswitches);
	host_linux_close(&l);
}

/* Keeps memory and new files private: no core dump and no access by other users. */
static void protect_memory(void)
{
	umask(077);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/*
 * Huge pages would back what is reserved for each port and never touched: 200 kB of a target, and 4
 * MB for counters.
 */
static void save_memory(void)
{
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

/* `ready` and `doctor` ask rdma_topo without an option, where it is installed. */
static bool needs_firmware_helper(const struct cli *c)
{
	bool reads_pci = c->opt.verb->may->keeps & PRIVILEGE(CAP_SYS_ADMIN);

	return c->opt.firmware || (reads_pci && !c->opt.state && strcmp(c->opt.root, "/") == 0 &&
				   tool_is_installed(TASK_RDMA_TOPO));
}

/* A verb that reads a policy and may change ports, or says what a change would meet. */
static bool needs_signature(const struct cli *c)
{
	const struct verb *verb = c->opt.verb;

	return (verb->writes || cli_foresees_apply(c)) && (verb->takes & TAKES_POLICY) &&
	       signature_is_needed();
}

static bool start_if(bool needed, struct cli *c, enum helper helper, struct err *err)
{
	return !needed || helper_start(helper, NULL, NULL, &c->helpers[helper], err);
}

/* A rollback writes all settings but rdma_cm's without the helper. */
static bool start_loader(struct cli *c, struct err *err)
{
	bool needed = c->opt.verb->may->loads && geteuid() == 0 && !modules_are_loaded();
	struct err why = { 0 };

	if (start_if(needed, c, HELPER_LOADER, &why))
		return true;
	if (c->opt.verb->takes & TAKES_POLICY) {
		*err = why;
		return false;
	}
	print_warning(c, "%s; the rollback goes on", why.text);
	return true;
}

static bool open_output(struct cli *c, struct err *err)
{
	_place_ struct file_place place = { .dir = -1 };
	int *helper = &c->helpers[HELPER_OUTPUT];

	return output_file_find(c->opt.file, &place, err) &&
	       helper_start(HELPER_OUTPUT, &place, &place.dir, helper, err) &&
	       output_file_create(*helper, c->opt.file, &place, &c->output_fd, err);
}

/* A probe of many hosts runs nothing at this one. */
static bool open_peer(struct cli *c, struct err *err)
{
	return probe_peer_check(c, err) && start_if(!c->opt.hosts, c, HELPER_PERFTEST, err) &&
	       probe_peer_open(c, err);
}

/*
 * Takes the place of standard files that are closed, as by `<&- >&-`: the next file to be opened
 * would be standard output. Reading and writing fail with EBADF, as they did.
 */
static bool fill_standard_files(struct err *err)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return err_set(err, ERR_SYSTEM, errno, "open /dev/null: %s",
				       strerror(errno));
	return true;
}

bool sandbox_enter(struct cli *c, struct err *err)
{
	const struct verb *verb = c->opt.verb;

	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write() */
	if (!fill_standard_files(err))
		return false;
	if (verb->writes) {
		protect_memory();
		caller_name(c->user, sizeof(c->user));
	}
	if (verb->takes & (TAKES_POLICY | READS_POLICY))
		policy_find(c);
	if (c->opt.state && !state_file_open(c, err))
		return false;
	if (verb->takes & TAKES_PORTS)
		save_memory();
	if (verb->takes & GUARDS_SSH)
		find_session(c);
	if ((verb->takes & TAKES_PORTS) && !c->opt.state &&
	    !(verb->may->keeps & PRIVILEGE(CAP_NET_ADMIN)))
		find_eswitches(c);
	if ((verb->takes & TAKES_PORTS) && !c->opt.state && !verb->writes)
		host_linux_open_lldpad(&c->lldpad);
	if (c->opt.confirm_s)
		confirm_watchdog_prepare();
	if (c->opt.file && !open_output(c, err))
		return false;
	if (c->opt.file && (verb->takes & TAKES_FILE) &&
	    !output_file_use(c->output_fd, c->opt.file, err))
		return false;
	if ((verb->takes & (TAKES_ENVIRONMENT | READS_ENVIRONMENT)) && !env_files_open(c, err))
		return false;
	return start_loader(c, err) && start_if(needs_signature(c), c, HELPER_SIGNATURE, err) &&
	       start_if(needs_firmware_helper(c) && geteuid() == 0, c, HELPER_FIRMWARE, err) &&
	       (!(verb->takes & TAKES_PEER) || open_peer(c, err)) &&
	       (!c->opt.require.of || ready_history_is_permitted(err)) &&
	       start_if(c->opt.require.of, c, HELPER_READY, err) &&
	       privilege_narrow(verb->may, err);
}
