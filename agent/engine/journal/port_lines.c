#include "port_lines.h"

#include <stdlib.h>
#include <string.h>

#include "../../../policy/model/setting.h"
#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"

const char *port_key(const struct port *p)
{
	return p->id.pci[0] ? p->id.pci : p->id.name;
}

bool port_line_is_of(const char *line, const struct port *p)
{
	size_t n = strlen(port_key(p));

	return strncmp(line, port_key(p), n) == 0 && line[n] == ' ';
}

const char *port_lines_first(const char *text)
{
	return text && text[0] ? text : NULL;
}

const char *port_lines_next(const char *line)
{
	line = strchr(line, '\n');
	return line && line[1] ? line + 1 : NULL;
}

char *port_lines_load(struct host *h, const char *path, size_t size, struct err *err)
{
	_free_ char *text = malloc(size);
	struct err why = { 0 };

	if (!text) {
		err_record_no_memory(err);
		return NULL;
	}
	if (host_read_file(h, text, size, &why, "%s", path))
		return take(text);
	text[0] = '\0';
	if (why.kind == ERR_UNSUPPORTED)
		return take(text);
	*err = why;
	return NULL;
}
