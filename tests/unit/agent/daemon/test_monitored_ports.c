/* Tests of the list of monitored ports: what it keeps of a port that goes, comes or moves. */
#include <errno.h>

#include "agent/daemon/monitored_ports.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

/* A network port of the host, or the RDMA device of a VF that a pod has. */
struct there {
	const char *name, *pci;
	unsigned ifindex; /* 0: in a pod */
	bool is_vf;
};

static const struct there *host; /* up to the first without a name */

static const struct there *find_there(const char *name)
{
	for (const struct there *t = host; t->name; t++)
		if (strcmp(t->name, name) == 0)
			return t;
	return NULL;
}

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	(void)h;
	(void)err;
	*ret = (struct link_list){ .links = calloc(8, sizeof(*ret->links)) };
	for (const struct there *t = host; t->name; t++) {
		struct link *l = &ret->links[ret->count];

		if (!t->ifindex)
			continue;
		*l = (struct link){ .ifindex = t->ifindex, .up = true, .carrier = true };
		snprintf(l->name, sizeof(l->name), "%s", t->name);
		ret->count++;
	}
	return true;
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	for (const struct there *t = host; t->name; t++)
		if (t->is_vf && strstr(path, t->name) && strstr(path, "/physfn/vendor")) {
			snprintf(buf, size, "0x15b3");
			return true;
		}
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
}

static bool describe(struct host *h, struct port *p)
{
	(void)h;
	snprintf(p->id.pci, sizeof(p->id.pci), "%s", find_there(p->id.name)->pci);
	return true;
}

static bool answers_dcb(struct host *h, const char *port)
{
	(void)h;
	(void)port;
	return true;
}

static bool find_rdma(struct host *h, struct port *ports, size_t count, struct port_list *others,
		      struct rdma_names *infiniband, struct err *err)
{
	(void)h, (void)ports, (void)count, (void)infiniband, (void)err;
	*others = (struct port_list){ calloc(8, sizeof(*others->list)), 0 };
	for (const struct there *t = host; t->name; t++) {
		struct port *p = &others->list[others->count];

		if (t->ifindex)
			continue;
		*p = (struct port){ .rdma_port = 1, .no_interface = true };
		snprintf(p->id.name, sizeof(p->id.name), "%s", t->name);
		snprintf(p->id.pci, sizeof(p->id.pci), "%s", t->pci);
		others->count++;
	}
	return true;
}

static enum eswitch_mode eswitch_mode(struct host *h, const struct link_list *all,
				      const struct port *p)
{
	(void)h, (void)all, (void)p;
	return ESWITCH_LEGACY;
}

static const struct backends backends = {
	.ports = { describe, answers_dcb, find_rdma, eswitch_mode },
};

static struct policy *policy;
static struct monitored_ports ports;
static struct host h = { .links = links, .read_file = read_file };
static struct engine engine = { .h = &h, .backends = &backends };

/* Updates the list to these ports of the host. */
static void follow(const struct there *now)
{
	struct monitored_ports old = ports;
	struct err err = { 0 };

	host = now;
	if (!monitored_ports_update(&engine, policy, &old, &ports, &err))
		fail_msg("%s", err.text);
	free(old.list);
}

/* Begins with these ports. */
static void begin(const struct there *now)
{
	free(ports.list);
	ports = (struct monitored_ports){ .list = NULL };
	engine.selection = *EVERY_PORT;
	follow(now);
}

static const struct there first[] = {
	{ "ens1", "0000:01:00.0", 11, false },
	{ "ens2", "0000:02:00.0", 12, false },
	{ .name = NULL },
};
static const struct there second_gone[] = { { "ens1", "0000:01:00.0", 11, false },
					    { .name = NULL } };

static void a_restarted_driver_clears_no_symptom(void **s)
{
	static const struct there restarted[] = { { "ens1", "0000:01:00.0", 21, false },
						  { "ens2", "0000:02:00.0", 12, false },
						  { .name = NULL } };
	struct sampled_port *w;

	(void)s;
	begin(first);
	w = &ports.list[0].sampler;
	w->begun = true;
	w->symptoms.raised[0] = true;
	w->active_symptoms_count = 1;
	w->link.downs[0] = 2;
	follow(restarted);
	w = &ports.list[0].sampler;
	assert_int_equal(ports.list[0].restart, RESTART_SEEN);
	assert_true(w->symptoms.raised[0] && w->active_symptoms_count == 1 &&
		    w->link.downs[0] == 2);
	assert_true(!w->begun && w->inconclusive); /* its counters begin anew */
}

static void a_vf_that_a_pod_takes_or_returns_was_not_restarted(void **s)
{
	static const struct there at_home[] = { { "ens1v0", "0000:01:00.2", 13, true },
						{ .name = NULL } };
	static const struct there in_pod[] = { { "mlx5_2", "0000:01:00.2", 0, true },
					       { .name = NULL } };

	(void)s;
	begin(at_home);
	for (int i = 0; i < 2; i++) {
		follow(i ? at_home : in_pod);
		assert_int_equal(ports.count, 1);
		assert_string_equal(ports.list[0].port.id.name, i ? "ens1v0" : "mlx5_2");
		assert_int_equal(ports.list[0].restart, RESTART_NONE);
		assert_false(ports.list[0].clues & CLUE_DRIVER);
	}
}

static void a_port_that_is_gone_leaves_its_name_to_another(void **s)
{
	static const struct there renamed[] = { { "ens2", "0000:01:00.0", 11, false },
						{ .name = NULL } };

	(void)s;
	begin(first);
	follow(second_gone);
	assert_int_equal(ports.count, 2);
	assert_true(ports.list[1].gone);
	assert_string_equal(ports.list[1].port.id.name, "ens2");
	follow(renamed);
	assert_string_equal(ports.list[0].port.id.name, "ens2");
	assert_string_equal(ports.list[1].port.id.name, "0000:02:00.0");
	follow(first);
	assert_int_equal(ports.count, 2);
	assert_string_equal(ports.list[1].port.id.name, "ens2");
	assert_int_equal(ports.list[1].restart, RESTART_SEEN); /* it is the same port */
}

/* The others are verified, and the verdict is unknown. */
static void a_named_port_may_be_missing(void **s)
{
	static const char *const words[] = { "ens1", "ens2" };
	struct policy *reloaded, *was = policy;

	(void)s;
	begin(first);
	engine.selection = (struct selection){ words, COUNT(words) };
	follow(first);
	assert_int_equal(ports.unmet.count, 0);
	follow(second_gone);
	assert_int_equal(ports.count, 2);
	assert_true(!ports.list[0].gone && ports.list[1].gone);
	assert_int_equal(ports.unmet.count, 1);
	assert_non_null(strstr(ports.unmet.first.text, "no port ens2"));
	policy = reloaded = policy_of("{'version': 1, 'profiles': {'p': {'mtu': 9000}}, "
				      "'rules': [{'match': {'name': 'ens*'}, 'profile': 'p'}]}");
	follow(second_gone);
	assert_int_equal(ports.count, 1);
	assert_int_equal(ports.unmet.count, 1);
	policy = was;
	follow(first);
	free(reloaded);
	assert_int_equal(ports.count, 2);
	assert_int_equal(ports.unmet.count, 0);
}

static void ports_that_are_not_named_are_not_monitored(void **s)
{
	static const char *const words[] = { "ens2" };

	(void)s;
	begin(first);
	engine.selection = (struct selection){ words, COUNT(words) };
	free(ports.list);
	ports = (struct monitored_ports){ .list = NULL };
	follow(first);
	assert_int_equal(ports.count, 1);
	assert_string_equal(ports.list[0].port.id.name, "ens2");
}

int main(void)
{
	struct suite s = { 0 };
	int failed;

	policy = policy_of("{'version': 1, 'profiles': {'p': {'mtu': 9000}}, 'rules': [{'match': "
			   "{'pci': '*'}, 'profile': 'p'}]}");
	SUITE_ADD(&s, a_restarted_driver_clears_no_symptom);
	SUITE_ADD(&s, a_vf_that_a_pod_takes_or_returns_was_not_restarted);
	SUITE_ADD(&s, a_port_that_is_gone_leaves_its_name_to_another);
	SUITE_ADD(&s, a_named_port_may_be_missing);
	SUITE_ADD(&s, ports_that_are_not_named_are_not_monitored);
	failed = suite_run(&s, "monitored_ports");
	free(ports.list);
	free(policy);
	return failed;
}
