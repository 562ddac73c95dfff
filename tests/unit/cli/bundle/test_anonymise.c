/* Tests of anonymising a bundle: names and addresses of the host are replaced, the rest is kept. */
#include <jansson.h>
#include <string.h>

#include "cli/bundle/anonymise.h"
#include "tests/support/unit.h"

/* A bundle with a name in every place that can have one. %s is the host. */
static const char bundle_text[] =
	"{'schema': 'losslessctl/bundle/1', 'host': '%s', 'host_id': 'ed7422bbcc1749e8',"
	" 'boot_id': '665486e2-8ad4', 'losslessctl_version': '0.1.0', 'anonymised': true,"
	" 'show': {'schema': 'losslessctl/show/1', 'host': '%s',"
	"  'platform': {'kernel': '6.1.0-13-amd64', 'mlx5_version': '24.10.1.1'},"
	"  'ports': [{'port': 'ens1f0np0', 'device': {'pci': '0000:3b:00.0', 'rdma': 'mlx5_0',"
	"    'alt_names': ['olymp-0', 'enx0c42a1b2c3d4'], 'bond_alt_names': ['acme-rails'],"
	"    'mac': '0c:42:a1:b2:c3:d4', 'firmware': '16.35.2000 (MT_0000000008)',"
	"    'dcbx_owner_detail': 'NetworkManager (pid 7) sets DCB through lldpad, by "
	"/etc/NetworkManager/"
	"acme.nmconnection; firmware of %s',"
	"    'gids': [{'index': 0, 'gid': 'fe80:0000:0000:0000:0e42:a1ff:feb2:c3d4'},"
	"     {'index': 1, 'gid': 'fe80:0000:0000:0000:0e42:a1ff:feb2:c3d4'}]},"
	"   'config': {'trust': 'dscp', 'dcbx': {'mode': 'host'}, 'dscp': {'prio': {'26': 3}}},"
	"   'unavailable_settings': [{'setting': 'ecn.np', 'status': 'unsupported',"
	"    'message': 'mlx5_0 of 0000:3b:00.1 has no rdma group, ecn, host or dscp'}]},"
	"  {'port': 'enx0c42a1b2c3d5', 'device': {'pci': '0000:3b:00.1'}}]},"
	" 'files': {'/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/np_cnp_dscp': '48',"
	"  '/sys/class/infiniband/mlx5_0/ports/1/gids/0': "
	"'fe80:0000:0000:0000:0e42:a1ff:feb2:c3d4'},"
	" 'peer': {'ports': [{'peer': {'chassis_id': '1c:34:da:00:00:01', 'port_id': 'swp7',"
	"  'system_name': 'leaf-7.acme.example', 'port_description': 'to %s, rack 9',"
	"  'unknown_tlvs': [{'oui': '00-1C-73', 'hex': '6c6561662d3761636d65'}]}},"
	"  {'peer': {'chassis_id': 'chassis of acme', 'port_id': 'swp8', 'system_name': null}}]},"
	" 'applies': {'applies': [{'user': 'alice', 'policy_name': 'acme-gpu'},"
	"  {'user': 'root', 'policy_name': 'acme-gpu'}]},"
	" 'drift': {'records': [{'likely_writer': 'losslessctl apply (alice, 12:00:03Z)'},"
	"  {'likely_writer': 'losslessctl rollback (bob, 12:00:03Z)'}, {'likely_writer': "
	"'unknown'}]},"
	" 'verify': {'ports': [{'settings': [{'setting': 'trust', 'origin': 'zeus.json:14'},"
	"  {'setting': 'ets.tsa', 'origin': '/etc/policy.json:9, class \\'olymp\\''},"
	"  {'setting': 'mtu', 'origin': '/home/alice/argo-pilot/rail.json:3'},"
	"  {'setting': 'mtu', 'origin': '/srv/minos/policy.json:3'},"
	"  {'setting': 'mtu', 'origin': '/etc/losslessctl/policy.json:3'}],"
	"  'symptoms': "
	"[{'origin': "
	"'fabric'}]}]},"
	" 'status': "
	"{'policy': "
	"{'name': "
	"'acme-gpu', "
	"'sha256': "
	"'9f86d08188', "
	"'signer': "
	"'carol@acme'},"
	"  "
	"'unmet_message':"
	" 'rule 1 of "
	"acme-gpu on "
	"10.9.8.7 has no "
	"port'}}";

static char text[8192], *out;
static json_t *before, *after;

static void anonymise_host(const char *host)
{
	snprintf(text, sizeof(text), bundle_text, host, host, host, host);
	for (char *c = text; *c; c++)
		*c = (char)(*c == '\'' ? '"' : *c);
	before = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(before);
	after = anonymise(before);
	out = json_dumps(after, JSON_COMPACT);
	assert_non_null(out);
}

static void forget(void)
{
	json_decref(before);
	json_decref(after);
	free(out);
}

/* Return the text at a JSON pointer without escapes. */
static const char *at(const json_t *j, const char *pointer)
{
	char key[128];

	while (*pointer == '/') {
		size_t n = strcspn(++pointer, "/");

		snprintf(key, sizeof(key), "%.*s", (int)n, pointer);
		j = json_is_array(j) ? json_array_get(j, (size_t)atoi(key))
				     : json_object_get(j, key);
		pointer += n;
	}
	return json_string_value(j);
}

static void no_original_remains(void **s)
{
	static const char *const originals[] = {
		"gpu-17",  "acme",  "alice", "bob",	 "carol",  "0c:42",  "0c42",
		"0e42",	   "3b:00", "1c:34", "10.9.8.7", "ed7422", "665486", "rack 9",
		"6c65616", "zeus",  "olymp", "argo",	 "minos",
	};

	(void)s;
	anonymise_host("gpu-17.acme.example");
	for (size_t i = 0; i < COUNT(originals); i++)
		if (strstr(out, originals[i]))
			fail_msg("%s is left in %s", originals[i], out);
	forget();
}

static void equal_originals_have_equal_replacements(void **s)
{
	static const char *const pairs[][2] = {
		{ "/host", "/show/host" },
		{ "/show/ports/0/device/gids/0/gid", "/show/ports/0/device/gids/1/gid" },
		{ "/applies/applies/0/policy_name", "/status/policy/name" },
	};

	(void)s;
	anonymise_host("gpu-17");
	for (size_t i = 0; i < COUNT(pairs); i++)
		assert_string_equal(at(after, pairs[i][0]), at(after, pairs[i][1]));
	assert_string_equal(at(after, "/verify/ports/0/symptoms/0/origin"), "fabric");
	assert_string_equal(at(after, "/show/ports/0/device/pci"), "0000:01:00.0");
	assert_string_equal(at(after, "/show/ports/1/device/pci"), "0000:01:00.1");
	assert_non_null(
		strstr(out, "\"/sys/kernel/debug/mlx5/0000:01:00.0/cc_params/np_cnp_dscp\""));
	assert_string_not_equal(at(after, "/applies/applies/0/user"),
				at(after, "/applies/applies/1/user"));
	forget();
}

static void every_length_is_kept(void **s)
{
	char *original;

	(void)s;
	anonymise_host("gpu-17");
	original = json_dumps(before, JSON_COMPACT);
	assert_int_equal(strlen(out), strlen(original));
	free(original);
	forget();
}

static void what_names_nobody_stays(void **s)
{
	static const char *const same[] = {
		"/show/platform/kernel",
		"/show/platform/mlx5_version",
		"/show/ports/0/port",
		"/show/ports/0/device/rdma",
		"/show/ports/0/device/firmware",
		"/show/ports/0/config/dcbx/mode",
		"/peer/ports/0/peer/port_id",
		"/applies/applies/1/user",
		"/drift/records/2/likely_writer",
		"/status/policy/sha256",
		"/verify/ports/0/settings/4/origin",
	};

	(void)s;
	anonymise_host("gpu-17");
	for (size_t i = 0; i < COUNT(same); i++)
		assert_string_equal(at(before, same[i]), at(after, same[i]));
	forget();
}

static void the_same_bundle_has_the_same_copy(void **s)
{
	char *first;

	(void)s;
	anonymise_host("gpu-17");
	first = strdup(out);
	forget();
	anonymise_host("gpu-17");
	assert_string_equal(first, out);
	forget();
	free(first);
}

/* A host name that is a common word stays in sentences and in settings. */
static void a_host_may_be_called_like_a_word(void **s)
{
	static const char *const words[] = { "rdma", "host", "dscp", "ecn", "port", "a", "root" };
	const char *message = "/show/ports/0/unavailable_settings/0/message";

	(void)s;
	for (size_t i = 0; i < COUNT(words); i++) {
		anonymise_host(words[i]);
		if (strcmp(words[i], "root") != 0)
			assert_string_not_equal(at(after, "/host"), words[i]);
		assert_string_equal(at(after, "/show/ports/0/config/dcbx/mode"), "host");
		assert_string_equal(at(after, "/show/ports/0/config/trust"), "dscp");
		assert_string_equal(at(after, message),
				    "mlx5_0 of 0000:01:00.1 has no rdma group, ecn, host or dscp");
		forget();
	}
}

/* A bundle that was anonymised before comes in again, as from the simulated port. */
static void a_replacement_is_no_original(void **s)
{
	static const char twice[] = "{\"host\": \"host1\", \"show\": {\"a\": \"02:00:00:00:00:01\","
				    " \"b\": \"02:00:00:00:00:02\", \"c\": \"0000:01:00.0\"}}";
	json_t *j = json_loads(twice, 0, NULL), *copy = anonymise(j);

	(void)s;
	assert_string_equal(at(copy, "/host"), "host2");
	assert_string_equal(at(copy, "/show/a"), "02:00:00:00:00:03");
	assert_string_equal(at(copy, "/show/b"), "02:00:00:00:00:04");
	assert_string_not_equal(at(copy, "/show/c"), "0000:01:00.0");
	json_decref(j);
	json_decref(copy);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, no_original_remains);
	SUITE_ADD(&s, equal_originals_have_equal_replacements);
	SUITE_ADD(&s, every_length_is_kept);
	SUITE_ADD(&s, what_names_nobody_stays);
	SUITE_ADD(&s, the_same_bundle_has_the_same_copy);
	SUITE_ADD(&s, a_host_may_be_called_like_a_word);
	SUITE_ADD(&s, a_replacement_is_no_original);
	return suite_run(&s, "anonymise");
}
