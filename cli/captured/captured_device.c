#include "captured_device.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/util/json_util.h"

bool captured_owner(const json_t *port, struct owner *ret)
{
	const json_t *device = json_object_get(port, "device");
	const char *name = json_text(device, "dcbx_owner");

	*ret = (struct owner){ .firmware_too =
				       json_is_true(json_object_get(device, "dcbx_firmware_too")) };
	snprintf(ret->what, sizeof(ret->what), "%s", json_text(device, "dcbx_owner_detail"));
	for (; ret->who <= OWNER_NETWORKMANAGER; ret->who++)
		if (strcmp(owner_name(ret->who), name) == 0)
			return true;
	ret->who = OWNER_NOBODY;
	return false;
}

static bool read_gid(const json_t *entry, struct gid *ret)
{
	const char *text = json_text(entry, "gid"), *type = json_text(entry, "type");
	json_int_t index = json_integer_value(json_object_get(entry, "index"));

	if (!json_is_integer(json_object_get(entry, "index")) || index < 0 || index >= GIDS_MAX ||
	    strlen(text) >= sizeof(ret->text) || strlen(type) >= sizeof(ret->type))
		return false;
	ret->index = (unsigned)index;
	snprintf(ret->text, sizeof(ret->text), "%s", text);
	snprintf(ret->type, sizeof(ret->type), "%s", type);
	return true;
}

void captured_gids(const json_t *port, struct gid_list *ret)
{
	const json_t *list = json_object_get(json_object_get(port, "device"), "gids"), *entry;
	size_t i;

	ret->count = 0;
	json_array_foreach (list, i, entry)
		if (ret->count < GIDS_MAX && read_gid(entry, &ret->gids[ret->count]))
			ret->count++;
}
