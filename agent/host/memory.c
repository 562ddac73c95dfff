#include "memory.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/* Unmaps the read-only segments of one loaded file: no write made them differ from the file. */
static int release_pages(struct dl_phdr_info *file, size_t size, void *page)
{
	uintptr_t mask = ~(*(const uintptr_t *)page - 1);

	(void)size;
	for (size_t i = 0; i < file->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &file->dlpi_phdr[i];
		uintptr_t start = (file->dlpi_addr + segment->p_vaddr) & mask;
		uintptr_t end = file->dlpi_addr + segment->p_vaddr + segment->p_memsz;

		if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W))
			/* NOLINTNEXTLINE(performance-no-int-to-ptr): the loader has numbers. */
			(void)madvise((void *)start, end - start, MADV_DONTNEED);
	}
	return 0;
}

void memory_release(void)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	malloc_trim(0);
	dl_iterate_phdr(release_pages, &page);
}
