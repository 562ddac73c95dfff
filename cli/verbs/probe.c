#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "../probe/probe_report.h"
#include "../probe/probe_run.h"
#include "../probe/probe_server.h"
#include "../sandbox/policy_file.h"
#include "../sandbox/probe_peer.h"
#include "verbs.h"

#define MESSAGES_SENT 20000
#define SIZE	      4096
#define STEP_SECONDS  5	    /* a run takes no longer on a port in order */
#define PING_MS	      20000 /* while the user thinks */

/* ---- serve ---- */

/* The ports may have changed while the server waited. */
static bool read_again(const struct cli *c, const struct policy *p, struct probe_host *host,
		       struct err *err)
{
	probe_host_free(host);
	*host = (struct probe_host){ .e = NULL };
	return probe_host_read(&c->engine, p, host, err);
}

static bool serve(struct cli *c, struct probe_host *host, struct peer_line *line, json_t *hello,
		  struct err *err)
{
	struct probe_worker worker = { .host = host,
				       .helper = c->helpers[HELPER_PERFTEST],
				       .allow_disruption = c->opt.allow_disruption,
				       .other = line };

	return probe_serve(&(const struct probe_server){ &worker, line }, hello, err);
}

/* ssh has let the client in. */
static bool serve_by_ssh(struct cli *c, struct probe_host *host, struct err *err)
{
	json_auto_t *hello = NULL;
	struct peer_line line;
	bool ok;

	if (!peer_line_open(&line, c->probe_in, c->probe_out, err))
		return false;
	ok = probe_let_in(&line, NULL, HELLO_MS, &hello, err) && serve(c, host, &line, hello, err);
	peer_line_close(&line);
	return ok;
}

static bool serve_by_tcp(struct cli *c, const struct policy *p, struct probe_host *host,
			 struct err *err)
{
	struct probe_client client;
	bool ok;

	if (!probe_await_client(c, &client, err))
		return false;
	ok = read_again(c, p, host, err) && serve(c, host, &client.line, client.hello, err);
	probe_client_close(&client);
	return ok;
}

/* ---- probe ---- */

static bool is_interrupted(const struct cli *c, struct err *err)
{
	int signal = c->h->interrupted(c->h);

	return signal && !err_set(err, ERR_INTERRUPTED, signal, "interrupted");
}

static bool is_used(const struct probe_plan *p, const struct probe_port *port)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->pairs[i].count && (p->pairs[i].from == port || p->pairs[i].to == port))
			return true;
	return false;
}

/* Jobs through these ports were no obstacle: --allow-disruption. */
static void warn_of_jobs(const struct cli *c, const struct probe_plan *p)
{
	for (size_t i = 0; i < p->hosts->count; i++)
		for (size_t k = 0; k < p->hosts->list[i].ports_count; k++) {
			const struct probe_port *port = &p->hosts->list[i].ports[k];

			if (port->busy[0] && is_used(p, port))
				print_warning(c, "%s %s: %s; the probe slows it down",
					      p->hosts->list[i].name, port->name, port->busy);
		}
}

/* Says what will happen. */
static void announce(const struct cli *c, const struct probe_plan *p)
{
	size_t runs = probe_plan_runs(p);
	double megabytes = (double)p->messages * p->size / 1e6;

	warn_of_jobs(c, p);
	if (!c->opt.quiet)
		fprintf(stderr,
			"losslessctl: %zu hosts, %zu run%s of %.1f MB in %zu round%s, at most %zu "
			"s\n",
			p->hosts->count, runs, runs == 1 ? "" : "s", megabytes, p->rounds,
			p->rounds == 1 ? "" : "s", probe_plan_steps(p) * STEP_SECONDS);
}

/* On a terminal it asks, and keeps the lines alive until the user has answered. */
static bool is_agreed(const struct cli *c, const struct probe_plan *p, struct err *err)
{
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
	char answer[16];

	announce(c, p);
	if (c->opt.yes || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return true;
	fprintf(stderr, "Start the traffic? [y/N] ");
	while (poll(&input, 1, PING_MS) == 0)
		probe_endpoints_ping(p->hosts, c->h);
	if (is_interrupted(c, err))
		return false;
	if (fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
		return true;
	return err_set(err, ERR_REFUSED, 0, "nothing was sent");
}

/* Between two hosts, the end of one ends the probe; the matrix has room for reasons. */
static bool may_go_on(const struct cli *c, const struct probe_endpoints *hosts, struct err *err)
{
	if (c->opt.hosts)
		return true;
	for (size_t i = 0; i < hosts->count; i++)
		if (!probe_endpoint_is_there(&hosts->list[i])) {
			*err = hosts->list[i].why;
			return false;
		}
	return true;
}

/* A port that was named, or that is in use, is not passed over; and something has to be probed. */
static bool may_start(const struct cli *c, const struct probe_plan *p, struct err *err)
{
	bool strict = c->opt.words_count || c->opt.peer_port || !probe_plan_runs(p);

	if (c->opt.hosts)
		return true;
	for (size_t i = 0; i < p->count; i++)
		if (p->pairs[i].why.kind && (strict || p->pairs[i].why.kind == ERR_REFUSED)) {
			*err = p->pairs[i].why;
			return false;
		}
	return true;
}

static int print_report(const struct cli *c, const struct probe_plan *p)
{
	if (c->opt.json)
		print_json(c, c->opt.hosts ? probe_matrix_to_json(c, p) : probe_to_json(c, p));
	else if (c->opt.hosts && !c->opt.quiet)
		probe_matrix_draw(stdout, &c->out, p);
	else if (!c->opt.quiet)
		print_probe(c, p);
	return probe_exit_code(p);
}

/* At the end of a line the ports are chosen by name; this host lists the chosen ones. */
static struct probe_choice choice_of(const struct cli *c, const struct policy *p)
{
	return (struct probe_choice){
		.ports = c->opt.hosts ? c->engine.selection : (struct selection){ NULL, 0 },
		.named = c->opt.words_count,
		.peer_port = c->opt.peer_port,
		.asked = &p->probe,
		.allow_disruption = c->opt.allow_disruption,
		.messages = c->opt.messages ? c->opt.messages : MESSAGES_SENT,
		.size = SIZE,
	};
}

static int probe_with(struct cli *c, const struct policy *policy, struct probe_endpoints *hosts,
		      struct err *err)
{
	const struct probe_choice choice = choice_of(c, policy);
	struct probe_plan p = { .hosts = hosts };
	int code = -1;

	probe_endpoints_greet(hosts, c->probe_token[0] ? c->probe_token : NULL, c->h);
	if (!is_interrupted(c, err) && may_go_on(c, hosts, err) &&
	    probe_plan_make(hosts, &choice, &p, err) && may_start(c, &p, err) &&
	    is_agreed(c, &p, err) && probe_plan_run(&p, c->h, err) && may_go_on(c, hosts, err))
		code = print_report(c, &p);
	probe_plan_free(&p);
	return code;
}

/* This host, and the one at the other end of the line. */
static int probe_host(struct cli *c, const struct policy *p, const struct probe_host *host,
		      struct err *err)
{
	struct probe_endpoints hosts = { oom_calloc(2, sizeof(*hosts.list)), 2 };
	struct probe_worker worker = { .host = host,
				       .helper = c->helpers[HELPER_PERFTEST],
				       .allow_disruption = c->opt.allow_disruption };
	char nothing[2];
	int code = -1;

	if (!hosts.list)
		return err_no_memory(err) - 1;
	hosts.list[0] = (struct probe_endpoint){ .address = "", .here = &worker, .messages = -1 };
	hosts.list[0].line.in = hosts.list[0].line.out = -1;
	hosts.list[1] = (struct probe_endpoint){ .address = c->opt.peer_host, .messages = -1 };
	worker.other = &hosts.list[1].line;
	if (peer_line_open(&hosts.list[1].line, c->probe_in, c->probe_out, err))
		code = probe_with(c, p, &hosts, err);
	probe_endpoints_free(&hosts);
	if (c->probe_messages >= 0)
		peer_line_read_last(c->probe_messages, nothing, sizeof(nothing));
	return code;
}

/* All hosts are at the end of lines: this one only asks. */
static int probe_hosts(struct cli *c, const struct policy *p, struct err *err)
{
	const struct ssh_lines *lines = c->probe_lines;
	struct probe_endpoints hosts = { oom_calloc(lines->hosts.count, sizeof(*hosts.list)), 0 };
	int code = -1;
	bool ok = hosts.list || err_no_memory(err);

	while (ok && hosts.count < lines->hosts.count) {
		struct probe_endpoint *host = &hosts.list[hosts.count];
		const struct ssh_line *line = &lines->list[hosts.count];

		*host = (struct probe_endpoint){ .address = lines->hosts.list[hosts.count++],
						 .messages = line->messages };
		ok = peer_line_open(&host->line, line->line, line->line, err);
	}
	if (ok)
		code = probe_with(c, p, &hosts, err);
	probe_endpoints_free(&hosts);
	return code;
}

static int probe_from_here(struct cli *c, const struct policy *p, struct err *err)
{
	struct probe_host host = { .e = NULL };
	int code = -1;

	if (!probe_host_read(&c->engine, p, &host, err))
		code = -1;
	else if (!host.targets.count && !c->opt.stdio)
		(void)!err_set(err, ERR_GONE, ENODEV, "no port of this host has DCB or RDMA");
	else if (probe_is_server(c))
		code = (c->opt.stdio ? serve_by_ssh(c, &host, err) : serve_by_tcp(c, p, &host, err))
			       ? EXIT_SUCCESS
			       : -1;
	else
		code = probe_host(c, p, &host, err);
	probe_host_free(&host);
	return code;
}

int verb_probe(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	bool has_policy;
	int code = -1;

	if (policy_open_if_any(c, &p, &has_policy, err) && cli_open_host(c, false, err))
		code = c->opt.hosts ? probe_hosts(c, p, err) : probe_from_here(c, p, err);
	if (err->kind == ERR_INTERRUPTED)
		err->code = c->h->interrupted(c->h); /* the signal's number */
	ssh_lines_free(c->probe_lines);
	return code;
}
