/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The engines there are: one file each, listed in engines.c and nowhere else. */
#ifndef HD_ENGINES_ENGINES_H
#define HD_ENGINES_ENGINES_H

#include "engines/engine.h"

extern const struct hd_engine hd_engine_any;
extern const struct hd_engine hd_engine_d3r;
extern const struct hd_engine hd_engine_df_minhop;
extern const struct hd_engine hd_engine_df_sssp;
extern const struct hd_engine hd_engine_dfval;
extern const struct hd_engine hd_engine_dla;
extern const struct hd_engine hd_engine_dfplus;
extern const struct hd_engine hd_engine_dmodc;
extern const struct hd_engine hd_engine_hdor;
extern const struct hd_engine hd_engine_heddle;
extern const struct hd_engine hd_engine_layered;
extern const struct hd_engine hd_engine_minhop;
extern const struct hd_engine hd_engine_osha;
extern const struct hd_engine hd_engine_parx;
extern const struct hd_engine hd_engine_sasha;
extern const struct hd_engine hd_engine_updn;

#endif
