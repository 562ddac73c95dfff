#include <stdio.h>

#include "../../policy/document/switch_map_json.h"
#include "policy_keys.h"
#include "report_json.h"
#include "topics.h"

static const char *fabric_name(size_t i)
{
	return switch_maps[i].name[0] ? switch_maps[i].name : NULL;
}

static const char *fabric_says(size_t i)
{
	return switch_maps[i].display_name;
}

static void explain_fabric(struct cli *c, size_t i)
{
	const struct switch_map *f = &switch_maps[i];
	char lossless[128];

	printf("%s%s%s\n  %s\n\n", c->out.bold, f->name, c->out.reset, f->display_name);
	topic_line("sorts by", f->trust == TRUST_DSCP ? "DSCP" : "PCP");
	topic_line("lossless", switch_map_lossless_marks(f, lossless, sizeof(lossless)));
	topic_line("source", f->source);
}

static json_t *fabric_document(size_t i)
{
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "fabric", json_string(switch_maps[i].name));
	json_object_set_new(doc, "what", json_string(switch_maps[i].display_name));
	json_object_set_new(doc, "source", json_string(switch_maps[i].source));
	json_object_update_new(doc, switch_map_to_json(&switch_maps[i]));
	return doc;
}

static const char *key_name(size_t i)
{
	return i < policy_keys_count ? policy_keys[i].key : NULL;
}

static const char *key_says(size_t i)
{
	return policy_keys[i].says;
}

static void explain_key(struct cli *c, size_t i)
{
	topic_title(c, policy_keys[i].key, "a key of the policy", policy_keys[i].says);
	printf("  %s\n", policy_keys[i].more);
}

static json_t *key_document(size_t i)
{
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "policy_key", json_string(policy_keys[i].key));
	json_object_set_new(doc, "what", json_string(policy_keys[i].says));
	json_object_set_new(doc, "more", json_string(policy_keys[i].more));
	return doc;
}

static const char *limit_name(size_t i)
{
	return i < THRESHOLD_COUNT ? thresholds[i].path : NULL;
}

static const char *limit_says(size_t i)
{
	return thresholds[i].doc;
}

static void explain_limit(struct cli *c, size_t i)
{
	const struct threshold *l = &thresholds[i];
	char range[64], default_value[32];

	snprintf(range, sizeof(range), "%u to %u", l->min, l->max);
	snprintf(default_value, sizeof(default_value), "%u", l->default_value);
	topic_title(c, l->path, "a key of the policy", l->doc);
	topic_line("unit", l->unit);
	topic_line("value", range);
	topic_line("default", default_value);
	topic_line("why", l->reason);
	if (l->clear_percent == 100)
		return;
	snprintf(range, sizeof(range), "below %u %% of the value", l->clear_percent);
	topic_line("clears", range);
}

static json_t *limit_document(size_t i)
{
	const struct threshold *l = &thresholds[i];
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "limit", json_string(l->path));
	json_object_set_new(doc, "what", json_string(l->doc));
	json_object_set_new(doc, "unit", json_string(l->unit));
	json_object_set_new(doc, "minimum", json_integer(l->min));
	json_object_set_new(doc, "maximum", json_integer(l->max));
	json_object_set_new(doc, "default", json_integer(l->default_value));
	json_object_set_new(doc, "clear_percent", json_integer(l->clear_percent));
	json_object_set_new(doc, "why", json_string(l->reason));
	return doc;
}

const struct topic topic_keys = { "keys of a policy", "policy_keys", key_name, key_says,
				  explain_key,	      key_document,  NULL };

const struct topic topic_fabrics = { "fabrics",	     "fabrics",	      fabric_name, fabric_says,
				     explain_fabric, fabric_document, NULL };

const struct topic topic_limits = { "limits of a policy", "limits",	  limit_name, limit_says,
				    explain_limit,	  limit_document, NULL };
