/*
 * DCBX advertisement through lldpad, which must send what the port actually has. An lldpad started
 * with -R reads that from its file only; one that writes to ports takes it through its socket.
 */
#include "advertise.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "../lldp/peer_compare.h"
#include "../registry.h"
#include "config_file.h"
#include "config_text.h"
#include "configure.h"
#include "detect.h"

#define POLLS_MAX    20
#define FILE_POLL_MS 100
#define ADVERTISE_MS 20000
#define RELOAD_MS    10000
#define POLL_MS	     200

/*
 * Keeps the port's section of lldpad's file while it is replaced; in /var, because lldpad's file
 * outlives a reboot as well.
 */
#define SAVED_DIR "/var/lib/losslessctl/lldpad"

/*
 * Reads lldpad's file until two reads agree, because lldpad truncates the file before it writes it.
 * *ret is NULL if there is no file; the caller frees it.
 */
static bool read_stable(struct host *h, const char *path, char **ret, struct err *err)
{
	_free_ char *last = NULL;

	if (!lldpad_file_read(h, path, &last, err))
		return false;
	for (int poll = 0; poll < POLLS_MAX; poll++) {
		_free_ char *now = NULL;

		host_sleep(h, FILE_POLL_MS);
		if (!lldpad_file_read(h, path, &now, err))
			return false;
		if (strcmp(now ? now : "", last ? last : "") == 0) {
			*ret = take(now);
			return true;
		}
		free(last);
		last = take(now);
	}
	return err_set(err, ERR_SYSTEM, EBUSY, "lldpad does not stop writing %s", path);
}

/*
 * Saves the section once, before the first change. The first line has the path of lldpad's file,
 * which an lldpad that has ended cannot tell; nothing behind it stands for a port without a
 * section.
 */
static bool save_section(struct host *h, const struct lldpad_process *lldpad, const char *conf,
			 const char *port, struct err *err)
{
	_free_ char *kept = NULL, *section = NULL, *text = NULL;
	char path[PATH_TEXT_MAX];

	snprintf(path, sizeof(path), SAVED_DIR "/%s", port);
	if (!lldpad_file_read(h, path, &kept, err))
		return false;
	if (kept)
		return true;
	if (!lldpad_conf_section(conf, port, &section, err))
		return false;
	if (asprintf(&text, "# %s\n%s", lldpad->conf, section ? section : "") < 0) {
		text = NULL;
		return err_no_memory(err);
	}
	return host_make_dir(h, err, "/var/lib/losslessctl") && host_make_dir(h, err, SAVED_DIR) &&
	       host_save_file(h, path, text, err);
}

/* The section that was saved; NULL: the port had none. */
static const char *saved_section(const char *kept)
{
	const char *end = strchr(kept, '\n');

	return end && end[1] ? end + 1 : NULL;
}

static void saved_path(const char *kept, char ret[PATH_TEXT_MAX])
{
	if (strncmp(kept, "# ", 2) == 0)
		snprintf(ret, PATH_TEXT_MAX, "%.*s", (int)strcspn(kept + 2, "\n"), kept + 2);
}

/*
 * Computes the new content of lldpad's file. *ret is NULL if it stays: a port that is willing and
 * was given nothing has what it had before.
 */
static bool compose_file(struct host *h, const char *conf, const char *port,
			 const struct config *to, char **ret, struct err *err)
{
	_free_ char *kept = NULL;
	char kept_at[PATH_TEXT_MAX];

	if (to->dcbx.advertise)
		return lldpad_conf_amend(conf, port, to, ret, err);
	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	if (!lldpad_file_read(h, kept_at, &kept, err))
		return false;
	if (kept)
		return lldpad_conf_restore(conf, port, saved_section(kept), ret, err);
	return to->dcbx.willing || lldpad_conf_amend(conf, port, to, ret, err);
}

/* Waits until lldpad has handled the signal, as it does before it answers, or has ended. */
static bool await_reload(struct host *h, uint64_t until, struct err *err)
{
	struct lldpad l;
	struct err why;

	do {
		why = (struct err){ 0 };
		host_sleep(h, POLL_MS);
		if (!lldpad_open(h, &l, &why) || lldpad_ping(&l, &why))
			return true;
	} while (h->now_ms(h) < until);
	*err = why;
	return false;
}

static bool reload(struct host *h, uint64_t until, struct err *err)
{
	struct lldpad_process lldpad;

	if (!lldpad_find(h, &lldpad))
		return true;
	return host_signal(h, lldpad.pid, SIGHUP, err) && await_reload(h, until, err);
}

/* True if the port's part of lldpad's file is the stale one instead of the fresh one, or is gone.
 */
static bool is_stale(const char *now, const char *stale, const char *fresh, const char *port,
		     bool *ret, struct err *err)
{
	_free_ char *is = NULL, *was = NULL, *desired = NULL;

	*ret = fresh[0];
	if (!now || !now[0])
		return true;
	if (!lldpad_conf_advertised(now, port, &is, err) ||
	    !lldpad_conf_advertised(stale, port, &was, err) ||
	    !lldpad_conf_advertised(fresh, port, &desired, err))
		return false;
	*ret = strcmp(is, was) == 0 && strcmp(was, desired) != 0;
	return true;
}

/* Writes the section of `fresh` again: lldpad may have changed other sections, or emptied the file.
 */
static bool put_section(struct host *h, const char *path, const char *port, const char *now,
			const char *fresh, struct err *err)
{
	_free_ char *section = NULL, *next = NULL;

	if (!now || !now[0])
		return host_rewrite_file(h, path, fresh, err);
	return lldpad_conf_section(fresh, port, &section, err) &&
	       lldpad_conf_restore(now, port, section, &next, err) &&
	       host_rewrite_file(h, path, next, err);
}

/*
 * Writes lldpad's file and makes lldpad read it. When a link comes up, as after a change of PFC,
 * lldpad writes all that it remembers over its file (openlldp, set_config_setting()): writes again
 * a section that lldpad overwrote before it handled the signal.
 */
static bool put_file(struct host *h, const char *path, const char *port, const char *stale,
		     const char *fresh, struct err *err)
{
	uint64_t until = h->now_ms(h) + RELOAD_MS;
	bool again;

	if (!host_rewrite_file(h, path, fresh, err))
		return false;
	do {
		_free_ char *now = NULL;

		if (!reload(h, until, err) || !read_stable(h, path, &now, err) ||
		    !is_stale(now, stale, fresh, port, &again, err) ||
		    (again && !put_section(h, path, port, now, fresh, err)))
			return false;
	} while (again && h->now_ms(h) < until);
	return !again || err_set(err, ERR_VERIFY, EBUSY,
				 "lldpad keeps writing its earlier settings over %s", path);
}

/* Removes the saved section; a missing one is not an error. */
static bool remove_saved(struct host *h, const char *path, struct err *err)
{
	struct err why = { 0 };

	if (host_move_file(h, path, NULL, &why) || why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

/*
 * lldpad's file is restored by now. A state directory that is read-only keeps the journal as well:
 * the rollback that ends the journal forgets the section.
 */
static bool forget_section(struct host *h, const char *path, struct err *err)
{
	struct err why = { 0 };

	if (remove_saved(h, path, &why) || why.code == EROFS)
		return true;
	*err = why;
	return false;
}

bool advertise_by_file(struct host *h, const char *port, const struct config *to, struct err *err)
{
	_free_ char *conf = NULL, *fresh = NULL;
	struct lldpad_process lldpad;
	char kept_at[PATH_TEXT_MAX];

	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	if (!lldpad_find(h, &lldpad))
		return err_set(err, ERR_MISSING, ESRCH, "no lldpad runs on this host");
	return read_stable(h, lldpad.conf, &conf, err) &&
	       lldpad_file_is_safe(h, &lldpad, conf, err) &&
	       compose_file(h, conf ? conf : "", port, to, &fresh, err) &&
	       (!to->dcbx.advertise || save_section(h, &lldpad, conf ? conf : "", port, err)) &&
	       (!fresh || put_file(h, lldpad.conf, port, conf ? conf : "", fresh, err)) &&
	       (to->dcbx.advertise || forget_section(h, kept_at, err));
}

/* Without lldpad's file there is nothing to restore. */
static bool restore_into_file(struct host *h, const struct lldpad_process *lldpad, const char *conf,
			      const char *port, const char *kept, struct err *err)
{
	_free_ char *fresh = NULL;

	if (!conf)
		return true;
	return lldpad_file_is_safe(h, lldpad, conf, err) &&
	       lldpad_conf_restore(conf, port, saved_section(kept), &fresh, err) &&
	       put_file(h, lldpad->conf, port, conf, fresh, err);
}

bool restore_advertise_file(struct host *h, const char *port, struct err *err)
{
	_free_ char *conf = NULL, *kept = NULL;
	struct lldpad_process lldpad;
	char kept_at[PATH_TEXT_MAX];

	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	lldpad_file_find(h, &lldpad);
	if (!lldpad_file_read(h, kept_at, &kept, err))
		return false;
	if (!kept)
		return true;
	if (!lldpad.pid)
		saved_path(kept, lldpad.conf);
	if (!read_stable(h, lldpad.conf, &conf, err) ||
	    !restore_into_file(h, &lldpad, conf, port, kept, err) || !remove_saved(h, kept_at, err))
		return false;
	host_report(h, PROGRESS_WAIT, port,
		    "lldpad's file is rolled back: the run of an earlier boot was incomplete");
	return true;
}

bool advertise_file_is_ours(struct host *h, const char *port)
{
	_free_ char *kept = NULL;
	char kept_at[PATH_TEXT_MAX];
	struct err quiet = { 0 };

	snprintf(kept_at, sizeof(kept_at), SAVED_DIR "/%s", port);
	return !lldpad_file_read(h, kept_at, &kept, &quiet) || kept;
}

#define ADVERTISED_SETTINGS (SET_BY_DCBX)
#define SWITCH_MS	    45000 /* longer than the 30 s between two LLDPDUs */
#define NEXT_MS		    3000  /* longer than the second until lldpad sends after a link-up */

/* Reads the LLDPDU that lldpad sent last; *ret_there is false if there is none or it is invalid. */
static bool last_sent(const struct lldpad *l, const struct port *port, struct lldp *ret,
		      bool *ret_there, struct err *err)
{
	struct lldpad_pdu pdu;
	struct err why = { 0 };

	*ret_there = lldpad_get_sent(l, port->id.name, &pdu, &why);
	if (!*ret_there && why.kind != ERR_MISSING && why.kind != ERR_UNSUPPORTED) {
		*err = why;
		return false;
	}
	*ret_there = *ret_there && lldp_decode(pdu.bytes, pdu.size, ret, &why);
	return true;
}

/*
 * The same, but waits for lldpad's first LLDPDU after a link-up or its start: it drops the last one
 * then (openlldp, txInitializeLLDP()), and sends the next one by a timer of a second.
 */
static bool next_sent(const struct lldpad *l, const struct port *port, struct lldp *ret,
		      bool *ret_there, struct err *err)
{
	uint64_t until = l->h->now_ms(l->h) + NEXT_MS;
	bool sends;

	if (!last_sent(l, port, ret, ret_there, err))
		return false;
	if (*ret_there || !port->carrier)
		return true;
	if (!lldpad_sends(l, port->id.name, &sends, err))
		return false;
	while (sends && !*ret_there && l->h->now_ms(l->h) < until) {
		host_sleep(l->h, POLL_MS);
		if (!last_sent(l, port, ret, ret_there, err))
			return false;
	}
	return true;
}

/* True if the LLDPDU has both PFC and ETS and they match the port's settings. */
static bool matches_settings(const struct lldp *sent, const struct config *actual)
{
	struct config advertised = lldp_to_config(sent);
	setting_set off = config_diff(actual, &advertised) & ADVERTISED_SETTINGS & actual->has;

	return !off && (advertised.has & ADVERTISED_SETTINGS) == ADVERTISED_SETTINGS;
}

static bool is_willing(const struct lldp *sent)
{
	return sent->pfc.willing || sent->ets.willing;
}

static bool is_no(const char *stored)
{
	return strcmp(stored, "no") == 0 || strcmp(stored, "0") == 0;
}

/* Reads from its settings whether an lldpad with -R that has sent nothing yet will be willing. */
static bool will_be_willing(const struct lldpad *l, const char *port, bool *ret, struct err *err)
{
	char willing[LLDPAD_VALUE_MAX], sends[LLDPAD_VALUE_MAX];
	struct err why = { 0 };

	*ret = lldpad_get(l, port, LLDPAD_TLV_PFC, "willing", willing, &why) &&
	       lldpad_get(l, port, LLDPAD_TLV_PFC, "enableTx", sends, &why) && !is_no(willing) &&
	       !is_no(sends);
	if (why.kind == ERR_NONE || why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

/*
 * Reads from the file what an lldpad with -R will send of a port without a link, which it does not
 * know.
 */
static bool read_without_link(struct host *h, const struct port *port, struct config *out,
			      struct err *err)
{
	_free_ char *conf = NULL;
	struct lldpad_process lldpad;
	struct config speaks = *out;
	struct err why = { 0 };
	bool has = false;

	lldpad_file_find(h, &lldpad);
	if (!lldpad_file_read(h, lldpad.conf, &conf, err))
		return false;
	speaks.dcbx.advertise = true;
	for (int willing = 0; !has && willing <= 1; willing++) {
		speaks.dcbx.willing = willing;
		if (!lldpad_conf_has(conf ? conf : "", port->id.name, &speaks, &has, &why))
			break;
	}
	if (why.kind != ERR_NONE && why.kind != ERR_UNSUPPORTED) {
		*err = why;
		return false;
	}
	out->dcbx.advertise = has && (out->has & ADVERTISED_SETTINGS) == ADVERTISED_SETTINGS;
	out->dcbx.willing = has && speaks.dcbx.willing;
	return true;
}

/* Reads what a running lldpad advertises, and whether it follows the switch. */
static bool read_lldpad(const struct lldpad *l, const struct port *port, struct config *out,
			struct err *err)
{
	struct lldp sent;
	bool there;

	/* Do not wait for lldpad again: reading the DCBX mode has timed out. */
	if (!l->advertise_only && !(out->has & SETTING(SETTING_DCBX_MODE)))
		return err_set(err, ERR_UNKNOWN, EAGAIN, "lldpad does not answer for this port");
	if (l->advertise_only && !port->carrier)
		return read_without_link(l->h, port, out, err);
	if (!next_sent(l, port, &sent, &there, err))
		return false;
	if (!there && l->advertise_only)
		return will_be_willing(l, port->id.name, &out->dcbx.willing, err);
	if (!there)
		return lldpad_follows(l, port->id.name, &out->dcbx.willing, err);
	out->dcbx.willing = is_willing(&sent);
	out->dcbx.advertise = matches_settings(&sent, out);
	return true;
}

static bool advertise_read(struct host *h, const struct port *port, struct config *out,
			   struct err *err)
{
	struct lldpad l;
	struct err why = { 0 };

	out->dcbx.advertise = out->dcbx.willing = false;
	if (lldpad_open(h, &l, &why)) {
		if (!read_lldpad(&l, port, out, err))
			return false;
	} else if (why.kind == ERR_UNKNOWN) {
		*err = why;
		return false;
	}
	out->has |= feature_advertise.owns;
	return true;
}

/* True if the LLDPDU sent last matches the request; NULL if there was none. */
static bool matches_request(const struct lldp *sent, const struct config *to)
{
	bool advertises = sent && matches_settings(sent, to);

	return advertises == to->dcbx.advertise &&
	       (!advertises || is_willing(sent) == to->dcbx.willing);
}

/* The same for what lldpad says by now. One with -R is silent for a moment after its start. */
static bool has_request(const struct lldpad *l, const struct port *port, const struct config *to,
			struct err *err)
{
	struct config now = *to;
	struct lldp sent;
	bool there;

	if (l->advertise_only && !port->carrier)
		return read_without_link(l->h, port, &now, err) &&
		       now.dcbx.advertise == to->dcbx.advertise &&
		       (!now.dcbx.advertise || now.dcbx.willing == to->dcbx.willing);
	if (!last_sent(l, port, &sent, &there, err) || !matches_request(there ? &sent : NULL, to))
		return false;
	return to->dcbx.advertise || !l->advertise_only ||
	       (read_lldpad(l, port, &now, err) && now.dcbx.willing == to->dcbx.willing);
}

/*
 * Waits until lldpad advertises the settings, or no longer does. systemd restarts an lldpad that
 * exits meanwhile: Debian's may die of SIGHUP (openlldp #96).
 */
static bool await_advertisement(const struct lldpad *asked, const struct port *port,
				const struct config *to, struct err *err)
{
	struct host *h = asked->h;
	uint64_t until = h->now_ms(h) + ADVERTISE_MS;
	struct lldpad l;
	struct err why;

	do {
		why = (struct err){ 0 };
		if (lldpad_open(h, &l, &why) && has_request(&l, port, to, &why))
			return true;
		host_sleep(h, POLL_MS);
	} while (h->now_ms(h) < until);
	if (why.kind == ERR_NONE) {
		err_record(err, ERR_VERIFY, EIO, "lldpad does not advertise the desired settings");
		/* Between pull requests 3 and 81 openlldp named a port's section by its index. */
		if (asked->advertise_only)
			err_fix(err, "bring the link up; an lldpad of 2018 to 2021 finds no port's "
				     "settings by its name: use a later one, or start it without "
				     "-R");
		return false;
	}
	if (why.kind == ERR_MISSING && !lldpad_still_runs(asked))
		return lldpad_err_ended(asked, err);
	*err = why;
	return false;
}

/* Sets the values before it enables sending them. */
static bool advertise_by_socket(const struct lldpad *l, const char *port, const struct config *to,
				struct err *err)
{
	struct lldpad_args app = { .count = 0 };

	lldpad_args_add(&app, "enableTx", "yes");
	return lldpad_send_settings(l, port, to, to->dcbx.willing, err) &&
	       lldpad_set(l, port, LLDPAD_TLV_APP, &app, err) &&
	       lldpad_set_admin(l, port, to->dcbx.advertise ? LLDPAD_RXTX : LLDPAD_RX, err);
}

/* True if the switch advertises PFC; that may take until its next LLDPDU. */
static bool switch_advertises_pfc(const struct lldpad *l, const struct port *port)
{
	struct lldpad_pdu pdu;
	struct lldp heard;
	struct err quiet = { 0 };

	return lldpad_get_received(l, port->id.name, &pdu, &quiet) &&
	       lldp_decode(pdu.bytes, pdu.size, &heard, &quiet) && (heard.has & LLDP_BIT(LLDP_PFC));
}

/*
 * A willing port adopts the switch's settings once the switch has sent them; a silent switch is not
 * an error. One that advertises nothing, as before most applies, does so whenever the switch wants.
 */
static void await_switch(const struct lldpad *l, const struct port *port)
{
	struct host *h = l->h;
	uint64_t until = h->now_ms(h) + SWITCH_MS;

	if (switch_advertises_pfc(l, port))
		return;
	host_report(h, PROGRESS_WAIT, port->id.name,
		    "waiting for the switch to advertise PFC, up to %u s", SWITCH_MS / 1000);
	while (!switch_advertises_pfc(l, port) && h->now_ms(h) < until && !h->interrupted(h))
		host_sleep(h, POLL_MS);
	if (!switch_advertises_pfc(l, port))
		host_report(
			h, PROGRESS_WAIT, port->id.name,
			"the switch does not advertise PFC: the port keeps the PFC just written");
}

static bool advertise_write(struct host *h, const struct port *port, const struct config *from,
			    const struct config *to, struct err *err)
{
	struct lldpad l;
	bool accepted;

	(void)from;
	if (!lldpad_open(h, &l, err))
		return false;
	accepted = l.advertise_only ? advertise_by_file(h, port->id.name, to, err)
				    : advertise_by_socket(&l, port->id.name, to, err);
	if (accepted && to->dcbx.willing && to->dcbx.advertise && !l.advertise_only)
		await_switch(&l, port);
	return accepted && await_advertisement(&l, port, to, err);
}

/* lldpad may have been let send so that it writes settings: see configure.c. */
static bool stop_sending(struct host *h, const struct port *port, struct err *err)
{
	struct lldpad_pdu sent;
	struct lldpad l;
	struct err quiet = { 0 };

	return !lldpad_open(h, &l, &quiet) || l.advertise_only ||
	       !lldpad_get_sent(&l, port->id.name, &sent, &quiet) ||
	       lldpad_set_admin(&l, port->id.name, LLDPAD_RX, err);
}

/*
 * Updates the advertisement after the port's settings have changed, unless it matches already. A
 * port that advertises nothing stays silent.
 */
static bool advertise_reapply(struct host *h, const struct port *port, const struct config *to,
			      struct err *err)
{
	struct lldpad l;
	struct err quiet = { 0 };

	if (!to->dcbx.advertise)
		return stop_sending(h, port, err);
	if (lldpad_open(h, &l, &quiet) && has_request(&l, port, to, &quiet))
		return true;
	return advertise_write(h, port, to, to, err);
}

static const char *advertise_irreversible(const struct port *port, const struct config *from,
					  const struct config *to)
{
	(void)port;
	return to->dcbx.advertise && !from->dcbx.advertise
		       ? "an lldpad without -R keeps the settings of this port in its own file"
		       : NULL;
}

/*
 * Rolls back only if the port advertised nothing before: an advertisement of the settings before a
 * reboot is of no use.
 */
static bool advertise_restore_files(struct host *h, const char *port, const struct config *back,
				    struct err *err)
{
	bool was_silent = (back->has & SETTING(SETTING_DCBX_ADVERTISE)) && !back->dcbx.advertise;

	return !was_silent || restore_advertise_file(h, port, err);
}

/*
 * An lldpad that has ended cannot be asked. One that writes may hold settings that the kernel does
 * not have yet: before it writes them, its LLDPDU reads like that of a port without advertisement.
 */
static bool advertise_is_hidden(struct host *h, const struct port *port)
{
	struct lldpad l;
	struct err none = { 0 };

	return !lldpad_open(h, &l, &none) || !l.advertise_only ||
	       advertise_file_is_ours(h, port->id.name);
}

static bool advertise_has_copy(const struct config *now)
{
	return now->dcbx.advertise;
}

const struct feature feature_advertise = {
	.name = "dcbx-advertise",
	.owns = SETTING(SETTING_DCBX_ADVERTISE) | SETTING(SETTING_DCBX_WILLING),
	.source = "lldpad",
	.read = advertise_read,
	.write = advertise_write,
	.reapply = advertise_reapply,
	.rests_on = ADVERTISED_SETTINGS,
	.irreversible = advertise_irreversible,
	.restore_files = advertise_restore_files,
	.is_hidden = advertise_is_hidden,
	.has_copy = advertise_has_copy,
};
