/* Hosts that were recorded (tests/hw/accept --bundle): what they told then is still understood. */
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/host/cleanup.h"
#include "agent/monitor/counter.h"
#include "agent/host/host_linux.h"
#include "dcb/registry.h"
#include "policy/document/policy.h"
#include "policy/document/resolve.h"
#include "roce/registry.h"
#include "tests/support/unit.h"

#define TEXT_MAX (256u << 10)

/* Those that read nothing but files. */
static const struct feature *const readers[] = {
	&feature_cnp_debugfs, &feature_dcqcn_debugfs, &feature_roce_mode,
	&feature_roce_tos,    &feature_roce_gid,      &feature_tcp_ecn,
};

struct recorded {
	char name[PATH_TEXT_MAX];
	char text[TEXT_MAX];
};

static const char *load(struct recorded *r, const char *file)
{
	char path[2 * PATH_TEXT_MAX];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), HOSTS "/%s/%s", r->name, file);
	f = fopen(path, "r");
	if (!f)
		fail_msg("%s is not there", path);
	n = fread(r->text, 1, TEXT_MAX - 1, f);
	fclose(f);
	r->text[n] = '\0';
	return r->text;
}

static struct config shown(struct recorded *r)
{
	const char *text = load(r, "show.json");
	_free_ struct policy *p = NULL;
	struct config c = { 0 };
	struct err err = { 0 };

	if (!policy_parse(&p, text, strlen(text), r->name, &err))
		fail_msg("%s: %s: %s", r->name, err.where, err.text);
	assert_int_equal(p->count, 1);
	if (!rule_desired_of(&p->rules[0], 0, &c, &err))
		fail_msg("%s: %s", r->name, err.text);
	return c;
}

static struct port port_of(struct recorded *r)
{
	struct port port = { .rdma_port = 1 };
	const char *name, *pci, *rdma;
	json_t *j = json_loads(load(r, "show.json"), 0, NULL);

	assert_int_equal(json_unpack(j, "{s[{s:s,s:{s:s,s:s}}]}", "ports", "port", &name, "device",
				     "pci", &pci, "rdma", &rdma),
			 0);
	snprintf(port.id.name, ID_MAX, "%s", name);
	snprintf(port.id.pci, ID_MAX, "%s", pci);
	snprintf(port.id.rdma, ID_MAX, "%s", rdma);
	json_decref(j);
	return port;
}

/* What show told of a reader's settings, the reader still finds in the files, and no more. */
static void its_files_are_read_as_they_were(void **s)
{
	_free_ struct recorded *r = *s;
	struct config desired = shown(r);
	struct port port = port_of(r);
	char root[2 * PATH_TEXT_MAX];
	struct host_linux l;
	struct err err = { 0 };

	snprintf(root, sizeof(root), HOSTS "/%s/files", r->name);
	assert_true(host_linux_open(&l, root, false, &err));
	for (size_t i = 0; i < COUNT(readers); i++) {
		const struct feature *f = readers[i];
		struct config seen = { 0 }, told = desired;

		told.has &= f->owns;
		if (!f->read(&l.host, &port, &seen, &err) && told.has)
			fail_msg("%s: %s: %s", r->name, f->name, err.text);
		assert_int_equal(seen.has, told.has);
		assert_int_equal(config_diff(&told, &seen), 0);
	}
	host_linux_close(&l);
}

static void pause_is_counted_where_pfc_is_on(void **s)
{
	_free_ struct recorded *r = *s;
	struct config actual = shown(r);
	const char *text = load(r, "ethtool-S"), *rest = counters[COUNT_RX_PAUSE_US].name;
	const char *mark = strchr(rest, '#');

	for (int prio = 0; prio < PRIOS; prio++) {
		char name[64];

		snprintf(name, sizeof(name), " %.*s%d%s:", (int)(mark - rest), rest, prio,
			 mark + 1);
		assert_int_equal(strstr(text, name) != NULL, actual.pfc.priorities >> prio & 1);
	}
}

static void add(struct suite *s, const char *host, const char *sentence, CMUnitTestFunction f)
{
	struct recorded *r = calloc(1, sizeof(*r));
	char spelled[SENTENCE_MAX];

	assert_non_null(r);
	snprintf(r->name, sizeof(r->name), "%s", host);
	snprintf(spelled, sizeof(spelled), "%.40s: %s", host, sentence);
	suite_add(s, spelled, f, r);
}

int main(void)
{
	struct suite s = { 0 };
	struct dirent **hosts;
	int count = scandir(HOSTS, &hosts, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		const char *host = hosts[i]->d_name;

		if (host[0] != '.') {
			add(&s, host, "its files are read as they were",
			    its_files_are_read_as_they_were);
			add(&s, host, "pause is counted where PFC is on",
			    pause_is_counted_where_pfc_is_on);
		}
		free(hosts[i]);
	}
	free(hosts);
	return suite_run(&s, "hosts");
}
