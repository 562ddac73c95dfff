/* Tests of a policy's "ready": the table of checks, defaults, and refusals with their places. */
#include <stdlib.h>
#include <string.h>

#include "policy/document/policy.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define POLICY(ready) \
	"{'version':1," ready "'profiles':{'p':{'mtu':1500}}," \
	"'rules':[{'match':{'name':'a'},'profile':'p'}]}"

static void every_row_says_all_that_its_readers_print(void **s)
{
	(void)s;
	for (size_t i = 0; i < READY_COUNT; i++) {
		const struct ready_check *c = &ready_checks[i];

		assert_true(c->name && c->doc && c->reason && c->source);
		assert_string_equal(c->path + strlen("ready."), c->name);
		assert_true(c->words[0] ? !c->unit && !c->max : c->unit && c->max);
		assert_true(!c->may_be_unlimited || c->relation == READY_AT_LEAST);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(c->name, ready_checks[k].name);
	}
}

static void every_expected_value_has_a_fix(void **s)
{
	char text[READY_FIXES_TEXT];

	(void)s;
	for (size_t i = 0; i < READY_COUNT; i++) {
		const struct ready_check *c = &ready_checks[i];

		assert_true(strlen(ready_fixes_text(c, text)) + 1 < sizeof(text));
		assert_true(text[0]);
		/* Every value is at least the lowest. */
		for (uint64_t k = c->relation == READY_AT_LEAST; c->words[k] && !c->fix; k++)
			assert_true(ready_fix_of(c, k)[0] || strcmp(c->words[k], "partly") == 0);
	}
	assert_non_null(strstr(ready_fix_of(&ready_checks[READY_GPU_MEMORY], 1), "open kernel"));
	assert_string_equal(
		ready_fixes_text(&ready_checks[READY_PCI_ATS], text),
		"for off, set ATS_ENABLED=0 in the firmware of device ADDRESS with mstconfig, then "
		"reboot; for on, set ATS_ENABLED=1 in the firmware of device ADDRESS with "
		"mstconfig, then reboot");
}

static void every_default_is_a_value_of_its_check(void **s)
{
	const struct ready_expectations e = ready_defaults();
	char text[READY_VALUE_TEXT];

	(void)s;
	for (size_t i = 0; i < READY_COUNT; i++) {
		const struct ready_check *c = &ready_checks[i];

		assert_int_equal(!!(e.judged & READY(i)), c->default_value != NULL);
		if (c->default_value)
			assert_string_equal(ready_value_text(c, e.value[i], text),
					    c->default_value);
	}
}

static void without_ready_a_policy_has_the_defaults(void **s)
{
	const struct ready_expectations e = ready_defaults();
	struct policy *p = policy_of(POLICY("'ready':{'comment':'none yet'},"));

	(void)s;
	assert_memory_equal(&p->ready, &e, sizeof(e));
	free(p);
}

static void without_a_policy_a_port_may_lack_its_link_and_its_gid(void **s)
{
	(void)s;
	assert_int_equal(ready_defaults().judged & ~ready_without_policy().judged,
			 READY(READY_LINK) | READY(READY_GID));
}

static const struct taken_row {
	const char *sentence, *text;
	enum ready_id id;
	bool ignored;
	uint64_t value;
} taken[] = {
	{ "a word", "'pci-acs':'on'", READY_PCI_ACS, false, 1 },
	{ "another word than the default", "'pci-link':'full'", READY_PCI_LINK, false, 2 },
	{ "a number", "'pci-max-read-request':4096", READY_PCI_MAX_READ_REQUEST, false, 4096 },
	{ "zero", "'link-downs':0", READY_LINK_DOWNS, false, 0 },
	{ "a number where unlimited is the default", "'memlock':65536", READY_MEMLOCK, false,
	  65536 },
	{ "unlimited", "'memlock-services':'unlimited'", READY_MEMLOCK_SERVICES, false,
	  READY_UNLIMITED },
	{ "a check that is ignored", "'gid':'ignore'", READY_GID, true, 2 },
	{ "a number that is ignored", "'hugepages':'ignore'", READY_HUGEPAGES, true, 0 },
};

static void is_taken(void **s)
{
	const struct taken_row *row = *s;
	char text[JSON_TEXT_MAX];
	struct policy *p;

	snprintf(text, sizeof(text), POLICY("'ready':{%s},"), row->text);
	p = policy_of(text);
	assert_int_equal(!!(p->ready.ignored & READY(row->id)), row->ignored);
	assert_true(row->ignored || (p->ready.judged & READY(row->id)));
	assert_true(p->ready.value[row->id] == row->value);
	free(p);
}

static const struct refused_row {
	const char *sentence, *text, *pointer, *says, *fix;
} refused[] = {
	{ "a list of checks", "'ready':[],", "/ready", "expected an object of checks", "" },
	{ "ready that is true", "'ready':true,", "/ready", "expected an object of checks", "" },
	{ "a misspelt check", "'ready':{'pci_acs':'off'},", "/ready/pci_acs", "unknown key",
	  "did you mean \"pci-acs\"?" },
	{ "a word of another check", "'ready':{'pci-acs':'full'},", "/ready/pci-acs",
	  "expected \"off\", \"on\" or \"ignore\"", "" },
	{ "a truth value", "'ready':{'pci-acs':true},", "/ready/pci-acs",
	  "expected \"off\", \"on\" or \"ignore\"", "" },
	{ "a number where a word belongs", "'ready':{'pci-link':1},", "/ready/pci-link",
	  "expected \"reduced\", \"slot\", \"full\" or \"ignore\"", "" },
	{ "a number below zero", "'ready':{'link-downs':-1},", "/ready/link-downs",
	  "a whole number, 0 to 1000000000000 times or \"ignore\"", "" },
	{ "a number beyond the largest", "'ready':{'pci-max-read-request':4097},",
	  "/ready/pci-max-read-request", "0 to 4096 bytes", "" },
	{ "a fraction", "'ready':{'rdma-mtu':1.5},", "/ready/rdma-mtu", "a whole number", "" },
	{ "unlimited of what has an end", "'ready':{'rdma-mtu':'unlimited'},", "/ready/rdma-mtu",
	  "a whole number, 0 to 4096 bytes or \"ignore\"", "" },
	{ "a limit in quotes", "'ready':{'memlock':'65536'},", "/ready/memlock",
	  "\"unlimited\" or \"ignore\"", "" },
	{ "a comment that is no text", "'ready':{'comment':1},", "/ready/comment", "", "" },
};

static void is_refused(void **s)
{
	const struct refused_row *row = *s;
	char text[JSON_TEXT_MAX];
	struct err err;

	snprintf(text, sizeof(text), POLICY("%s"), row->text);
	err = refusal_of(text);
	assert_string_equal(err.at.pointer, row->pointer);
	if (!strstr(err.text, row->says) || !strstr(err.fix, row->fix))
		fail_msg("says \"%s\", \"%s\"", err.text, err.fix);
}

static void at_least_and_at_most_include_the_value(void **s)
{
	const struct ready_check *least = &ready_checks[READY_RDMA_MTU],
				 *most = &ready_checks[READY_LINK_DOWNS],
				 *is = &ready_checks[READY_PCI_ACS];

	(void)s;
	assert_true(ready_meets(least, 4096, 4096) && !ready_meets(least, 4096, 2048));
	assert_true(ready_meets(most, 3, 3) && !ready_meets(most, 3, 4));
	assert_true(ready_meets(is, 1, 1) && !ready_meets(is, 1, 0) && !ready_meets(is, 0, 1));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, every_row_says_all_that_its_readers_print);
	SUITE_ADD(&s, every_expected_value_has_a_fix);
	SUITE_ADD(&s, every_default_is_a_value_of_its_check);
	SUITE_ADD(&s, without_ready_a_policy_has_the_defaults);
	SUITE_ADD(&s, without_a_policy_a_port_may_lack_its_link_and_its_gid);
	SUITE_ADD_ROWS(&s, taken, is_taken);
	SUITE_ADD_ROWS(&s, refused, is_refused);
	SUITE_ADD(&s, at_least_and_at_most_include_the_value);
	return suite_run(&s, "ready_check_table");
}
