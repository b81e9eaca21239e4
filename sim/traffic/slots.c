// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/slots.h"

int hd_slots_init(const struct hd_arrival_setup *setup, uint64_t *slot, double *p,
		  struct hd_error *err)
{
	uint64_t units = setup->size;
	int ret = 0;

	if (hd_params_get(setup->params, "slot"))
		ret = hd_params_number(setup->params, "slot", 1, setup->size, &units, err);
	*slot = units * setup->unit_ticks;
	*p = setup->load * (double)units / setup->size;
	return ret;
}

struct hd_on_off hd_on_off(double on, double burst)
{
	return (struct hd_on_off){ on, 1 / burst, on / (burst + on * (1 - burst)) };
}
