/* A host whose RDMA files all have the same text, and tests of how features read it. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_RDMA_FILES_H
#define LOSSLESSCTL_TESTS_SUPPORT_RDMA_FILES_H

#include "agent/engine/feature.h"
#include "policy/model/setting.h"

/* Every file has the same text, or fails with these errnos; writes are recorded. */
struct rdma_files {
	struct host host;
	const char *text, *lockdown; /* lockdown: of the kernel; NULL: not reported */
	int read_code, write_code, dir_code, module_code;
	unsigned dir_fails; /* calls of make_dir that fail */
	char written[4][16];
	char path[PATH_TEXT_MAX]; /* written last */
	size_t writes;
	bool loaded;
};

/* A host whose files have this text. */
struct rdma_files files_with(const char *text);

/* A port with an RDMA device. */
extern const struct port port_with_device;

/* A port without an RDMA device. */
extern const struct port port_without_device;

struct read_row {
	const char *sentence;
	const struct feature *f;
	const char *text;
	int code;
	enum err_kind kind;
	setting_set has;
};

/* Tests how a row's feature reads its text. */
void feature_reads_so(void **s);

#endif
