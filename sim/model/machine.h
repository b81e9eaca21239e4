/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The compiled variants of the machine (machine.inc): hd_model_run() for different runs. */
#ifndef HD_MODEL_MACHINE_H
#define HD_MODEL_MACHINE_H

#include "sim/model/state.h"

/*
 * For any run; for runs whose switches have up to 64 ports; for those of the latter that have no
 * options (state.h).
 */
int hd_machine_wide(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_narrow(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_static(struct hd_model *model, uint64_t until, struct hd_error *err);

/* Runs whose packets choose their paths. */
int hd_machine_adaptive(struct hd_model *model, uint64_t until, struct hd_error *err);

/* The same two for cioq switches. */
int hd_machine_cioq(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_adaptive_cioq(struct hd_model *model, uint64_t until, struct hd_error *err);

/* Runs of hierarchical switches. */
int hd_machine_hierarchical(struct hd_model *model, uint64_t until, struct hd_error *err);

/*
 * The same as the machines above, for ports of so many VLs: where the parts of a port are is then
 * known when the machine is compiled.
 */
int hd_machine_static_one(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_static_two(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_cioq_one(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_cioq_two(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_adaptive_cioq_three(struct hd_model *model, uint64_t until, struct hd_error *err);
int hd_machine_hierarchical_two(struct hd_model *model, uint64_t until, struct hd_error *err);

/* Sets model->run to the fastest machine that can run @model. */
void hd_machine_choose(struct hd_model *model);

#endif
