#include "parsed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../policy/util/oom.h"

#define ROOM_KEPT ((size_t)1 << 20) /* for the next document */

static bool make_room(struct parsed *p, size_t size, struct err *err)
{
	if (!p->text || p->room > ROOM_KEPT || size > p->room) {
		free(p->text);
		p->text = malloc(size + 1);
		p->room = p->text ? size : 0;
	}
	return p->text || err_no_memory(err);
}

bool parsed_fill(struct parsed *p, const char *text, size_t size, const char *source,
		 const struct err *reason, struct err *err)
{
	free(p->source);
	p->source = strdup(source);
	p->root = NULL;
	p->reason = *reason;
	arena_reset(&p->arena);
	if (!p->source)
		return err_no_memory(err);
	if (!make_room(p, size, err))
		return false;
	memcpy(p->text, text, size);
	p->size = size;
	return true;
}

void parsed_parse(struct parsed *p)
{
	json_error_t where;

	if (p->reason.kind)
		return;
	arena_use(&p->arena);
	p->root = json_loadb(p->text, p->size, JSON_REJECT_DUPLICATES, &where);
	arena_use(NULL);
	if (p->arena.exhausted)
		err_record(&p->reason, ERR_POLICY, EFBIG, "the document needs too much memory");
	else if (!p->root)
		err_record(&p->reason, ERR_POLICY, EINVAL, "not JSON: %s (line %d, column %d)",
			   where.text, where.line, where.column);
}

void parsed_free(struct parsed *p)
{
	free(p->text);
	free(p->source);
	arena_free(&p->arena);
}
