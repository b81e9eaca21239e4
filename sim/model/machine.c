// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/machine.h"

#include "sim/model/observers.h"
#include "sim/switches/hierarchical.h"

/* Whether all that HD_MACHINE_STATIC leaves out in all machines is absent. */
static bool is_plain(const struct hd_model *model)
{
	return !hd_has_bubble(model) && !hd_is_observed(model) && !hd_counts_stalls(model) &&
	       !hd_arbiter(model) && !model->options.arbiter->served && !hd_has_rates(model) &&
	       !hd_has_reads(model) && !hd_has_admittances(model) && !hd_watches_hosts(model) &&
	       !hd_has_consumers(model) && !hd_tells_entries(model) && !hd_is_live(model) &&
	       !model->options.admittance->single;
}

/* Whether all that HD_MACHINE_STATIC alone leaves out is absent. */
static bool is_static(const struct hd_model *model)
{
	return is_plain(model) && !hd_has_sharing(model) && !hd_scheduler(model) &&
	       !hd_switch_hooks(model) && hd_has_early_credits(model) &&
	       !hd_counts_backlogs(model) && !hd_has_bound(model) && !hd_iterations(model) &&
	       !hd_is_input_first(model);
}

static bool is_cioq(const struct hd_model *model)
{
	return is_plain(model) && !hd_has_sharing(model) && !hd_scheduler(model) &&
	       model->options.model == &hd_switch_cioq &&
	       model->options.machine != HD_MACHINE_GENERAL;
}

static bool is_hierarchical(const struct hd_model *model)
{
	return is_plain(model) && model->options.model == &hd_switch_hierarchical &&
	       hd_hierarchical(model)->mport_words == 1;
}

typedef int (*machine)(struct hd_model *model, uint64_t until, struct hd_error *err);

#define MOST_VLS 3

/* Machines that are compiled for numbers of VLs; the first is for any. */
static const machine statics[MOST_VLS + 1] = { hd_machine_static, hd_machine_static_one,
					       hd_machine_static_two };
static const machine cioqs[MOST_VLS + 1] = { hd_machine_cioq, hd_machine_cioq_one,
					     hd_machine_cioq_two };
static const machine hierarchicals[MOST_VLS + 1] = {
	hd_machine_hierarchical, [2] = hd_machine_hierarchical_two
};
static const machine adaptive_cioqs[MOST_VLS + 1] = {
	hd_machine_adaptive_cioq, [3] = hd_machine_adaptive_cioq_three
};

static machine of_vls(const struct hd_model *model, const machine *machines)
{
	const unsigned n = model->n_vls;

	return n <= MOST_VLS && machines[n] ? machines[n] : machines[0];
}

void hd_machine_choose(struct hd_model *model)
{
	if (model->options.model->run)
		model->run = model->options.model->run;
	else if (model->adaptive)
		model->run = is_cioq(model) ? of_vls(model, adaptive_cioqs) : hd_machine_adaptive;
	else if (model->options.machine == HD_MACHINE_GENERAL || model->words > 1 || model->voqnet)
		model->run = hd_machine_wide;
	else if (is_cioq(model))
		model->run = of_vls(model, cioqs);
	else if (is_hierarchical(model))
		model->run = of_vls(model, hierarchicals);
	else
		model->run = is_static(model) ? of_vls(model, statics) : hd_machine_narrow;
}
