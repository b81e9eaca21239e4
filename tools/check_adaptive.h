/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle check --adaptive: proves packets that choose their ways. */
#ifndef HD_TOOLS_CHECK_ADAPTIVE_H
#define HD_TOOLS_CHECK_ADAPTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/command.h"

/* As on the command line; NULL: not given. */
struct hd_check_adaptive {
	const char *engine, *routing, *trigger, *vcs;
	bool strict; /* odd files are refused */
};

static inline bool hd_check_adaptive_is_said(const struct hd_check_adaptive *adaptive)
{
	return adaptive->engine || adaptive->trigger || adaptive->vcs;
}

/*
 * Proves the routing on @what, a snapshot or a fabric; prints the verdict. Returns the exit status.
 */
int hd_check_adaptive_run(const struct hd_check_adaptive *adaptive, const char *what,
			  const struct hd_common *common, bool json);

#endif
