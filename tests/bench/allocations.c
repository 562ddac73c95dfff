/*
 * Count a program's allocations: this preloaded library keeps two counts in the file ALLOCATIONS,
 * one of all requests and one of those from the program's own code. Requests of a library on the
 * program's behalf only increase the first.
 */
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The counting functions below call glibc's own. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static uint64_t nowhere[2], *counts = nowhere;
static uintptr_t text_begin, text_end;

/* dl_iterate_phdr() reports the program itself first. */
static int find_text(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			text_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			text_end = text_begin + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("ALLOCATIONS");
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	void *shared;

	if (fd < 0 || ftruncate(fd, sizeof(nowhere)) < 0)
		return;
	shared = mmap(NULL, sizeof(nowhere), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	dl_iterate_phdr(find_text, NULL);
	if (shared != MAP_FAILED)
		counts = shared;
}

static void count(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	counts[0]++;
	counts[1] += at >= text_begin && at < text_end;
}

void *malloc(size_t size)
{
	count(__builtin_return_address(0));
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	count(__builtin_return_address(0));
	return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	count(__builtin_return_address(0));
	return __libc_realloc(old, size);
}
