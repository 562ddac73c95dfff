#include "flight_recorder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "monitored_ports.h"

/* A file of the last ten minutes is kept as long as if this agent had written it. */
static uint64_t kept_until(int64_t detected_s, uint64_t now_ms)
{
	int64_t age_ms = ((int64_t)time(NULL) - detected_s) * 1000;

	return age_ms >= 0 && age_ms < RECORDING_PAUSE_MS
		       ? now_ms + RECORDING_PAUSE_MS - (uint64_t)age_ms
		       : 0;
}

struct loading {
	struct recorders *all;
	uint64_t now_ms;
};

static void note_file(const struct flight_recording *r, const json_t *document, void *arg)
{
	const struct loading *l = arg;
	struct recorded *file = &l->all->files[r->number - 1];

	(void)document;
	*file = (struct recorded){ .exists = true,
				   .saved = true,
				   .detected_s = r->incident.detected_s,
				   .until_ms = kept_until(r->incident.detected_s, l->now_ms) };
	memcpy(file->port, r->incident.port, sizeof(file->port));
	memcpy(file->pci, r->incident.pci, sizeof(file->pci));
	memcpy(file->symptom, r->incident.symptom, sizeof(file->symptom));
}

/* A file that cannot be read is the first to be replaced once there is no free number. */
static void note_skipped(unsigned number, const struct err *why, void *arg)
{
	const struct loading *l = arg;

	(void)why;
	l->all->files[number - 1] = (struct recorded){ .exists = true };
}

bool recorders_load(struct recorders *all, struct host *h, struct err *err)
{
	struct loading l = { all, h->now_ms(h) };
	const struct recording_visitor v = { note_file, note_skipped, &l };

	return recordings_each(h, &v, err);
}

static bool is_of(const struct recorded *file, const char *port, const char *pci)
{
	return file->exists && strcmp(file->port, port) == 0 && strcmp(file->pci, pci) == 0;
}

const struct recorded *recorded_last(const struct recorded files[RECORDINGS_MAX],
				     const struct port *port)
{
	const struct recorded *last = NULL;

	for (size_t i = 0; i < RECORDINGS_MAX; i++)
		if (files[i].saved && is_of(&files[i], port->id.name, port->id.pci) &&
		    (!last || files[i].detected_s > last->detected_s))
			last = &files[i];
	return last;
}

/* The oldest file, or a free number; NULL if all are too new. */
static struct recorded *replaceable(struct recorders *all, uint64_t now_ms)
{
	struct recorded *oldest = NULL;

	for (size_t i = 0; i < RECORDINGS_MAX; i++) {
		struct recorded *file = &all->files[i];

		if (!file->exists)
			return file;
		if (file->until_ms <= now_ms && (!oldest || file->detected_s < oldest->detected_s))
			oldest = file;
	}
	return oldest;
}

unsigned recorders_take_file(struct recorders *all, const struct recorder *r, uint64_t now_ms)
{
	struct recorded *file = replaceable(all, now_ms);

	for (size_t i = 0; i < RECORDINGS_MAX; i++)
		if (is_of(&all->files[i], r->port, r->pci) && all->files[i].until_ms > now_ms)
			return 0;
	if (!file)
		return 0;
	*file = (struct recorded){ .exists = true,
				   .detected_s = (int64_t)time(NULL),
				   .until_ms = now_ms + RECORDING_PAUSE_MS };
	memcpy(file->port, r->port, sizeof(file->port));
	memcpy(file->pci, r->pci, sizeof(file->pci));
	return (unsigned)(file - all->files) + 1;
}

/* ---- the recorders ---- */

static struct recorder *recorder_new(const struct port *port)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	memcpy(r->port, port->id.name, sizeof(r->port));
	memcpy(r->pci, port->id.pci, sizeof(r->pci));
	flight_begin(&r->flight);
	return r;
}

/* Takes the recorder of a port out of the list, or makes one. */
static struct recorder *take_or_make(struct recorders *all, const struct port *port)
{
	for (size_t i = 0; i < all->count; i++) {
		struct recorder *r = all->list[i];

		if (!r || strcmp(r->port, port->id.name) != 0 || strcmp(r->pci, port->id.pci) != 0)
			continue;
		all->list[i] = NULL;
		return r;
	}
	return recorder_new(port);
}

void recorders_free(struct recorders *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->list[i]);
	free(all->list);
	all->list = NULL;
	all->count = 0;
}

void recorders_follow(struct recorders *all, const struct monitored_ports *ports)
{
	struct recorder **list = calloc(ports->count + 1, sizeof(struct recorder *));

	for (size_t i = 0; list && i < ports->count; i++)
		list[i] = take_or_make(all, &ports->list[i].port);
	recorders_free(all);
	all->list = list;
	all->count = list ? ports->count : 0;
}

struct recorder *recorders_of_port(const struct recorders *all, const struct monitored_ports *ports,
				   const struct monitored_port *mp)
{
	size_t i = (size_t)(mp - ports->list);

	return i < all->count ? all->list[i] : NULL;
}
