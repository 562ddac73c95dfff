/* Tests of recognizing NetworkManager as the owner of a port's DCB, by its profiles. */
#include "tests/support/owned_host.h"
#include "tests/support/unit.h"

#define NM	RUNS("99", "NetworkManager", "/usr/sbin/NetworkManager\0--no-daemon")
#define PROFILE "etc/NetworkManager/system-connections/storage.nmconnection"
#define OURS	"[connection]\nid=storage\ninterface-name=ens1f0np0\n"
#define DCB	"\n[dcb]\npriority-flow-control-flags=1\n"

static const struct owner_row managed[] = {
	{ "NetworkManager sets DCB by a keyfile",
	  HOST,
	  0,
	  { NM, { PROFILE, OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "NetworkManager (pid 99) sets DCB through lldpad, by "
	  "storage.nmconnection" },
	{ "it has the word over the lldpad that it uses",
	  HOST,
	  0,
	  { NM, LLDPAD, { PROFILE, DCB OURS, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "pid 99" },
	{ "a profile for any port counts",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name=\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "a profile for another port does not",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name=eno1\n" DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a profile for another adapter does not",
	  HOST,
	  0,
	  { NM, { PROFILE, "[ethernet]\nmac-address=02:00:00:00:00:0B\n" DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a profile for this adapter does",
	  HOST,
	  0,
	  { NM, { PROFILE, "[ethernet]\nmac-address=02:00:00:00:00:0A\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "a profile without DCB does not",
	  HOST,
	  0,
	  { NM, { PROFILE, OURS "# [dcb]\n", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a copy of a profile counts",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/storage.bak", OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage.bak" },
	{ "a hidden file does not",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/.storage", OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a backup of an editor does not",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/storage.nmconnection~", OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a certificate does not",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/storage.PEM", OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "nor does a temporary file",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/storage.X1y2Z3", OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "beside /etc the name of a profile has its end",
	  HOST,
	  0,
	  { NM, { "run/NetworkManager/system-connections/storage", OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "blanks in a profile are none",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection] \n  interface-name =  ens1f0np0 \t\n  \n [dcb]\n", 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "quotes in a profile are none",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name='ens1f0np0'\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "nor do they make it this port's",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name=\"eno1\"\n" DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "an address that is not the adapter's own is about something else",
	  HOST,
	  0,
	  { NM, { PROFILE, "[bridge]\nmac-address=02:00:00:00:00:0B\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "a profile of an older version has a name without an end",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/storage", OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "by storage" },
	{ "a profile that is too long to read sets nothing",
	  HOST,
	  0,
	  { NM, { PROFILE, (char[20000]){ OURS DCB }, 20000 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "of two profiles one is named",
	  HOST,
	  0,
	  { NM,
	    { PROFILE, OURS DCB, 0 },
	    { "etc/NetworkManager/system-connections/another.nmconnection", OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  ".nmconnection" },
	{ "a profile in /run counts",
	  HOST,
	  0,
	  { NM, { "run/NetworkManager/system-connections/r.nmconnection", OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "r.nmconnection" },
	{ "where NetworkManager does not run it sets nothing",
	  HOST,
	  0,
	  { { PROFILE, OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "an ifcfg file counts",
	  HOST,
	  0,
	  { NM,
	    { "etc/sysconfig/network-scripts/ifcfg-ens1f0np0", "BOOTPROTO=none\nDCB=\"yes\"\n",
	      0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "ifcfg-ens1f0np0" },
	{ "an ifcfg file that says no does not",
	  HOST,
	  0,
	  { NM, { "etc/sysconfig/network-scripts/ifcfg-ens1f0np0", "DCB=no\n", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
};

static enum dcbx_owner owner_of(const struct port *port)
{
	struct err err = { 0 };
	struct owner o;

	assert_true(owner_find(&outside.host, port, &o, &err));
	return o.who;
}

static void profiles_without_dcb_are_read_once_a_run(void **s)
{
	static const struct file before[FILES_MAX] = { NM, { PROFILE, OURS, 0 } };
	static const struct file after[FILES_MAX] = { NM, { PROFILE, OURS DCB, 0 } };

	(void)s;
	put_files(before);
	assert_int_equal(owner_of(&owned_port), OWNER_NOBODY);
	add_files(after);
	assert_int_equal(owner_of(&owned_port), OWNER_NOBODY);
	run_facts_forget(&outside.host.facts);
	assert_int_equal(owner_of(&owned_port), OWNER_NETWORKMANAGER);
}

static void a_profile_of_one_port_is_found_after_another_port_has_none(void **s)
{
	static const struct file files[FILES_MAX] = { NM, { PROFILE, OURS DCB, 0 } };
	struct port another = owned_port;

	(void)s;
	another.id.name[0] = 'x';
	put_files(files);
	assert_int_equal(owner_of(&another), OWNER_NOBODY);
	assert_int_equal(owner_of(&owned_port), OWNER_NETWORKMANAGER);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, managed, is_owned_so);
	SUITE_ADD(&s, profiles_without_dcb_are_read_once_a_run);
	SUITE_ADD(&s, a_profile_of_one_port_is_found_after_another_port_has_none);
	return _cmocka_run_group_tests("who owns a port", s.tests, s.count, make_root, remove_root);
}
