/* Refuses settings beyond the port's reported limits, for the `accepts` of features. */
#ifndef LOSSLESSCTL_DCB_LIMITS_H
#define LOSSLESSCTL_DCB_LIMITS_H

#include "../policy/lint/lint.h"
#include "../policy/util/err.h"

/* True if the port lacks this traffic class; false if it does not report its number of classes. */
bool limits_lack_class(const struct capabilities *capabilities, unsigned tc);

/* Records "SUBJECT, and the port has N traffic classes"; always false. */
bool limits_refuse_class(const struct capabilities *capabilities, struct err *err, const char *fmt,
			 ...) __attribute__((format(printf, 3, 4)));

#endif
