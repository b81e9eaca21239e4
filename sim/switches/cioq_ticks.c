// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How long a packet takes through a cioq switch. */
#include "sim/switches/switch_cioq.h"

uint64_t hd_cioq_ticks_to_cross(const struct hd_model *model, unsigned rate, uint32_t size)
{
	unsigned speedup = model->options.speedup;

	return (hd_ticks_to_send(model, rate, size) + speedup - 1) / speedup;
}

uint64_t hd_cioq_ticks_to_return(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return hd_cioq_ticks_to_cross(model, rate, size) +
	       model->options.links[model->rates[rate].link_class].propagation;
}

uint64_t hd_cioq_ticks_to_pass(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return model->options.crossbar_latency + hd_ticks_to_send(model, rate, size);
}

uint64_t hd_cioq_ticks_to_host(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return model->options.crossbar_latency + hd_ticks_to_arrive(model, rate, size);
}
