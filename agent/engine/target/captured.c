#include "captured.h"

#include <string.h>

const struct captured_port *captured_find(const struct captured *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->ports[i].port.id.name, name) == 0)
			return &c->ports[i];
	return NULL;
}
