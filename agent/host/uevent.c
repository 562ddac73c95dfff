#include "uevent.h"

#include <stdio.h>
#include <string.h>

bool uevent_value(const char *uevent, const char *key, const char *ends, char ret[ID_MAX])
{
	const char *at = strstr(uevent, key);

	if (at)
		snprintf(ret, ID_MAX, "%.*s", (int)strcspn(at + strlen(key), ends),
			 at + strlen(key));
	return at;
}
