#include "probe_peer.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "privileges.h"
#include "tools.h"
#include "trusted_open.h"

/* ---- the file of --hosts ---- */

#define BYTES_MAX 65536
#define NAME_MAX  255

/* Hosts, users, ports and addresses have these. */
#define CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@:%[]/"
#define BLANKS	   " \t\r"

void hosts_free(struct hosts *h)
{
	free(h->text);
	h->text = NULL;
}

static bool is_wrong(const char *path, size_t line, const char *found, struct err *err)
{
	err_record(err, ERR_USAGE, EINVAL, "found %s, expected one host as ssh takes it", found);
	err_locate(err, "%s:%zu", path, line);
	return false;
}

bool host_is_plain(const char *host)
{
	size_t n = strspn(host, CHARACTERS);

	return n > 0 && n <= NAME_MAX && !host[n] && host[0] != '-';
}

/* A comment begins a word. */
static void cut_comment(char *line)
{
	for (char *at = line; *at; at++)
		if (*at == '#' && (at == line || strchr(BLANKS, at[-1])))
			*at = '\0';
}

static bool check_host(const char *path, size_t line, const char *host, struct err *err)
{
	if (host[strcspn(host, BLANKS)])
		return is_wrong(path, line, "several words", err);
	if (host[0] == '-')
		return is_wrong(path, line, "an option", err);
	if (strlen(host) > NAME_MAX)
		return is_wrong(path, line, "more than 255 characters", err);
	return !host[strspn(host, CHARACTERS)] ||
	       is_wrong(path, line, "a character that no host has", err);
}

static bool add_host(const char *path, size_t line, const char *host, struct hosts *ret,
		     struct err *err)
{
	if (!check_host(path, line, host, err))
		return false;
	for (size_t i = 0; i < ret->count; i++)
		if (strcmp(ret->list[i], host) == 0)
			return is_wrong(path, line, "a host for the second time", err);
	if (ret->count == HOSTS_MAX) {
		err_record(err, ERR_USAGE, E2BIG, "found more than %d hosts", HOSTS_MAX);
		err_locate(err, "%s:%zu", path, line);
		err_add_fix(err, "split the file");
		return false;
	}
	ret->list[ret->count++] = host;
	return true;
}

static bool parse_line(const char *path, size_t number, char *line, struct hosts *ret,
		       struct err *err)
{
	char *host, *end;

	cut_comment(line);
	host = line + strspn(line, BLANKS);
	end = host + strlen(host);
	while (end > host && strchr(BLANKS, end[-1]))
		*--end = '\0';
	return !host[0] || add_host(path, number, host, ret, err);
}

bool hosts_parse(const char *path, char *text, size_t size, struct hosts *ret, struct err *err)
{
	size_t number = 0;
	char *rest = text;

	*ret = (struct hosts){ .text = text };
	if (strlen(text) != size)
		return is_wrong(path, 1, "a file with the byte NUL", err);
	while (rest) {
		char *line = strsep(&rest, "\n");

		if (!parse_line(path, ++number, line, ret, err))
			return false;
	}
	if (ret->count >= HOSTS_MIN)
		return true;
	err_record(err, ERR_USAGE, EINVAL, "found %zu host%s, expected %d to %d", ret->count,
		   ret->count == 1 ? "" : "s", HOSTS_MIN, HOSTS_MAX);
	err_locate(err, "%s", path);
	return false;
}

static bool read_all(int fd, char *text, size_t *ret, struct err *err)
{
	ssize_t n;

	for (*ret = 0; *ret <= BYTES_MAX; *ret += (size_t)n) {
		n = read(fd, text + *ret, BYTES_MAX + 1 - *ret);
		if (n < 0)
			return err_set(err, ERR_SYSTEM, errno, "%s", strerror(errno));
		if (n == 0)
			return true;
	}
	return err_set(err, ERR_USAGE, EFBIG, "found more than %d bytes, expected a host a line",
		       BYTES_MAX);
}

bool hosts_read(const char *path, struct hosts *ret, struct err *err)
{
	_close_ int fd = -1;
	_free_ char *text = oom_calloc(1, BYTES_MAX + 2);
	size_t size;

	*ret = (struct hosts){ .text = NULL };
	if (!text)
		return err_no_memory(err);
	if (any_open(path, &fd, err) && read_all(fd, text, &size, err))
		return hosts_parse(path, take(text), size, ret, err);
	err_locate(err, "%s", path);
	return false;
}

/* ---- ssh ---- */

#define SSH    "/usr/bin/ssh"
#define REMOTE "losslessctl probe serve --stdio"

#define WORDS_MAX 10

static void write_words(const char *host, bool batch, bool allow_disruption,
			char *ret[WORDS_MAX + 1])
{
	static const char *const first[] = { SSH,  "-T",
					     "-o", "BatchMode=yes",
					     "-o", "ConnectTimeout=10" };
	size_t n = 0;

	while (n < (batch ? sizeof(first) / sizeof(first[0]) : 2)) {
		ret[n] = (char *)first[n];
		n++;
	}
	ret[n++] = (char *)"--";
	ret[n++] = (char *)host;
	ret[n++] = (char *)(allow_disruption ? REMOTE " --allow-disruption" : REMOTE);
	ret[n] = NULL;
}

static int spawn(char *const argv[], int line, int messages)
{
	posix_spawn_file_actions_t files;
	extern char **environ;
	pid_t pid;
	int code;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, line, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, line, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
	code = posix_spawn(&pid, SSH, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return code;
}

static bool open_pairs(bool batch, int line[2], int messages[2], struct err *err)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) < 0)
		return err_set(err, ERR_SYSTEM, errno, "socketpair: %s", strerror(errno));
	if (pipe2(messages, O_CLOEXEC) == 0 &&
	    (!batch || fcntl(messages[0], F_SETFL, O_NONBLOCK) == 0))
		return true;
	err_record(err, ERR_SYSTEM, errno, "pipe: %s", strerror(errno));
	close(line[0]);
	close(line[1]);
	return false;
}

#define RELAYED_MAX 65536 /* bytes; more are read, and dropped */

/* Prints what ssh and the other end say, without what a terminal obeys. */
static void relay(FILE *from)
{
	size_t left = RELAYED_MAX;
	char line[1024];

	while (fgets(line, sizeof(line), from)) {
		size_t size = strlen(line) + 1;

		left -= size < left ? size : left;
		line[strcspn(line, "\r\n")] = '\0';
		if (left) {
			print_clean(stderr, line);
			fputc('\n', stderr);
		}
	}
}

/* Ends with ssh, not by ^C. Nobody writes to its standard output, whose end is its own. */
static void become_relay(int from, int end)
{
	struct err err = { 0 };

	signal(SIGINT, SIG_IGN);
	if (dup2(from, STDIN_FILENO) < 0 || dup2(end, STDOUT_FILENO) < 0)
		return;
	closefrom(STDERR_FILENO + 1);
	if (privilege_narrow(&rights_talk, &err))
		relay(stdin);
}

/* Starts a process that prints *messages, which then stands for its end. */
static bool start_relay(int *messages, struct err *err)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, ERR_SYSTEM, errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		become_relay(*messages, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	close(*messages);
	*messages = ends[0];
	return pid > 0 || err_set(err, ERR_SYSTEM, errno,
				  "start a process that prints what ssh says: %s", strerror(errno));
}

bool ssh_line_open(const char *host, bool batch, bool allow_disruption, struct ssh_line *ret,
		   struct err *err)
{
	char *argv[WORDS_MAX + 1];
	int line[2], messages[2] = { -1, -1 }, code;

	if (!host_is_plain(host))
		return err_set(err, ERR_USAGE, EINVAL, "\"%s\" is not one host as ssh takes it",
			       host);
	if (!tool_is_trusted(SSH, err))
		return err_in(err, SSH);
	if (!open_pairs(batch, line, messages, err))
		return false;
	write_words(host, batch, allow_disruption, argv);
	code = spawn(argv, line[1], messages[1]);
	close(line[1]);
	close(messages[1]);
	if (code) {
		close(line[0]);
		close(messages[0]);
		return err_set(err, code == ENOENT ? ERR_NO_FILE : ERR_SYSTEM, code, SSH ": %s",
			       strerror(code));
	}
	*ret = (struct ssh_line){ line[0], messages[0] };
	return batch || start_relay(&ret->messages, err);
}

void ssh_lines_free(struct ssh_lines *l)
{
	if (l)
		hosts_free(&l->hosts);
	free(l);
}

bool ssh_lines_open(const char *file, bool allow_disruption, struct ssh_lines **ret,
		    struct err *err)
{
	struct ssh_lines *l = oom_calloc(1, sizeof(*l));

	*ret = l;
	if (!l)
		return err_no_memory(err);
	if (!hosts_read(file, &l->hosts, err))
		return false;
	for (size_t i = 0; i < l->hosts.count; i++)
		if (!ssh_line_open(l->hosts.list[i], true, allow_disruption, &l->list[i], err))
			return false;
	return true;
}

/* ---- TCP ---- */

#define CONNECT_MS   10000
#define BACKLOG	     64
#define TCP_PORT_MAX 65535

struct place {
	char host[256], port[8];
};

/* Reads "host", "host:port", "2001:db8::1" or "[2001:db8::1]:port". */
static bool parse_place(const char *text, struct place *ret)
{
	const char *end = text[0] == '[' ? strchr(text, ']') : strrchr(text, ':');
	bool has_port = end && (text[0] == '[' ? end[1] == ':' : strchr(text, ':') == end);
	size_t skip = text[0] == '[', size = has_port ? (size_t)(end - text) : strlen(text);
	const char *port = has_port ? strrchr(text, ':') + 1 : "0";

	if (skip && !end)
		return false;
	if (skip)
		size = (size_t)(end - text);
	return (size_t)snprintf(ret->host, sizeof(ret->host), "%.*s", (int)(size - skip),
				text + skip) < sizeof(ret->host) &&
	       (size_t)snprintf(ret->port, sizeof(ret->port), "%s", port) < sizeof(ret->port) &&
	       ret->host[0] && ret->port[0] && !port[strspn(port, "0123456789")] &&
	       atoi(ret->port) <= TCP_PORT_MAX;
}

static bool resolve(const char *text, int flags, struct addrinfo **ret, struct err *err)
{
	const struct addrinfo wanted = { .ai_flags = flags | AI_NUMERICSERV,
					 .ai_socktype = SOCK_STREAM };
	struct place p;
	int code;

	if (!parse_place(text, &p))
		return err_set(err, ERR_USAGE, EINVAL, "\"%s\" is no address, such as %s", text,
			       flags ? "192.0.2.1" : "192.0.2.1:40123");
	if (!flags && atoi(p.port) == 0) {
		err_record(err, ERR_USAGE, EINVAL, "\"%s\" has no port, as 192.0.2.1:40123 has",
			   text);
		return err_fix(err, "copy the address that `losslessctl probe serve` printed");
	}
	code = getaddrinfo(p.host, p.port, &wanted, ret);
	return code == 0 || err_set(err, flags ? ERR_USAGE : ERR_UNKNOWN, 0, "%s: %s", p.host,
				    gai_strerror(code));
}

/* True for 0.0.0.0 and ::, which no other host can connect to. */
static bool is_every_address(const struct sockaddr *at)
{
	const struct sockaddr_in *v4 = (const void *)at;
	const struct sockaddr_in6 *v6 = (const void *)at;

	return at->sa_family == AF_INET ? v4->sin_addr.s_addr == INADDR_ANY
					: IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr);
}

static bool resolve_own(const char *text, struct addrinfo **ret, struct err *err)
{
	if (!resolve(text, AI_NUMERICHOST, ret, err))
		return false;
	if (!is_every_address((*ret)->ai_addr))
		return true;
	freeaddrinfo(*ret);
	err_record(err, ERR_USAGE, EINVAL, "--bind %s would listen at every address", text);
	return err_fix(err, "name the address of this host that the other one reaches");
}

/* Listens at one address: whoever serves names the network that may connect. */
static bool listen_at(const char *text, int *ret, struct err *err)
{
	struct addrinfo *at;
	_close_ int fd = -1;
	bool ok;

	if (!resolve_own(text, &at, err))
		return false;
	fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ok = fd >= 0 && bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0;
	freeaddrinfo(at);
	if (!ok)
		return err_set(err, ERR_SYSTEM, errno, "listen at %s: %s", text, strerror(errno));
	*ret = fd;
	fd = -1;
	return true;
}

static bool finish_connect(int fd)
{
	struct pollfd p = { fd, POLLOUT, 0 };
	socklen_t size = sizeof(errno);
	int code = ETIMEDOUT;

	if (poll(&p, 1, CONNECT_MS) > 0)
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size);
	errno = code;
	return code == 0;
}

static int connect_to(const struct addrinfo *at)
{
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int code;

	if (fd >= 0 && (connect(fd, at->ai_addr, at->ai_addrlen) == 0 ||
			(errno == EINPROGRESS && finish_connect(fd))))
		return fd;
	code = errno;
	if (fd >= 0)
		close(fd);
	errno = code;
	return -1;
}

/* Any user of this host can read the words of a command, and with them a token. */
static bool read_token(struct cli *c, struct err *err)
{
	char line[sizeof(c->probe_token) + 1];

	if (strcmp(c->opt.token, "-") != 0) {
		err_record(err, ERR_USAGE, EINVAL,
			   "--token: found a word, expected -: other users of this host can read "
			   "the words of a command");
		return err_fix(err, "give the token as a line of standard input");
	}
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		fprintf(stderr, "Token: ");
	if (!fgets(line, sizeof(line), stdin))
		line[0] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	if (!line[0] || strlen(line) == sizeof(line) - 1)
		return err_set(err, ERR_USAGE, EINVAL,
			       "--token: found no token as the first line of standard input");
	snprintf(c->probe_token, sizeof(c->probe_token), "%.*s", (int)sizeof(c->probe_token) - 1,
		 line);
	return true;
}

static bool connect_tcp(struct cli *c, int *ret, struct err *err)
{
	struct addrinfo *all;

	if (!c->opt.token) {
		err_record(err, ERR_USAGE, EINVAL, "`probe %s` needs --via ssh, or --token -",
			   c->opt.peer_host);
		return err_fix(err,
			       "run `losslessctl probe serve --bind ADDRESS` at the other host: it "
			       "prints the token");
	}
	if (!read_token(c, err) || !resolve(c->opt.peer_host, 0, &all, err))
		return false;
	*ret = -1;
	for (const struct addrinfo *at = all; at && *ret < 0; at = at->ai_next)
		*ret = connect_to(at);
	freeaddrinfo(all);
	if (*ret >= 0)
		return true;
	err_record(err, ERR_UNKNOWN, errno, "connect to %s: %s", c->opt.peer_host, strerror(errno));
	return err_fix(err, "run `losslessctl probe serve --bind ADDRESS` at the other host, and "
			    "the command that it prints here");
}

/* ---- the other end of a probe ---- */

bool probe_is_server(const struct cli *c)
{
	return c->opt.peer_host && strcmp(c->opt.peer_host, PROBE_SERVE) == 0;
}

static bool open_server(struct cli *c, struct err *err)
{
	if (c->opt.stdio) {
		c->probe_in = STDIN_FILENO;
		c->probe_out = STDOUT_FILENO;
		return true;
	}
	if (!c->opt.bind) {
		err_record(err, ERR_USAGE, EINVAL, "`probe serve` needs --bind ADDRESS");
		err_add_fix(err, "name an address of this host, or run `losslessctl probe HOST "
				 "--via ssh` at the other end, which starts this one");
		return false;
	}
	return listen_at(c->opt.bind, &c->probe_in, err);
}

static bool open_by_ssh(struct cli *c, struct err *err)
{
	struct ssh_line line;

	if (!ssh_line_open(c->opt.peer_host, false, c->opt.allow_disruption, &line, err))
		return false;
	c->probe_in = line.line;
	c->probe_messages = line.messages;
	return true;
}

static bool open_client(struct cli *c, struct err *err)
{
	if (c->opt.hosts)
		return ssh_lines_open(c->opt.hosts, c->opt.allow_disruption, &c->probe_lines, err);
	if (!(c->opt.via ? open_by_ssh(c, err) : connect_tcp(c, &c->probe_in, err)))
		return false;
	c->probe_out = c->probe_in;
	return true;
}

bool probe_peer_check(const struct cli *c, struct err *err)
{
	if (!c->opt.peer_host && !c->opt.hosts) {
		err_record(err, ERR_USAGE, EINVAL, "`probe` needs a host, --hosts, or \"serve\"");
		return err_fix(err, "run `losslessctl probe HOST --via ssh`");
	}
	return !c->opt.via || strcmp(c->opt.via, "ssh") == 0 ||
	       err_set(err, ERR_USAGE, EINVAL, "--via: found \"%s\", expected ssh", c->opt.via);
}

bool probe_peer_open(struct cli *c, struct err *err)
{
	return probe_is_server(c) ? open_server(c, err) : open_client(c, err);
}
