/* lldpad's configuration file with a section for a port, amended and looked up. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_CONFIG_TEXT_H
#define LOSSLESSCTL_TESTS_SUPPORT_CONFIG_TEXT_H

#include "policy/model/config.h"
#include "tests/support/unit.h"

#define PORT "ens1f0np0"

/* The file as lldpad writes it, with foreign settings in every place where they may be. */
extern const char conf_written[];

/* A setup that advertises PFC, ETS and a recommendation. */
struct config conf_setup(void);

/* The file with the port's section amended, which must succeed; to be freed. */
char *conf_amended(const char *conf, const struct config *says);

/* The value that lldpad would find there: text, number, or "" for nothing of that type. */
const char *conf_stored(const char *conf, const char *path);

#define HAS(conf, path, value) assert_string_equal(conf_stored(conf, "lldp." PORT "." path), value)

#endif
