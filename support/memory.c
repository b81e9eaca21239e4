// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#define CACHE_LINE 64
#define HUGE_PAGE  ((size_t)2 << 20)

void *hd_alloc_large(size_t size)
{
	const size_t alignment = size >= HUGE_PAGE / 4 ? HUGE_PAGE : CACHE_LINE;
	void *block;

	if (posix_memalign(&block, alignment, size ? size : 1))
		return NULL;
#ifdef MADV_HUGEPAGE
	if (alignment == HUGE_PAGE)
		(void)madvise(block, size, MADV_HUGEPAGE); /* only advice: failing is fine */
#endif
	return block;
}
