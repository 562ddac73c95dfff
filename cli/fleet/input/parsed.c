#include "parsed.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../../policy/util/oom.h"

/* ---- memory ---- */

#define PIECE_BYTES ((size_t)1 << 20)
#define ARENA_MAX   ((size_t)96 << 20)
#define ALIGNMENT   sizeof(max_align_t)

struct arena_piece {
	struct arena_piece *next;
	size_t room;
	max_align_t bytes[];
};

/* Global, because jansson's allocation hooks take no argument. */
static _Thread_local struct arena *current;

static bool add_piece(struct arena *a, size_t size)
{
	size_t room = size > PIECE_BYTES ? size : PIECE_BYTES;
	struct arena_piece *piece = NULL;

	if (room <= ARENA_MAX && a->size <= ARENA_MAX - room)
		piece = malloc(sizeof(*piece) + room);
	a->exhausted = a->exhausted || !piece;
	if (!piece)
		return false;
	*piece = (struct arena_piece){ .next = a->pieces, .room = room };
	a->pieces = piece;
	a->used = 0;
	a->size += room;
	return true;
}

static void *take_from(struct arena *a, size_t size)
{
	char *taken;

	/* One above the bound stays so, where rounding it up might wrap around. */
	if (size <= ARENA_MAX)
		size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if ((!a->pieces || a->pieces->room - a->used < size) && !add_piece(a, size))
		return NULL;
	taken = (char *)a->pieces->bytes + a->used;
	a->used += size;
	return taken;
}

static void *allocate(size_t size)
{
	return current ? take_from(current, size) : oom_realloc(NULL, size);
}

static void release(void *p)
{
	if (!current)
		free(p);
}

void arena_serve_jansson(void)
{
	json_set_alloc_funcs(allocate, release);
	json_object_seed(0); /* before there are threads */
}

void arena_use(struct arena *a)
{
	current = a;
}

void arena_reset(struct arena *a)
{
	struct arena_piece *last = a->pieces;

	while (last && last->next) {
		struct arena_piece *next = last->next;

		free(last);
		last = next;
	}
	*a = (struct arena){ .pieces = last, .size = last ? last->room : 0 };
	if (last && last->room > PIECE_BYTES)
		arena_free(a);
}

void arena_free(struct arena *a)
{
	while (a->pieces) {
		struct arena_piece *next = a->pieces->next;

		free(a->pieces);
		a->pieces = next;
	}
	*a = (struct arena){ 0 };
}

/* ---- parsed ---- */

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
