// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of engines. */
#include "engines/engines.h"

const struct hd_registry hd_engines = {
	.singular = "engine",
	.plural = "engines",
	.policies =
		(const struct hd_policy *const[]){
			&hd_engine_any.policy,
			&hd_engine_d3r.policy,
			&hd_engine_df_minhop.policy,
			&hd_engine_df_sssp.policy,
			&hd_engine_dfplus.policy,
			&hd_engine_dfval.policy,
			&hd_engine_dla.policy,
			&hd_engine_dmodc.policy,
			&hd_engine_hdor.policy,
			&hd_engine_heddle.policy,
			&hd_engine_layered.policy,
			&hd_engine_minhop.policy,
			&hd_engine_osha.policy,
			&hd_engine_parx.policy,
			&hd_engine_sasha.policy,
			&hd_engine_updn.policy,
			NULL,
		},
};
