/*
 * Tests of recognizing DSCP entries that an lldpad deleted when it ended, by its file or by the
 * entries that remain.
 */
#include <errno.h>
#include <string.h>

#include "dcb/lldpad/config_file.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

struct world {
	struct host host;
	const char *conf; /* lldpad's file; NULL: there is none */
	int code;	  /* the errno of reading it; 0: it can be read */
	unsigned reads;
};

static const struct port port = { .id.name = "ens1f0np0" };

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct world *w = (struct world *)h;

	w->reads += strstr(path, "lldpad.conf") != NULL;
	if (strstr(path, "lldpad.conf") && w->code)
		return err_set(err, ERR_DENIED, w->code, "%s", strerror(w->code));
	if (!strstr(path, "lldpad.conf") || !w->conf)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
	snprintf(buf, size, "%s", w->conf);
	return true;
}

static bool list_dir(struct host *h, const char *path, void (*each)(const char *, void *),
		     void *arg, struct err *err)
{
	(void)h;
	(void)each;
	(void)arg;
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

/* A table in which these DSCPs have priority 3. */
static struct config table(uint64_t dscps)
{
	struct config c = { .has = SETTING(SETTING_DSCP_PRIO) };

	for (int d = 0; d < DSCPS; d++)
		c.dscp.prio[d] = dscps >> d & 1 ? 3 : DSCP_NONE;
	c.trust = dscps ? TRUST_DSCP : TRUST_PCP;
	return c;
}

#define D(dscp) (UINT64_C(1) << (dscp))
#define CONF \
	"lldp : { ens1f0np0 : { tlvid0080c20c : { APP0 = \"3,5,   26\"; APP1 = \"3,5,   27\"; " \
	"APP2 = \"3,1,  28\"; APP3 = \"3,5,  99\"; }; }; };\n"

static const struct row {
	const char *sentence;
	uint64_t desired, actual;
	const char *conf;
	int code;
	const char *says; /* the beginning of the likely cause; "": none */
} rows[] = {
	{ "nothing gone is nothing to say", D(26), D(26), CONF, 0, "" },
	{ "what is gone and in lldpad's file was lldpad's", D(26) | D(30), D(30), CONF, 0,
	  "1 DSCP entry is gone, 1 of them in lldpad's file: an lldpad that ends deletes its "
	  "entries." },
	{ "with the last one goes the trust", D(26) | D(27), 0, CONF, 0,
	  "2 DSCP entries are gone, 2 of them in lldpad's file: an lldpad that ends deletes "
	  "its entries, and the last one resets trust." },
	{ "another selector and no DSCP are not its", D(28) | D(40), D(40), CONF, 0,
	  "1 DSCP entry is gone and the others remain: an lldpad that ends deletes its "
	  "entries, including the switch's." },
	{ "where nothing is left and the file knows nothing of it who knows", D(40), 0, CONF, 0,
	  "" },
	{ "a host without lldpad has lost it otherwise", D(26) | D(30), D(30), NULL, 0, "" },
	{ "who may not read the file goes by what is left", D(26) | D(30), D(30), CONF, EACCES,
	  "1 DSCP entry is gone and the others remain" },
	{ "a file that cannot be read as one knows nothing", D(26) | D(30), D(30), "lldp : {", 0,
	  "1 DSCP entry is gone and the others remain" },
	{ "an entry that was not desired is another program's", D(26) | D(30), D(30) | D(31), CONF,
	  0, "1 DSCP entry is gone, 1 of them" },
	{ "and where the file knows nothing, nothing is said", D(40) | D(30), D(30) | D(31), CONF,
	  0, "" },
};

static void it_is_suspected_so(void **s)
{
	const struct row *row = *s;
	struct world w = { .host = { .read_file = read_file, .list_dir = list_dir },
			   .conf = row->conf,
			   .code = row->code };
	struct config desired = table(row->desired), actual = table(row->actual);
	char says[LIKELY_CAUSE_MAX] = "unset";

	lldpad_likely_cause(&w.host, &port, &desired, &actual, says);
	if (row->says[0])
		assert_memory_equal(says, row->says, strlen(row->says));
	else
		assert_string_equal(says, "");
}

static void what_is_not_wanted_or_not_read_is_not_missed(void **s)
{
	struct world w = { .host = { .read_file = read_file, .list_dir = list_dir }, .conf = CONF };
	struct config table_26 = table(D(26)), none = table(0), unset = { 0 };
	char says[LIKELY_CAUSE_MAX];

	(void)s;
	lldpad_likely_cause(&w.host, &port, &unset, &none, says);
	assert_string_equal(says, "");
	none.has = 0;
	lldpad_likely_cause(&w.host, &port, &table_26, &none, says);
	assert_string_equal(says, "");
}

static void a_run_looks_for_a_missing_file_once(void **s)
{
	struct world w = {
		.host = { .read_file = read_file, .list_dir = list_dir, .facts.is_kept = true }
	};
	struct config desired = table(D(26) | D(30)), actual = table(D(30));
	char says[LIKELY_CAUSE_MAX];

	(void)s;
	for (int i = 0; i < 3; i++) {
		lldpad_likely_cause(&w.host, &port, &desired, &actual, says);
		assert_string_equal(says, "");
	}
	assert_int_equal(w.reads, 1);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_suspected_so);
	SUITE_ADD(&s, what_is_not_wanted_or_not_read_is_not_missed);
	SUITE_ADD(&s, a_run_looks_for_a_missing_file_once);
	return suite_run(&s, "lldpad_traces");
}
