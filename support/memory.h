/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory for the large flat arrays. */
#ifndef HD_SUPPORT_MEMORY_H
#define HD_SUPPORT_MEMORY_H

#include <stddef.h>

/*
 * @size bytes, not initialised, aligned to a cache line at least, for free(). Large blocks ask the
 * kernel for huge pages: writing the tables of a large fabric for the first time costs more in page
 * faults than in writing. NULL when out of memory. That is also the case where the kernel would
 * promise more memory than there is, considering other programs and the limit of the process's
 * control group (version 2).
 */
void *hd_alloc_large(size_t size);

#endif
