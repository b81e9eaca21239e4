/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options by which an engine is asked for AR tables (tables/ar.h). */
#ifndef HD_ENGINES_AR_OPTIONS_H
#define HD_ENGINES_AR_OPTIONS_H

#include "engines/engine.h"
#include "tables/ar.h"

/* @values_: what the engine's values of `ar` mean. */
#define HD_AR_OPTIONS(values_)                                               \
	{ "ar", "no", "", values_ },                                         \
	{                                                                    \
		"ar_state", "free", "",                                      \
			"of entries with several ports: free, each packet "  \
			"chooses; bounded, a flow keeps its port until idle" \
	}

/*
 * The option `ar` as an index in @words, ended by NULL, whose first is "no"; and the state of
 * entries, HD_AR_STATIC with "no". Other values: @routes gets AR tables, all static. HD_EINVAL: no
 * such value; HD_ENOMEM.
 */
int hd_ar_begin(const struct hd_params *params, const char *const *words, unsigned *choice,
		enum hd_ar_state *state, struct hd_routes *routes, struct hd_error *err);

/*
 * Refuses sets on a shape of which parts are missing: detours are found for LFTs alone. To be
 * called when the structure of @routes is known. HD_EREFUSED.
 */
int hd_ar_require_whole(const struct hd_routes *routes, struct hd_error *err);

#endif
