// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/ar_options.h"

#include "support/error.h"

int hd_ar_begin(const struct hd_params *params, const char *const *words, unsigned *choice,
		enum hd_ar_state *state, struct hd_routes *routes, struct hd_error *err)
{
	static const char *const words_of_states[] = { "free", "bounded", "hash", "static", NULL };
	static const enum hd_ar_state states[] = { HD_AR_FREE, HD_AR_BOUNDED, HD_AR_HASH,
						   HD_AR_STATIC };
	unsigned chosen;
	int ret = hd_params_word(params, "ar", words, choice, err);

	if (!ret)
		ret = hd_params_word(params, "ar_state", words_of_states, &chosen, err);
	if (ret)
		return ret;
	*state = HD_AR_STATIC;
	if (!*choice) {
		if (hd_params_is_set(params, "ar_state"))
			return hd_error_set(err, HD_EINVAL,
					    "ar_state is about port sets: give ar too");
		return 0;
	}
	*state = states[chosen];
	return hd_ar_new(routes->tables, err);
}

int hd_ar_require_whole(const struct hd_routes *routes, struct hd_error *err)
{
	if (!routes->tables->ar || !routes->structure.is_degraded)
		return 0;
	return hd_error_set(
		err, HD_EREFUSED,
		"ar: port sets are for an intact topology, and parts of this one are missing");
}
