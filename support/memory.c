// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define CACHE_LINE 64
#define HUGE_PAGE  ((size_t)2 << 20)
#define LARGE      ((size_t)256 << 20)

/* The memory limit of the process's control group, "max" or bytes; SIZE_MAX: not known. */
static size_t group_limit(void)
{
	FILE *file = fopen("/sys/fs/cgroup/memory.max", "re");
	size_t limit = SIZE_MAX;

	if (!file)
		return SIZE_MAX;
	if (fscanf(file, "%zu", &limit) != 1)
		limit = SIZE_MAX;
	fclose(file);
	return limit;
}

/* Memory that can be had without swapping out other programs; SIZE_MAX: not known. */
static size_t available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	size_t memory = SIZE_MAX, swap = 0, kib;
	char line[128];

	if (!file)
		return SIZE_MAX;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
			memory = kib << 10;
		else if (sscanf(line, "SwapFree: %zu kB", &kib) == 1)
			swap = kib << 10;
	}
	fclose(file);
	return memory == SIZE_MAX ? SIZE_MAX : memory + swap;
}

/*
 * Whether @size is more than there is. The kernel promises more memory than there is; when it is
 * written to, the kernel ends this process, or another one. Only large blocks are looked at.
 */
static bool exceeds_memory(size_t size)
{
	return size >= LARGE && (size > available() || size > group_limit());
}

void *hd_alloc_large(size_t size)
{
	const size_t alignment = size >= HUGE_PAGE / 4 ? HUGE_PAGE : CACHE_LINE;
	void *block;

	if (exceeds_memory(size))
		return NULL;
	if (posix_memalign(&block, alignment, size ? size : 1))
		return NULL;
#ifdef MADV_HUGEPAGE
	if (alignment == HUGE_PAGE)
		(void)madvise(block, size, MADV_HUGEPAGE); /* only advice: failing is fine */
#endif
	return block;
}

void *hd_make_room(void *array, size_t n, size_t *allocated, size_t size)
{
	const size_t more = *allocated ? 2 * *allocated : 64;

	if (n < *allocated)
		return array;
	array = realloc(array, more * size);
	if (array)
		*allocated = more;
	return array;
}

void hd_release_free_memory(void)
{
#ifdef __GLIBC__
	(void)malloc_trim(0);
#endif
}
