/* Tests of the differences of two captured hosts. */
#include <sys/mman.h>
#include <unistd.h>

#include "cli/captured/captured_host.h"
#include "tests/support/unit.h"

#define ON_ANOTHER(setting) \
	"{'setting': '" setting "', 'status': 'on_another_port', 'message': 'it is there'}"

static const struct row {
	const char *sentence, *limits[2], *config[2], *unavailable[2];
	const char
		*lines; /* each difference: its subject, both texts, and whether both are known */
} rows[] = {
	{ "equal hosts have none", { "", "" }, { "'mtu': 1500", "'mtu': 1500" }, { "", "" }, "" },
	{ "settings differ",
	  { "", "" },
	  { "'mtu': 1500", "'mtu': 9000" },
	  { "", "" },
	  "mtu 1500 9000 known\n" },
	{ "only the first has a VLAN device",
	  { "", "" },
	  { "'vlan': {'egress': {'p0.7': {'3': 3}}}", "'vlan': {'egress': {}}" },
	  { "", "" },
	  "vlan.egress p0.7 3:3 none known\n" },
	{ "only the second has it",
	  { "", "" },
	  { "'vlan': {'egress': {}}", "'vlan': {'egress': {'p0.7': {'3': 3}}}" },
	  { "", "" },
	  "vlan.egress none p0.7 3:3 known\n" },
	{ "another member of the bond has it",
	  { "", "" },
	  { "", "'roce': {'tos': 106}" },
	  { ON_ANOTHER("roce.tos"), "" },
	  "" },
	{ "or has it on the second host",
	  { "", "" },
	  { "'roce': {'tos': 106}", "" },
	  { "", ON_ANOTHER("roce.tos") },
	  "" },
	{ "the second has no device above the port",
	  { "'largest_upper': 'vlan7', 'largest_upper_mtu': 9000",
	    "'largest_upper': null, 'largest_upper_mtu': null" },
	  { "", "" },
	  { "", "" },
	  "largest_upper_mtu 9000 none known\n" },
	{ "the names of devices above are no difference",
	  { "'upper': 'a', 'largest_upper': 'vlan7'", "'upper': 'b', 'largest_upper': 'vlan8'" },
	  { "", "" },
	  { "", "" },
	  "" },
	{ "a limit that nobody knows is unknown",
	  { "'max_mtu': 9978", "'max_mtu': null" },
	  { "", "" },
	  { "", "" },
	  "max_mtu 9978 unknown unknown\n" },
};

static char seen[1024];

static void note(const struct host_difference *d, void *arg)
{
	size_t used = strlen(seen);

	(void)arg;
	snprintf(seen + used, sizeof(seen) - used, "%s %s %s %s\n", d->subject, d->texts[0],
		 d->texts[1], d->is_known ? "known" : "unknown");
}

static void read_host(const struct row *row, int side, struct captured_host *ret)
{
	int fd = memfd_create("host", 0);
	struct err err = { 0 };
	char text[1024];

	snprintf(text, sizeof(text),
		 "{'schema': 'losslessctl/show/1', 'ports': [{'port': 'p0', 'device': {}, "
		 "'capabilities': {%s}, 'config': {%s}, 'unavailable_settings': [%s]}]}",
		 row->limits[side], row->config[side], row->unavailable[side]);
	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	*ret = (struct captured_host){ .document = NULL };
	if (!captured_host_read(fd, ret, &err))
		fail_msg("%s: %s", err.where, err.text);
	close(fd);
}

static void hosts_differ_so(void **s)
{
	struct captured_host a, b;

	read_host(*s, 0, &a);
	read_host(*s, 1, &b);
	seen[0] = '\0';
	host_diff_each(&a, &b, note, NULL);
	assert_string_equal(seen, ((const struct row *)*s)->lines);
	captured_host_clear(&a);
	captured_host_clear(&b);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, hosts_differ_so);
	return suite_run(&s, "host_diff");
}
