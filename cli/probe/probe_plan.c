#include "probe_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"

/* With an odd number of hosts, the seat of the last one is empty. */
static size_t seats(size_t hosts)
{
	return hosts + hosts % 2;
}

size_t round_robin_rounds(size_t hosts)
{
	return hosts ? seats(hosts) - 1 : 0;
}

size_t round_robin_places(size_t hosts)
{
	return seats(hosts) / 2;
}

/* The next half of the circle behind a host is begun by it, the half before it is not. */
static bool begins(size_t hosts, size_t from, size_t to)
{
	size_t ahead = (to + hosts - from) % hosts;

	return 2 * ahead == hosts ? from < to : 2 * ahead < hosts;
}

/* The last seat stays where it is, and the others move around it. */
bool round_robin_pair(size_t hosts, size_t round, size_t place, size_t *from, size_t *to)
{
	size_t circle = seats(hosts) - 1;
	size_t a = place ? (round + place) % circle : circle;
	size_t b = (round + circle - place) % circle;

	if (a >= hosts || b >= hosts)
		return false;
	*from = begins(hosts, a, b) ? a : b;
	*to = *from == a ? b : a;
	return true;
}

void probe_plan_free(struct probe_plan *p)
{
	free(p->pairs);
}

/* The port of the other host with the given name, the same name, or the only one. */
static const struct probe_port *find_peer_port(const struct probe_choice *c,
					       const struct probe_endpoint *to, const char *name,
					       struct err *err)
{
	const char *wanted = c->peer_port ? c->peer_port : name;

	for (size_t i = 0; i < to->ports_count; i++)
		if (strcmp(to->ports[i].name, wanted) == 0 ||
		    (c->peer_port && alt_names_have(&to->ports[i].alt_names, wanted)))
			return &to->ports[i];
	if (to->ports_count == 1 && !c->peer_port)
		return to->ports;
	err_record(err, ERR_GONE, 0, "%s has no port %s", to->name, wanted);
	err_add_fix(err, "name it with --peer-port");
	return NULL;
}

static bool may_probe(const struct probe_choice *c, const struct probe_endpoint *host,
		      const struct probe_port *port, struct err *err)
{
	const char *name = host->address[0] ? host->name : "";
	const char *gap = name[0] ? ": " : "";

	if (port->lacks[0])
		return err_set(err, ERR_UNKNOWN, 0, "%s%s%s", name, gap, port->lacks);
	if (!port->busy[0] || c->allow_disruption)
		return true;
	err_record(err, ERR_REFUSED, 0, "%s%s%s: %s", name, name[0] ? " " : "", port->name,
		   port->busy);
	err_add_fix(err, "wait for the job to end, or use --allow-disruption");
	return false;
}

static bool may_pair(const struct probe_choice *c, const struct probe_endpoint *from,
		     const struct probe_endpoint *to, const struct probe_pair *pair,
		     struct err *err)
{
	if (!may_probe(c, from, pair->from, err) || !may_probe(c, to, pair->to, err))
		return false;
	return pair->from->has_class ||
	       err_set(err, ERR_UNKNOWN, 0,
		       "%s%s%s: neither the policy nor the port says which class carries RoCE",
		       from->address[0] ? from->name : "", from->address[0] ? " " : "",
		       pair->from->name);
}

/* The path of GPU memory needs a perftest with CUDA at both ends. */
static void find_support(const struct probe_endpoint *from, const struct probe_endpoint *to,
			 struct probe_run *r)
{
	if (r->path != PROBE_GPU || (from->uses_gpu && to->uses_gpu))
		return;
	r->state = PERFTEST_UNSUPPORTED;
	snprintf(r->why, sizeof(r->why), "%.100s: perftest was built without CUDA",
		 from->uses_gpu ? to->name : from->name);
	snprintf(r->fix, sizeof(r->fix), "install a perftest whose --help has %s at both hosts",
		 PERFTEST_GPU_OPTION);
}

static void add_runs(const struct probe_policy *asked, const struct probe_endpoint *from,
		     const struct probe_endpoint *to, struct probe_pair *pair)
{
	for (unsigned path = 0; path < PROBE_RUNS; path++) {
		bool control = path == PROBE_PATHS;

		if (!control && asked->paths && !(asked->paths & 1u << path))
			continue;
		pair->runs[pair->count] = (struct probe_run){
			.path = control ? PROBE_VERBS : (enum probe_path)path,
			.is_control = control,
			.is_named = asked->paths,
			.traffic_class = control ? 0 : (uint8_t)pair->from->traffic_class,
			.service_level = control ? 0 : (uint8_t)pair->from->service_level,
		};
		find_support(from, to, &pair->runs[pair->count++]);
	}
}

/* Adds a pair of the same hosts as `like`. */
static struct probe_pair *add_pair(struct probe_plan *plan, const struct probe_pair *like,
				   size_t turn)
{
	struct probe_pair *pair = &plan->pairs[plan->count++];

	*pair = *like;
	pair->turn = turn;
	return pair;
}

static bool is_chosen(const struct probe_choice *c, const struct probe_port *port)
{
	struct identity id = { .alt_names = port->alt_names };

	snprintf(id.name, sizeof(id.name), "%s", port->name);
	return selection_has(&c->ports, &id);
}

static void add_port(const struct probe_choice *c, struct probe_plan *plan,
		     const struct probe_pair *like, size_t turn, const struct probe_port *port)
{
	const struct probe_endpoint *from = &plan->hosts->list[like->from_host],
				    *to = &plan->hosts->list[like->to_host];
	struct probe_pair *pair = add_pair(plan, like, turn);

	pair->from = port;
	pair->to = find_peer_port(c, to, port->name, &pair->why);
	if (pair->to && may_pair(c, from, to, pair, &pair->why))
		add_runs(c->asked, from, to, pair);
	pair->is_unused = pair->to && port->lacks[0] && pair->to->lacks[0] && !c->named;
}

/* Two hosts of which one is not there have one row, with the reason. */
static void add_hosts(const struct probe_choice *c, struct probe_plan *plan,
		      const struct probe_pair *like)
{
	const struct probe_endpoint *from = &plan->hosts->list[like->from_host],
				    *to = &plan->hosts->list[like->to_host];
	bool there = probe_endpoint_is_there(from) && probe_endpoint_is_there(to);
	size_t before = plan->count;
	struct err *why;

	for (size_t i = 0; there && i < from->ports_count; i++)
		if (is_chosen(c, &from->ports[i]))
			add_port(c, plan, like, plan->count - before, &from->ports[i]);
	if (plan->count > before)
		return;
	why = &add_pair(plan, like, 0)->why;
	if (there)
		err_record(why, ERR_GONE, 0, "%s has no port to probe", from->name);
	else
		*why = probe_endpoint_is_there(from) ? to->why : from->why;
}

static size_t most_ports(const struct probe_endpoints *hosts)
{
	size_t most = 1;

	for (size_t i = 0; i < hosts->count; i++)
		if (hosts->list[i].ports_count > most)
			most = hosts->list[i].ports_count;
	return most;
}

bool probe_plan_make(struct probe_endpoints *hosts, const struct probe_choice *c,
		     struct probe_plan *ret, struct err *err)
{
	size_t places = round_robin_places(hosts->count);

	*ret = (struct probe_plan){
		.hosts = hosts,
		.rounds = round_robin_rounds(hosts->count),
		.messages = c->messages,
		.size = c->size,
		.min_share = c->asked->min_share > 0 ? c->asked->min_share : PROBE_MIN_SHARE,
	};
	ret->pairs = oom_calloc(ret->rounds * places * most_ports(hosts) + 1, sizeof(*ret->pairs));
	if (!ret->pairs)
		return err_no_memory(err);
	for (size_t i = 0; i < ret->rounds * places; i++) {
		struct probe_pair like = { .round = i / places };

		if (round_robin_pair(hosts->count, like.round, i % places, &like.from_host,
				     &like.to_host))
			add_hosts(c, ret, &like);
	}
	return true;
}

static size_t count_supported(const struct probe_pair *p)
{
	size_t all = 0;

	for (size_t i = 0; i < p->count; i++)
		all += p->runs[i].state != PERFTEST_UNSUPPORTED;
	return all;
}

size_t probe_plan_runs(const struct probe_plan *p)
{
	size_t all = 0;

	for (size_t i = 0; i < p->count; i++)
		all += count_supported(&p->pairs[i]);
	return all;
}

size_t probe_plan_turns(const struct probe_plan *p)
{
	size_t most = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->pairs[i].turn > most)
			most = p->pairs[i].turn;
	return most + 1;
}

size_t probe_plan_steps(const struct probe_plan *p)
{
	size_t most = 0;

	for (size_t i = 0; i < p->count; i++)
		if (count_supported(&p->pairs[i]) > most)
			most = count_supported(&p->pairs[i]);
	return most * probe_plan_turns(p) * p->rounds;
}

bool probe_run_is_silent(const struct probe_run *r)
{
	return r->state == PERFTEST_UNSUPPORTED && !r->is_named;
}

const char *probe_run_name(const struct probe_run *r)
{
	return r->is_control ? "control" : probe_path_names[r->path];
}
