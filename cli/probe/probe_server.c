#include "probe_server.h"

#include <string.h>

#include "../../policy/util/json_util.h"
#include "probe_message.h"

#define SILENCE_MS 300000 /* longest silence of a client after its hello */

/* Compares in a time that does not depend on where they differ. */
static bool has_token(const json_t *message, const char *token)
{
	const char *given = json_string_value(json_object_get(message, "token"));
	unsigned differs = !given || strlen(given) != strlen(token);

	for (size_t i = 0; !differs && token[i]; i++)
		differs |= (unsigned char)given[i] ^ (unsigned char)token[i];
	return !differs;
}

static bool may_enter(const json_t *message, const char *token, struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "command"));
	json_int_t protocol = json_integer_value(json_object_get(message, "protocol"));

	if (!name || strcmp(name, "hello") != 0)
		return err_set(err, ERR_REFUSED, 0, "unknown command");
	if (protocol != PROBE_PROTOCOL)
		return err_set(err, ERR_REFUSED, 0,
			       "this end has losslessctl " LOSSLESSCTL_VERSION
			       ": install the same release at both ends");
	return !token || has_token(message, token) ||
	       err_set(err, ERR_REFUSED, 0, "the token is wrong");
}

static void send_reason(struct peer_line *l, const struct err *why)
{
	struct err quiet = { 0 };

	(void)!peer_line_send(l, json_pack("{s:o}", "error", json_from_text(why->text)), &quiet);
}

bool probe_let_in(struct peer_line *l, const char *token, unsigned wait_ms, json_t **ret_hello,
		  struct err *err)
{
	if (!peer_line_receive(l, wait_ms, ret_hello, err))
		return false;
	if (may_enter(*ret_hello, token, err))
		return true;
	send_reason(l, err);
	json_decref(*ret_hello);
	*ret_hello = NULL;
	return false;
}

static bool answer(const struct probe_server *s, json_t *message, struct err *err)
{
	json_t *reply = probe_work(s->worker, message, err);

	if (reply)
		return peer_line_send(s->line, reply, err);
	send_reason(s->line, err);
	return false;
}

static bool serve_next(const struct probe_server *s, struct err *err)
{
	json_auto_t *message = NULL;

	return peer_line_receive(s->line, SILENCE_MS, &message, err) && answer(s, message, err);
}

bool probe_serve(const struct probe_server *s, json_t *hello, struct err *err)
{
	bool ok = answer(s, hello, err);

	while (ok)
		ok = serve_next(s, err);
	probe_worker_stop(s->worker);
	if (err->kind != ERR_GONE)
		return false;
	*err = (struct err){ 0 };
	return true;
}
