/* Derives low-level settings from traffic classes. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_DERIVE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_DERIVE_H

#include "../model/setting.h"
#include "classes.h"

/* All settings that follow from the classes; empty without classes. */
struct config classes_derive(const struct classes *c);

/* The classes that a derived setting follows from, as in `class "roce"`. Returns `buf`. */
#define SOURCE_TEXT_MAX 320
const char *classes_source(const struct classes *c, unsigned setting, char buf[SOURCE_TEXT_MAX]);

/* The index of the first class that classes_source() names; false if it names all of them. */
bool classes_first(const struct classes *c, unsigned setting, size_t *ret);

#endif
