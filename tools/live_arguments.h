/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options of subcommands that read a live fabric: hd_live_argp is a child of their argp. */
#ifndef HD_TOOLS_LIVE_ARGUMENTS_H
#define HD_TOOLS_LIVE_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "live/live.h"
#include "tools/command.h"

/* The input of hd_live_argp, which sets the defaults. */
struct hd_live_arguments {
	const char *adapter;
	uint64_t port, m_key, timeout, tries, window;
	bool no_path_sls;
};

extern const struct argp hd_live_argp;

/* The first key that a subcommand with hd_live_argp has for itself. */
#define HD_KEY_OWN_LIVE (HD_KEY_OWN + 0x100)

struct hd_live_options hd_live_options_of(const struct hd_live_arguments *arguments);

#endif
