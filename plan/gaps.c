// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/gaps.h"

#include "plan/infer.h"
#include "support/error.h"
#include "topologies/recognise.h"

static void count(struct hd_gaps *gaps)
{
	const struct hd_differences *differences = &gaps->differences;

	for (uint32_t i = 0; i < differences->n_findings; i++) {
		gaps->n_missing += differences->findings[i].kind == HD_MISSING;
		gaps->n_odd += hd_is_odd(&differences->findings[i]);
	}
}

int hd_gaps_find(const struct hd_fabric *now, const struct hd_shapes *shapes, bool only_these,
		 struct hd_gaps *gaps, struct hd_error *err)
{
	int ret;

	*gaps = (struct hd_gaps){ 0 };
	ret = hd_cable_plan_infer_from(now, shapes, only_these, &gaps->plan, gaps->shape,
				       sizeof(gaps->shape), &gaps->is_other, err);
	if (ret == HD_EINVAL)
		return 0;
	if (!ret)
		ret = hd_differ(gaps->plan, NULL, now, &gaps->differences, err);
	if (!ret && hd_free_ports_find(gaps->plan, now, &gaps->differences, &gaps->ports))
		ret = hd_error_nomem(err);
	if (ret)
		return ret;
	gaps->is_known = true;
	count(gaps);
	return 0;
}

void hd_gaps_clear(struct hd_gaps *gaps)
{
	hd_free_ports_clear(&gaps->ports);
	hd_differences_clear(&gaps->differences);
	hd_cable_plan_free(gaps->plan);
	*gaps = (struct hd_gaps){ 0 };
}
