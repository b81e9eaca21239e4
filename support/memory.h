/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory for the large flat arrays. */
#ifndef HD_SUPPORT_MEMORY_H
#define HD_SUPPORT_MEMORY_H

#include <stddef.h>

/*
 * @size bytes, not initialised, aligned at least to a cache line. Free with free(). Large blocks
 * ask the kernel for huge pages, because the first write of a large fabric's tables takes longer
 * for page faults than for the data. NULL: out of memory, also if the kernel would promise more
 * memory than other programs and the limit of the process's control group (version 2) leave.
 */
void *hd_alloc_large(size_t size);

/*
 * @array with room for one more than its @n elements of @size bytes, of which it has room for
 * *@allocated. NULL: out of memory; @array stays as it is.
 */
void *hd_make_room(void *array, size_t n, size_t *allocated, size_t size);

/*
 * Gives memory back to the kernel that the program has freed and libc keeps, where libc can do that
 * (glibc). Other threads that allocate may wait meanwhile: 0.3 s for 4 GiB.
 */
void hd_release_free_memory(void);

#endif
