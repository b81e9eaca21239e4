/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options that ask an engine for AR tables (tables/ar.h). */
#ifndef HD_ENGINES_AR_OPTIONS_H
#define HD_ENGINES_AR_OPTIONS_H

#include "engines/engine.h"
#include "tables/ar.h"

/* @values_: what the engine's values of `ar` mean. */
#define HD_AR_OPTIONS(values_)                                                 \
	{ "ar", "no", "", values_ },                                           \
	{                                                                      \
		"ar_state", "free", "",                                        \
			"of entries with several ports: free, each packet "    \
			"chooses; bounded, a flow keeps its port until idle; " \
			"hash, the packet's header gives the port; static, "   \
			"the others stand in while the LFT's port is down"     \
	}

/*
 * Reads option `ar`. @choice gets its index in @words, which end with NULL and begin with "no";
 * @state gets the state of entries, HD_AR_STATIC for "no". With other values, @routes gets AR
 * tables, all static. HD_EINVAL: no such value; HD_ENOMEM.
 */
int hd_ar_begin(const struct hd_params *params, const char *const *words, unsigned *choice,
		enum hd_ar_state *state, struct hd_routes *routes, struct hd_error *err);

/*
 * Refuses port sets if parts of the topology are missing, because detours are found for LFTs alone.
 * Call this when the structure of @routes is known. HD_EREFUSED.
 */
int hd_ar_require_whole(const struct hd_routes *routes, struct hd_error *err);

#endif
