// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/switch_cioq.h"

/* Posts HD_CIOQ_PASSED for @out at @end. */
static void post_end(struct hd_model *model, uint32_t out, uint64_t end)
{
	const enum hd_model_event kind = HD_EVENT_OWN + HD_CIOQ_PASSED;
	uint32_t units = hd_cioq_output(model, out)->units;

	hd_wire_post_after(model, kind, end - model->events.now, out, units);
}

void hd_cioq_watch_passing(struct hd_model *model, uint32_t out)
{
	struct hd_cioq_output *output = hd_cioq_output(model, out);

	hd_cioq_settle(output, model->events.now);
	if (output->n_passing > 1)
		post_end(model, out, output->idle_from - output->since);
	if (output->n_passing)
		post_end(model, out, output->idle_from);
	output->n_passing = 0;
}
