/* Tests of the checks in a bundle: read as the host read them, for any policy to judge. */
#include <stdlib.h>
#include <string.h>

#include "cli/captured/captured_bundle.h"
#include "tests/support/unit.h"

#define SEATED "reseat the adapter or its riser, then reboot"
#define LOWER \
	"A link that trained lower limits the port, fills its receive buffer and sends " \
	"pause."
#define ROW(check, port, status, expected, actual, rest) \
	"{'check': '" check "', 'port': " port ", 'status': '" status "', 'expected': " expected \
	", 'actual': " actual rest "}"

static const struct row {
	const char *sentence, *checks;
	enum ready_id id;
	const char *port; /* NULL: the host */
	struct ready_reading reading;
} rows[] = {
	{ "a value is read without its verdict",
	  ROW("pci-link", "'p0'", "not_ready", "'slot'", "'reduced'",
	      ", 'details': '8 GT/s x8', 'message': '" LOWER "', 'fix': '" SEATED "'"),
	  READY_PCI_LINK,
	  "p0",
	  { READY_MET, 0, "8 GT/s x8", "", "" } },
	{ "a reason and a fix of its own stay",
	  ROW("pci-acs", "'p0'", "not_ready", "'off'", "'on'",
	      ", 'details': 'on in 0000:00:01.0', 'message': 'so it is', 'fix': 'run x'"),
	  READY_PCI_ACS,
	  "p0",
	  { READY_MET, 1, "on in 0000:00:01.0", "so it is", "run x" } },
	{ "a value without an expectation is one as well",
	  ROW("pci-max-read-request", "'p0'", "info", "null", "512", ", 'details': '512 bytes'"),
	  READY_PCI_MAX_READ_REQUEST,
	  "p0",
	  { READY_MET, 512, "512 bytes", "", "" } },
	{ "no limit is a value",
	  ROW("memlock", "null", "ready", "'unlimited'", "'unlimited'", ", 'details': 'unlimited'"),
	  READY_MEMLOCK,
	  NULL,
	  { READY_MET, READY_UNLIMITED, "unlimited", "", "" } },
	{ "what the host did not know is unknown, with its fix",
	  ROW("pci-ats", "'p0'", "unknown", "'off'", "null",
	      ", 'details': null, 'message': 'only root may read it', 'fix': 'run it with sudo'"),
	  READY_PCI_ATS,
	  "p0",
	  { READY_UNKNOWN, 0, "", "only root may read it", "run it with sudo" } },
	{ "what does not apply does not apply",
	  ROW("gpu-distance", "'p0'", "not_applicable", "null", "null",
	      ", 'message': 'no GPU', 'fix': null"),
	  READY_GPU_DISTANCE,
	  "p0",
	  { READY_NOT_APPLICABLE, 0, "", "no GPU", "" } },
	{ "a word of a later version is unknown",
	  ROW("pci-link", "'p0'", "ready", "'slot'", "'doubled'", ", 'details': 'doubled'"),
	  READY_PCI_LINK,
	  "p0",
	  { READY_UNKNOWN, 0, "", "the document has another kind of value", "" } },
	{ "so is a number below zero",
	  ROW("hugepages", "null", "info", "null", "-1", ""),
	  READY_HUGEPAGES,
	  NULL,
	  { READY_UNKNOWN, 0, "", "the document has another kind of value", "" } },
	{ "a check of another port is not this one's",
	  ROW("pci-link", "'p1'", "ready", "'slot'", "'slot'", ""),
	  READY_PCI_LINK,
	  "p0",
	  { READY_UNKNOWN, 0, "", "the document does not have this check of this port", "" } },
	{ "a check of a port is not the host's",
	  ROW("memlock", "'p0'", "ready", "'unlimited'", "'unlimited'", ""),
	  READY_MEMLOCK,
	  NULL,
	  { READY_UNKNOWN, 0, "", "the document does not have this check", "" } },
	{ "what is no check is passed over",
	  "7, {}, {'check': 7}, {'check': 'memlock', 'port': 7, 'actual': 7}",
	  READY_MEMLOCK,
	  "7",
	  { READY_UNKNOWN, 0, "", "the document does not have this check of this port", "" } },
};

static json_t *bundle_of(const char *text)
{
	char *json = strdup(text);
	json_t *doc;

	for (char *at = json; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	doc = json_loads(json, 0, NULL);
	free(json);
	assert_non_null(doc);
	return doc;
}

static struct ready_reading read_part(const char *bundle, enum ready_id id, const char *name)
{
	struct captured_host h = { .bundle = bundle_of(bundle) };
	const struct captured view = { .document = &h };
	struct ready_reading r = { .status = READY_NOT_MET };
	struct port port = { .up = true };

	snprintf(port.id.name, sizeof(port.id.name), "%s", name ? name : "");
	captured_ready_read(&view, id, name ? &port : NULL, &r);
	json_decref(h.bundle);
	return r;
}

static void a_check_is_read(void **s)
{
	const struct row *row = *s;
	const struct ready_reading *want = &row->reading;
	struct ready_reading r;
	char bundle[1024];

	snprintf(bundle, sizeof(bundle),
		 "{'ready': {'schema': 'losslessctl/ready/1', "
		 "'checks': [%s]}}",
		 row->checks);
	r = read_part(bundle, row->id, row->port);
	assert_int_equal(r.status, want->status);
	assert_true(r.value == want->value);
	assert_string_equal(r.actual, want->actual);
	assert_string_equal(r.reason, want->reason);
	assert_string_equal(r.fix, want->fix);
}

static void without_the_part_all_is_unknown(void **s)
{
	struct ready_reading r = read_part("{'show': {}}", READY_MEMLOCK, NULL);

	(void)s;
	assert_int_equal(r.status, READY_UNKNOWN);
	assert_string_equal(r.reason, "the document has no \"ready\"");
	assert_string_equal(r.fix, "collect it with `losslessctl bundle` on the host");
	r = read_part("{'ready': {'schema': 'losslessctl/error/1', 'message': 'no memory', 'fix': "
		      "'add some'}}",
		      READY_PCI_LINK, "p0");
	assert_int_equal(r.status, READY_UNKNOWN);
	assert_string_equal(r.reason, "the host could not tell \"ready\": no memory");
	assert_string_equal(r.fix, "add some");
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, a_check_is_read);
	SUITE_ADD(&s, without_the_part_all_is_unknown);
	return suite_run(&s, "captured ready");
}
