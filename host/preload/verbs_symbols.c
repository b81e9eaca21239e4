// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <dlfcn.h>

#include "host/preload/preload.h"

#define LIBRARY "libibverbs.so.1"

/* Versions in which libibverbs has had what is asked for, the usual one first. */
static const char *const versions[] = { "IBVERBS_1.1", "IBVERBS_1.0", "IBVERBS_1.6",
					"IBVERBS_1.10" };

static void *find(void *library, const char *name)
{
	for (unsigned i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		void *symbol = dlvsym(library, name, versions[i]);

		if (symbol)
			return symbol;
	}
	return NULL;
}

void *hd_lids_next(const char *name)
{
	void *symbol = find(RTLD_NEXT, name), *library;

	if (symbol)
		return symbol;
	/* a module that was opened for itself brought it, as UCX's are */
	library = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return NULL;
	symbol = find(library, name);
	dlclose(library); /* who brought it still has it */
	return symbol;
}
