#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "../probe/probe_client.h"
#include "../probe/probe_report.h"
#include "../probe/probe_server.h"
#include "../sandbox/policy_file.h"
#include "../sandbox/probe_peer.h"
#include "verbs.h"

#define MESSAGES_SENT 20000
#define SIZE	      4096
#define ACCEPT_MS     600000
#define TOKEN_BYTES   16
#define RUN_SECONDS   5 /* at most, on a port in order */

/* ---- serve ---- */

static bool make_token(char ret[2 * TOKEN_BYTES + 1], struct err *err)
{
	unsigned char bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return err_set(err, ERR_SYSTEM, errno, "getrandom: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

/* Writes "192.0.2.1:40123" or "[2001:db8::1]:40123". */
static bool write_place(int fd, char ret[80], struct err *err)
{
	struct sockaddr_storage at;
	socklen_t size = sizeof(at);
	const struct sockaddr_in *v4 = (const void *)&at;
	const struct sockaddr_in6 *v6 = (const void *)&at;
	char text[INET6_ADDRSTRLEN];

	if (getsockname(fd, (struct sockaddr *)&at, &size) < 0)
		return err_set(err, ERR_SYSTEM, errno, "getsockname: %s", strerror(errno));
	if (at.ss_family == AF_INET)
		snprintf(ret, 80, "%s:%u", inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text)),
			 ntohs(v4->sin_port));
	else
		snprintf(ret, 80, "[%s]:%u",
			 inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text)),
			 ntohs(v6->sin6_port));
	return true;
}

static bool accept_client(struct cli *c, int *ret, struct err *err)
{
	struct pollfd p = { c->probe_in, POLLIN, 0 };
	int n = poll(&p, 1, ACCEPT_MS);

	if (n < 0)
		return err_set(err, ERR_INTERRUPTED, c->h->interrupted(c->h), "interrupted");
	if (n == 0)
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "nobody has connected for %d minutes",
			       ACCEPT_MS / 60000);
	*ret = accept4(c->probe_in, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	return *ret >= 0 || err_set(err, ERR_SYSTEM, errno, "accept: %s", strerror(errno));
}

/* The token opens one connection, after which nothing listens. */
static bool await_client(struct cli *c, char token[2 * TOKEN_BYTES + 1], int *ret, struct err *err)
{
	char place[80];

	if (!make_token(token, err) || !write_place(c->probe_in, place, err))
		return false;
	printf("Serving one probe at %s for %d minutes. Run at the other host:\n"
	       "  losslessctl probe %s --token %s\n",
	       place, ACCEPT_MS / 60000, place, token);
	fflush(stdout);
	return accept_client(c, ret, err) && close(c->probe_in) == 0;
}

/* The ports may have changed while the server waited. */
static bool read_again(const struct cli *c, const struct policy *p, struct probe_host *host,
		       struct err *err)
{
	probe_host_free(host);
	*host = (struct probe_host){ .e = NULL };
	return probe_host_read(&c->engine, p, host, err);
}

static bool serve(struct cli *c, const struct policy *p, struct probe_host *host, struct err *err)
{
	char token[2 * TOKEN_BYTES + 1] = "";
	_close_ int client = -1;
	struct peer_line line;
	bool ok = c->opt.stdio ||
		  (await_client(c, token, &client, err) && read_again(c, p, host, err));

	if (!ok || !peer_line_open(&line, c->opt.stdio ? c->probe_in : client,
				   c->opt.stdio ? c->probe_out : client, err))
		return false;
	ok = probe_serve(&(const struct probe_server){ host, &line, c->perftest_helper,
						       token[0] ? token : NULL,
						       c->opt.allow_disruption },
			 err);
	peer_line_close(&line);
	return ok;
}

/* ---- probe a host ---- */

/* The port of the other host with the given name, the same name, or the only one. */
static const struct probe_port *find_peer_port(const struct cli *c, const struct probe_client *p,
					       const char *name, struct err *err)
{
	const char *wanted = c->opt.peer_port ? c->opt.peer_port : name;

	for (size_t i = 0; i < p->ports_count; i++)
		if (strcmp(p->ports[i].name, wanted) == 0)
			return &p->ports[i];
	if (p->ports_count == 1 && !c->opt.peer_port)
		return p->ports;
	err_record(err, ERR_GONE, 0, "%s has no port %s", p->name, wanted);
	err_add_fix(err, "name it with --peer-port");
	return NULL;
}

static bool may_probe(const struct cli *c, const struct probe_port *port, const char *host,
		      struct err *err)
{
	if (port->lacks[0])
		return err_set(err, ERR_UNKNOWN, 0, "%s%s%s", host, host[0] ? ": " : "",
			       port->lacks);
	if (!port->busy[0] || c->opt.allow_disruption)
		return true;
	err_record(err, ERR_REFUSED, 0, "%s%s%s: %s", host, host[0] ? " " : "", port->name,
		   port->busy);
	err_add_fix(err, "wait for the job to end, or use --allow-disruption");
	return false;
}

static unsigned messages_of(const struct cli *c)
{
	return c->opt.messages ? c->opt.messages : MESSAGES_SENT;
}

static void add_runs(const struct probe_host *h, size_t port, unsigned messages,
		     struct probe_pair *pair)
{
	const struct probe_policy *asked = h->asked;
	uint8_t class = h->job.ports[port].traffic_class;

	for (unsigned path = 0; path < PROBE_RUNS; path++) {
		bool control = path == PROBE_PATHS;

		if (!control && asked->paths && !(asked->paths & 1u << path))
			continue;
		pair->runs[pair->count++] = (struct probe_run){
			.from = pair->from,
			.to = pair->to,
			.near_port = port,
			.path = control ? PROBE_VERBS : (enum probe_path)path,
			.is_control = control,
			.traffic_class = control ? 0 : class,
			.messages = messages,
			.size = SIZE,
			.min_share = asked->min_share > 0 ? asked->min_share : PROBE_MIN_SHARE,
		};
	}
}

static bool choose_pairs(const struct cli *c, const struct probe_host *h,
			 const struct probe_client *p, struct probe_report *r, struct err *err)
{
	r->pairs = oom_calloc(h->targets.count + 1, sizeof(*r->pairs));
	if (!r->pairs)
		return err_no_memory(err);
	for (size_t i = 0; i < h->targets.count; i++) {
		struct probe_pair *pair = &r->pairs[r->count++];

		pair->from = &h->ports[i];
		pair->to = find_peer_port(c, p, pair->from->name, err);
		if (!pair->to || !may_probe(c, pair->from, "", err) ||
		    !may_probe(c, pair->to, p->name, err))
			return false;
		if (h->job.ports[i].source == CLASS_UNKNOWN)
			return err_set(err, ERR_UNKNOWN, 0,
				       "%s: neither the policy nor the port says which class "
				       "carries RoCE",
				       pair->from->name);
		add_runs(h, i, messages_of(c), pair);
	}
	return true;
}

/* Says what will happen; on a terminal it asks. */
static bool is_agreed(const struct cli *c, const struct probe_report *r, struct err *err)
{
	size_t runs = r->count ? r->pairs[0].count : 0;
	char answer[16];
	bool asks = !c->opt.yes && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);

	if (!c->opt.quiet)
		fprintf(stderr,
			"losslessctl: %zu runs of %.1f MB on each of %zu port%s, at most %zu s\n",
			runs, messages_of(c) * (double)SIZE / 1e6, r->count,
			r->count == 1 ? "" : "s", r->count * runs * RUN_SECONDS);
	if (!asks)
		return true;
	fprintf(stderr, "Start the traffic? [y/N] ");
	if (fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
		return true;
	return err_set(err, ERR_REFUSED, 0, "nothing was sent");
}

static bool run_pair(struct probe_client *p, struct probe_pair *pair, struct err *err)
{
	if (!probe_listen(p, &pair->runs[0], err))
		return false;
	for (size_t i = 0; i < pair->count; i++)
		if (!probe_run(p, &pair->runs[i], err))
			return false;
	return true;
}

static int print_report(const struct cli *c, const struct probe_report *r)
{
	if (c->opt.json)
		print_json(c, probe_to_json(c, r));
	else if (!c->opt.quiet)
		print_probe(c, r);
	return probe_exit_code(r);
}

static int probe_with(struct cli *c, const struct probe_host *host, struct probe_client *p,
		      struct err *err)
{
	struct probe_report r = { .peer = p->name };
	bool ok = probe_greet(p, c->opt.token, err) && choose_pairs(c, host, p, &r, err) &&
		  is_agreed(c, &r, err);
	int code = -1;

	for (size_t i = 0; ok && i < r.count; i++)
		ok = run_pair(p, &r.pairs[i], err);
	if (ok)
		code = print_report(c, &r);
	free(r.pairs);
	return code;
}

static int probe(struct cli *c, const struct probe_host *host, struct err *err)
{
	struct peer_line line;
	struct probe_client p = { .host = host, .line = &line, .helper = c->perftest_helper };
	int code = -1;

	if (!peer_line_open(&line, c->probe_in, c->probe_out, err))
		return -1;
	code = probe_with(c, host, &p, err);
	probe_client_free(&p);
	peer_line_close(&line);
	return code;
}

int verb_probe(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	struct probe_host host = { .e = NULL };
	bool has_policy;
	int code = -1;

	if (!policy_open_if_any(c, &p, &has_policy, err) || !cli_open_host(c, false, err))
		return -1;
	if (!probe_host_read(&c->engine, p, &host, err))
		code = -1;
	else if (probe_is_server(c))
		code = serve(c, p, &host, err) ? EXIT_SUCCESS : -1;
	else
		code = probe(c, &host, err);
	if (err->kind == ERR_INTERRUPTED)
		err->code = c->h->interrupted(c->h); /* the signal's number */
	probe_host_free(&host);
	return code;
}
