#include "captured_history.h"

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"

bool captured_history_each(const struct captured_host *h,
			   void (*each)(const struct drift_record *r, void *arg), void *arg,
			   struct err *err)
{
	json_t *part, *entry;
	size_t i;

	if (!captured_host_part(h, "history", &part, err))
		return false;
	json_array_foreach (json_object_get(part, "records"), i, entry) {
		struct drift_record r = { .setting = 0 };

		if (history_from_json(entry, &r))
			each(&r, arg);
	}
	return !oom_happened() || err_no_memory(err);
}

bool captured_history_dropped(const struct captured_host *h, uint64_t *ret, struct err *err)
{
	json_int_t n;
	json_t *part;

	*ret = 0;
	if (!captured_host_part(h, "history", &part, err))
		return false;
	n = json_integer_value(json_object_get(part, "dropped_count"));
	*ret = n > 0 ? (uint64_t)n : 0;
	return true;
}

bool captured_recording_load(const struct captured_host *h, unsigned number,
			     struct flight_recording *ret, json_t **document, struct err *err)
{
	json_t *list, *one;

	if (!captured_host_part(h, "recordings", &list, err))
		return false;
	one = json_array_get(list, number - 1);
	if (!one)
		return err_set(err, ERR_MISSING, 0, "the bundle has no recording %u", number);
	if (!recording_from_json(one, ret, err))
		return err_in(err, "recording %u", number);
	ret->number = number;
	*document = json_incref(one);
	return true;
}

bool captured_recordings_each(const struct captured_host *h, const struct recording_visitor *v,
			      struct err *err)
{
	_free_ struct flight_recording *r = oom_calloc(1, sizeof(*r));
	json_t *list;

	if (!r)
		return err_no_memory(err);
	if (!captured_host_part(h, "recordings", &list, err))
		return false;
	for (unsigned number = 1; number <= json_array_size(list); number++) {
		json_auto_t *document = NULL;
		struct err why = { 0 };

		if (captured_recording_load(h, number, r, &document, &why))
			v->found(r, document, v->arg);
		else if (v->skipped)
			v->skipped(number, &why, v->arg);
	}
	return true;
}
