#include "host_identity.h"

#include "../../agent/host/host_identity.h"
#include "../../agent/host/timestamp.h"
#include "../../policy/util/json_util.h"

static json_t *text_or_null(const char *text)
{
	return text[0] ? json_from_text(text) : json_null();
}

void identity_add(json_t *doc, struct host *h)
{
	struct host_identity id;
	char now[TIMESTAMP_MAX];

	if (!h)
		return;
	host_identify(h, &id);
	json_object_set_new(doc, "host", json_from_text(id.name));
	json_object_set_new(doc, "host_id", text_or_null(id.host_id));
	json_object_set_new(doc, "boot_id", text_or_null(id.boot_id));
	json_object_set_new(doc, "losslessctl_version", json_string(LOSSLESSCTL_VERSION));
	json_object_set_new(doc, "observed_at", json_string(timestamp_now(now)));
}

void identity_add_state(json_t *doc, const struct setup *setups, size_t count)
{
	char hex[SHA256_HEX];
	bool known = setups && setups_digest(setups, count, hex);

	json_object_set_new(doc, "state_hash", known ? json_string(hex) : json_null());
}
