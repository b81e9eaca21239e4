// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/machine.h"

#include "sim/model/observers.h"

/* Whether all that HD_MACHINE_STATIC leaves out even with HD_MACHINE_CIOQ is absent. */
static bool is_plain(const struct hd_model *model)
{
	return !hd_has_sharing(model) && !hd_has_bubble(model) && !hd_is_observed(model) &&
	       !hd_counts_stalls(model) && !hd_scheduler(model) && !hd_arbiter(model) &&
	       !model->options.arbiter->served && !hd_has_rates(model) && !hd_has_reads(model) &&
	       !hd_has_admittances(model) && !hd_watches_hosts(model) && !hd_has_consumers(model) &&
	       !hd_tells_entries(model) && !hd_is_live(model) && !model->options.admittance->single;
}

/* Whether all that HD_MACHINE_STATIC alone leaves out is absent. */
static bool is_static(const struct hd_model *model)
{
	return is_plain(model) && !hd_switch_hooks(model) && hd_has_early_credits(model) &&
	       !hd_counts_backlogs(model) && !hd_has_bound(model) && !hd_iterations(model) &&
	       !hd_is_input_first(model);
}

static bool is_cioq(const struct hd_model *model)
{
	return is_plain(model) && model->options.model == &hd_switch_cioq &&
	       model->options.machine != HD_MACHINE_GENERAL;
}

void hd_machine_choose(struct hd_model *model)
{
	if (model->adaptive)
		model->run = is_cioq(model) ? hd_machine_adaptive_cioq : hd_machine_adaptive;
	else if (model->options.machine == HD_MACHINE_GENERAL || model->words > 1 || model->voqnet)
		model->run = hd_machine_wide;
	else if (is_cioq(model))
		model->run = hd_machine_cioq;
	else
		model->run = is_static(model) ? hd_machine_static : hd_machine_narrow;
}
