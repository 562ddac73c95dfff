/* Refusals of what the port's reported limits rule out, for the features' `accepts`. */
#ifndef LOSSLESSCTL_DCB_LIMITS_H
#define LOSSLESSCTL_DCB_LIMITS_H

#include "../policy/lint/lint.h"
#include "../policy/util/err.h"

/* Does the port lack this traffic class? A port that does not report its classes has all. */
bool limits_lack_class(const struct capabilities *capabilities, unsigned tc);

/* Records "SUBJECT, and the port has N traffic classes"; always false. */
bool limits_refuse_class(const struct capabilities *capabilities, struct err *err, const char *fmt,
			 ...) __attribute__((format(printf, 3, 4)));

#endif
