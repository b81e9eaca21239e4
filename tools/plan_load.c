// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/plan_load.h"

#include <stdlib.h>

#include "plan/after_moves.h"
#include "support/error.h"
#include "tools/served_by.h"

static int route(const struct hd_fabric *fabric, struct hd_routed_load *load, struct hd_error *err)
{
	struct hd_served_by served_by;
	int ret = hd_served_by_find(fabric, HD_SERVED_ONE, NULL, NULL, &served_by, err);

	if (ret || served_by.unknown[0] || served_by.first >= served_by.choices.n ||
	    !served_by.served[served_by.first].is_routed)
		return ret;
	load->engine = served_by.choices.list[served_by.first].engine->policy.name;
	load->busiest = served_by.served[served_by.first].busiest;
	return 0;
}

/* Routes with @n moves from @first on; engine stays NULL where none can be made. */
static int route_after(const struct hd_cable_plan *plan, const struct hd_fabric *now,
		       const struct hd_differences *differences, uint32_t first, uint32_t n,
		       struct hd_routed_load *load, struct hd_error *err)
{
	struct hd_fabric *after;
	uint32_t n_made;
	int ret = hd_fabric_after_moves(plan, now, differences, first, n, &n_made, &after, err);

	if (!ret && n_made)
		ret = route(after, load, err);
	hd_fabric_free(after);
	return ret;
}

static int compare_loads(const void *a, const void *b)
{
	const struct hd_routed_load *x = a, *y = b;

	if (x->busiest != y->busiest)
		return x->busiest < y->busiest ? -1 : 1;
	return x->finding < y->finding ? -1 : x->finding > y->finding;
}

int hd_loads_after_moves_find(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			      const struct hd_differences *differences,
			      struct hd_loads_after_moves *loads, struct hd_error *err)
{
	int ret = route(now, &loads->now, err);

	loads->is_known = true;
	if (!ret && differences->n_moves)
		ret = route_after(plan, now, differences, 0, differences->n_moves, &loads->all,
				  err);
	for (uint32_t i = 0; !ret && i < differences->n_findings && loads->n < HD_MOST_MENDS; i++) {
		const struct hd_finding *finding = &differences->findings[i];
		struct hd_routed_load load = { .finding = i };

		if (!finding->n_moves)
			continue;
		ret = route_after(plan, now, differences, finding->first_move, finding->n_moves,
				  &load, err);
		if (load.engine)
			loads->mends[loads->n++] = load;
	}
	qsort(loads->mends, loads->n, sizeof(*loads->mends), compare_loads);
	return ret;
}
