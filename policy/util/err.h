/*
 * One failure, told once. The caller owns it, nothing is allocated, and the
 * first cause wins. Functions that can fail return bool and take it last:
 * `return err_set(err, ...)`.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_ERR_H
#define LOSSLESSCTL_POLICY_UTIL_ERR_H

#include <stdbool.h>
#include <stdint.h>

#define must_check __attribute__((warn_unused_result))

/* What went wrong, coarsely: it decides the exit code and whether to try again. */
enum err_kind {
	ERR_NONE,
	ERR_USAGE,	 /* the command line is wrong */
	ERR_POLICY,	 /* the document is wrong: never tried again */
	ERR_UNSUPPORTED, /* this port, driver or kernel cannot do it */
	ERR_MISSING,	 /* not there yet; apply makes it */
	ERR_UNKNOWN,	 /* it cannot be read, so nothing can be said */
	ERR_GONE,	 /* the port is no longer there */
	ERR_LOCKED,	 /* another run holds the lock */
	ERR_DENIED,	 /* we lack the privilege */
	ERR_REFUSED,	 /* we decline: a rule or a guard speaks against it */
	ERR_SYSTEM,	 /* the kernel refused */
	ERR_VERIFY,	 /* accepted, but not in effect */
	ERR_INTERRUPTED, /* a signal asked us to stop; code is its number */
	ERR_STRANDED,	 /* putting it back failed too: a human is needed */
};

/* Where in a document: a JSON pointer (RFC 6901) and, once known, line and column from 1. */
struct place {
	char pointer[160];
	unsigned line, column;
	bool of_key; /* the key is what is wrong, not its value */
};

struct err {
	enum err_kind kind;
	int code;	/* positive errno, signal number, or 0 */
	char where[96]; /* "ens1f0np0: writing pfc", "policy.json:12:7" */
	char text[256];
	char hint[224]; /* what to do about it; may be empty */
	struct place at;
	uint64_t
		unseen; /* settings (SETTING bits) that fell to their value 0, and read otherwise */
	uint64_t stuck; /* of these: no write restores them until the driver starts again */
};

/* Records a failure unless one is recorded already. A negative `code` is negated. */
void err_record(struct err *e, enum err_kind kind, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));

/* Adds where it happened, unless a callee knew better. */
void err_locate(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* Adds what the user can do about it, unless a hint is there. */
void err_advise(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* The exit code of a run that ends with this failure (contract: Exit codes). */
int err_exit_code(const struct err *e);

/* The kind as a word for JSON: "policy", "denied". */
const char *err_kind_name(enum err_kind kind);

/* The same for what fails: macros, so that compilers and analyzers see what callers return. */
#define err_set(e, kind, code, ...) (err_record((e), (kind), (code), __VA_ARGS__), false)

/* Passes `ok` through. */
#define err_at(e, ok, ...) \
	__extension__({ \
		const bool ok_ = (ok); \
		if (!ok_) \
			err_locate((e), __VA_ARGS__); \
		ok_; \
	})

/* Always false. */
#define err_hint(e, ...) \
	__extension__({ \
		err_advise((e), __VA_ARGS__); \
		false; \
	})

#endif
