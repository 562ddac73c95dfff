/*
 * The error that a function reports. The caller owns it, it needs no allocation, and the first
 * failure recorded wins. A function that can fail returns bool and takes `struct err *err` last:
 * `return err_set(err, ...)`.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_ERR_H
#define LOSSLESSCTL_POLICY_UTIL_ERR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define must_check __attribute__((warn_unused_result))

/* The kind of failure: it decides the exit code and whether a retry makes sense. */
enum err_kind {
	ERR_NONE,
	ERR_USAGE,	     /* the command line is wrong */
	ERR_POLICY,	     /* the policy or another document is wrong; a retry cannot help */
	ERR_NO_FILE,	     /* the policy file does not exist */
	ERR_UNSUPPORTED,     /* this port, driver or kernel lacks the feature */
	ERR_ELSEWHERE,	     /* another port has it: this one's bond has one RDMA device */
	ERR_MISSING,	     /* missing, and apply would create it */
	ERR_UNKNOWN,	     /* it cannot be read, so its state is unknown */
	ERR_GONE,	     /* the port no longer exists */
	ERR_LOCKED,	     /* another run holds the lock */
	ERR_DENIED,	     /* the process lacks a privilege */
	ERR_REFUSED,	     /* a lint or a guard forbids it */
	ERR_SYSTEM,	     /* the kernel refused */
	ERR_VERIFY,	     /* the kernel accepted the write, but it is not in effect */
	ERR_INTERRUPTED,     /* a signal asked the process to stop; `code` is its number */
	ERR_ROLLBACK_FAILED, /* rollback failed: an operator has to repair the port */
};

/*
 * A location in a document: a JSON pointer (RFC 6901) and, once resolved, line and column from 1.
 */
struct json_location {
	char pointer[160];
	unsigned line, column;
	bool of_key; /* the key is wrong, not its value */
};

struct err_list;

struct err {
	enum err_kind kind;
	int code;	/* positive errno, signal number, or 0 */
	char where[96]; /* "ens1f0np0: writing pfc", "policy.json:12:7" */
	char text[256];
	char fix[224]; /* how to fix it; may be empty */
	struct json_location at;
	/* Settings (SETTING bits) that a driver reset to 0 while it still reports the old value. */
	uint64_t unseen;
	/* The part of `unseen` that no write restores until the driver restarts. */
	uint64_t stuck;
	/* Collects all errors of a document (err_part()); borrowed. NULL: the first one counts. */
	struct err_list *all;
};

#define ERRORS_MAX 50

struct err_list {
	size_t count, omitted; /* errors beyond ERRORS_MAX are only counted */
	struct err list[ERRORS_MAX];
};

/*
 * Records a failure, unless one is already recorded. A negative `code` is negated, so that -errno
 * may be passed.
 */
void err_record(struct err *e, enum err_kind kind, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));

/* Adds the location of the failure, unless a callee has set a more exact one. */
void err_locate(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* Adds how to fix it, unless a callee has. */
void err_add_fix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* Moves a policy error to e->all, if there is a list, unless it has the same one. Returns `ok`. */
bool err_collect(struct err *e, bool ok);

/* The kind as a word for JSON, such as "invalid_policy" or "not_permitted". */
const char *err_kind_name(enum err_kind kind);

/*
 * Records a failure and yields false. Macros, so that compilers and analyzers see the returned
 * value.
 */
#define err_set(e, kind, code, ...) (err_record((e), (kind), (code), __VA_ARGS__), false)

/* Adds the location; yields false. */
#define err_in(e, ...) \
	__extension__({ \
		err_locate((e), __VA_ARGS__); \
		false; \
	})

/* Adds the location if `ok` is false; yields `ok`. */
#define err_at(e, ok, ...) \
	__extension__({ \
		const bool ok_ = (ok); \
		if (!ok_) \
			err_locate((e), __VA_ARGS__); \
		ok_; \
	})

/* Adds how to fix it; yields false. */
#define err_fix(e, ...) \
	__extension__({ \
		err_add_fix((e), __VA_ARGS__); \
		false; \
	})

/*
 * One of several independent parts of a document: yields the value of `ok`, the expression that
 * checks the part. With e->all a failure is moved there, so that the next part is checked as well;
 * without, the parts after a failure are skipped.
 */
#define err_part(e, ok) ((e)->kind == ERR_NONE ? err_collect((e), (ok)) : false)

#endif
