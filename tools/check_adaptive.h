/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle check --adaptive: proves packets that choose their paths. */
#ifndef HD_TOOLS_CHECK_ADAPTIVE_H
#define HD_TOOLS_CHECK_ADAPTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/command.h"

struct hd_error;

/* As on the command line; NULL: not given. */
struct hd_check_adaptive {
	const char *engine, *layers, *queues, *routing, *trigger, *vcs;
	bool bubble;          /* rings have bubble flow control */
	bool strict;          /* odd files are refused */
	const char *name_map; /* NULL: none */
};

static inline bool hd_check_adaptive_is_said(const struct hd_check_adaptive *adaptive)
{
	return adaptive->trigger || adaptive->vcs;
}

/* The routing of VCs in groups, if none is given: the tables' paths. */
void hd_check_adaptive_complete(struct hd_check_adaptive *adaptive);

/*
 * Whether the routing needs a proof of its own; port sets do not, they are proved with the tables.
 * HD_EINVAL: no such routing, no such option, or it takes no VC rule; HD_ENOMEM.
 */
int hd_check_adaptive_is_other(const struct hd_check_adaptive *adaptive, bool *is_other,
			       struct hd_error *err);

/*
 * Proves the routing on @what, a snapshot or a fabric; prints the verdict. Returns the exit status.
 */
int hd_check_adaptive_run(const struct hd_check_adaptive *adaptive, const char *what,
			  const struct hd_common *common, bool json);

#endif
