/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Routes and proves a fabric under many sets of failures, in parallel. */
#ifndef HD_FAULTS_FAULT_STUDY_H
#define HD_FAULTS_FAULT_STUDY_H

#include "engines/engine.h"
#include "support/error.h"
#include "tools/faults/fault_sets.h"

enum hd_fault_outcome {
	HD_FAULT_ROUTED,       /* and proved */
	HD_FAULT_REFUSED,      /* by the engine or for lack of lanes */
	HD_FAULT_UNSOUND,      /* routed, and the check fails: a defect of the engine */
	HD_FAULT_DISCONNECTED, /* not connected any more: not routed */
	HD_N_FAULT_OUTCOMES,
};

/* A figure over all sets that were routed. */
struct hd_fault_figure {
	double mean, max;
};

/* Sets that were refused, or unsound, for the same reason but for the numbers in its text. */
struct hd_fault_reason {
	char text[sizeof(((struct hd_error *)0)->text)]; /* of the first set */
	enum hd_fault_outcome outcome;
	uint64_t n;
	uint64_t first; /* the first set */
};

/* What became of one set. */
struct hd_fault_each {
	enum hd_fault_outcome outcome;
	double load; /* the worst link's flows / those of the intact fabric, of routed sets */
	uint64_t lft_entries; /* that change, of routed sets */
};

struct hd_fault_study {
	const struct hd_fabric *fabric; /* intact */
	struct hd_fault_sets sets;
	struct hd_fault_list list;
	uint64_t n_sets;  /* to try; once the study has run: those that it tried */
	uint64_t time_ns; /* after which no set begins, but the first; 0: no end */
	uint64_t n_done;  /* while the study runs: read atomically */
	uint64_t n[HD_N_FAULT_OUTCOMES];
	unsigned sls, vls, max_hops; /* the most that any routed set needs */
	uint64_t n_one_sl;           /* routed sets that need one SL only */
	struct hd_fault_figure load; /* the worst link's flows / those of the intact fabric */
	struct hd_fault_figure lft_entries; /* LFT entries that change */
	uint64_t n_lft_entries;             /* of the intact fabric */
	size_t n_reasons;
	struct hd_fault_reason *reasons; /* most frequent first */
	bool keeps_each;
	struct hd_fault_each *each; /* [n_sets] if keeps_each, once the study has run */
	uint32_t *chosen;           /* room for the links and switches of one set */
};

/*
 * Prepares @study: how many sets there are. Clear in any case. HD_EINVAL as hd_fault_sets_count();
 * HD_ENOMEM.
 */
int hd_fault_study_init(struct hd_fault_study *study, const struct hd_fabric *fabric,
			const struct hd_fault_sets *sets, struct hd_error *err);
void hd_fault_study_clear(struct hd_fault_study *study);

/* Whether the study has tried some of the sets that there are. Once it has run. */
static inline bool hd_fault_study_is_sample(const struct hd_fault_study *study)
{
	return study->n_sets < study->list.n_all;
}

/*
 * Routes the intact fabric and then every set, on @n_threads threads (0: as OpenMP has it). The
 * result does not depend on their number, except for the number of sets within study->time_ns:
 * these are the first ones. Engine heddle chooses for each set as the plug-in does after the
 * failure. An engine that refuses the intact fabric is an error, HD_EREFUSED. HD_ENOMEM.
 */
int hd_fault_study_run(struct hd_fault_study *study, const struct hd_engine *engine,
		       const struct hd_route_request *request, unsigned n_threads,
		       struct hd_error *err);

#endif
