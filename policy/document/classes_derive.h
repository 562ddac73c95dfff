/* What classes mean in low-level settings. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_DERIVE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_DERIVE_H

#include "../model/setting.h"
#include "classes.h"

/* Everything that classes say, consistently; nothing when there are none. */
struct config classes_derive(const struct classes *c);

/* Which classes a derived setting comes from: `class "roce"`. Returns `buf`. */
#define SOURCE_TEXT_MAX 320
const char *classes_source(const struct classes *c, unsigned setting, char buf[SOURCE_TEXT_MAX]);

#endif
