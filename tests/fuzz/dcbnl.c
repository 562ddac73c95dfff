/* Fuzz target: the kernel's answers about DCB settings, capabilities and uplinks. */
#include "../../dcb/capabilities.h"
#include "../../dcb/registry.h"
#include "fuzz.h"
#include "outside.h"

static const struct feature *const features[] = {
	&feature_dcbx, &feature_mtu, &feature_buffer,	 &feature_cable,
	&feature_pfc,  &feature_ets, &feature_reco,	 &feature_maxrate,
	&feature_dscp, &feature_app, &feature_app_trust, &feature_vlan,
};

#define FEATURES (sizeof(features) / sizeof(features[0]))

static void ask_guards(struct outside *o)
{
	char why[GUARD_WHY_MAX];

	snprintf(o->host.session.peer, sizeof(o->host.session.peer), "192.0.2.1");
	snprintf(o->host.session.server, sizeof(o->host.session.server), "192.0.2.2");
	if (guard_default_route.objects(&o->host, &o->port, why))
		MUST(why[0]);
	if (guard_session.objects(&o->host, &o->port, why))
		MUST(why[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capabilities capabilities = { .switch_map = NULL };
	struct outside o;

	outside_begin(&o, data, size);
	switch (outside_byte(&o)) {
	case 0:
		capabilities_read(&o.host, &o.port, &capabilities);
		break;
	case 1:
		ask_guards(&o);
		break;
	default:
		outside_converse(&o, features, FEATURES);
	}
	outside_end(&o);
	return 0;
}
