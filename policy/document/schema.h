/* The JSON Schema (draft 2020-12) of a policy, from the tables that parse it. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_SCHEMA_H
#define LOSSLESSCTL_POLICY_DOCUMENT_SCHEMA_H

#include <jansson.h>

#include "../model/setting.h"

/* The schema of one setting's value. The caller owns the result. */
json_t *setting_to_schema(const struct setting *k);

/* The schema of a whole policy. The caller owns the result. */
json_t *policy_schema(void);

#endif
