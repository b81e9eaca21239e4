/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle check --history: proves every state of an emulated fabric, and windows of states. */
#ifndef HD_TOOLS_CHECK_HISTORY_H
#define HD_TOOLS_CHECK_HISTORY_H

#include <stdbool.h>

#include "check/check.h"

struct hd_common;

struct hd_check_history {
	const char *path;
	const char *snapshot; /* hosts have its path SLs; NULL: any SL */
	enum hd_check_scope scope;
	uint64_t since, life; /* ns, as in struct hd_history_proof */
};

/*
 * Proves the history and prints the verdict. Returns the exit status, after a message where that is
 * HD_EXIT_UNUSABLE.
 */
int hd_check_history_run(const struct hd_check_history *given, const struct hd_common *common,
			 bool json);

#endif
