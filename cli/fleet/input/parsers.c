#include "parsers.h"

#include <string.h>

static void *parse_all(void *arg)
{
	struct parsers *p = arg;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		size_t at;

		while (!p->stop && p->begun == p->put)
			pthread_cond_wait(&p->changed, &p->lock);
		if (p->stop)
			break;
		at = p->begun++ % PARSERS_SLOTS;
		pthread_mutex_unlock(&p->lock);
		parsed_parse(&p->slots[at]);
		pthread_mutex_lock(&p->lock);
		p->done[at] = true;
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

bool parsers_start(struct parsers *p, struct err *err)
{
	*p = (struct parsers){ .lock = PTHREAD_MUTEX_INITIALIZER,
			       .changed = PTHREAD_COND_INITIALIZER };
	for (; p->threads_count < PARSERS_THREADS; p->threads_count++) {
		int code = pthread_create(&p->threads[p->threads_count], NULL, parse_all, p);

		if (code)
			return err_set(err, ERR_SYSTEM, code, "starting a thread: %s",
				       strerror(code));
	}
	return true;
}

void parsers_stop(struct parsers *p)
{
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	for (size_t i = 0; i < p->threads_count; i++)
		pthread_join(p->threads[i], NULL);
	for (size_t i = 0; i < PARSERS_SLOTS; i++)
		parsed_free(&p->slots[i]);
}

struct parsed *parsers_slot(struct parsers *p)
{
	return p->put - p->taken < PARSERS_SLOTS ? &p->slots[p->put % PARSERS_SLOTS] : NULL;
}

void parsers_put(struct parsers *p)
{
	pthread_mutex_lock(&p->lock);
	p->done[p->put++ % PARSERS_SLOTS] = false;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

struct parsed *parsers_oldest(struct parsers *p)
{
	size_t at = p->taken % PARSERS_SLOTS;

	if (p->taken == p->put)
		return NULL;
	pthread_mutex_lock(&p->lock);
	while (!p->done[at])
		pthread_cond_wait(&p->changed, &p->lock);
	pthread_mutex_unlock(&p->lock);
	return &p->slots[at];
}

void parsers_taken(struct parsers *p)
{
	p->taken++;
}
