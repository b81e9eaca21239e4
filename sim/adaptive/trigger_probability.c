// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A statistical trigger: no packet leaves the minimal way up to one count of contention, every one
 * from a higher one on, and between them a share that grows with the count. It is drawn whenever a
 * packet looks for a way, in each cycle that it waits.
 */
#include <stdlib.h>

#include "sim/adaptive/trigger.h"
#include "support/error.h"

struct own {
	struct hd_contention contention; /* first */
	double always;
};

static const struct hd_option options[] = {
	HD_CONTENTION_OPTIONS("3"),
	{ "always", "9", "packets", "the count from which on every packet leaves" },
	HD_CONTENTION_REACHED,
	{ 0 },
};

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->trigger_own = calloc(1, sizeof(*own));
	int ret = own ? hd_contention_init(params, &own->contention, err) : hd_error_nomem(err);

	if (!ret)
		ret = hd_params_decimal(params, "always", 0, 1e6, &own->always, err);
	if (!ret && own->always <= own->contention.threshold)
		ret = hd_error_set(err, HD_EINVAL, "always: it must exceed the threshold");
	return ret;
}

static bool leaves(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		   uint32_t vcs)
{
	const struct own *own = routed->trigger_own;
	double count = view->sight->contention[port];

	(void)vcs;
	if (!hd_contention_exceeds(&own->contention, count))
		return false;
	if (hd_sight_below(view->sight, UINT32_MAX) * 0x1p-32 <
	    (count - own->contention.threshold) / (own->always - own->contention.threshold))
		return true;
	view->sight->again = true;
	return false;
}

const struct hd_trigger hd_trigger_probability = {
	.policy.name = "probability",
	.policy.summary = "a share of packets that grows with the contention",
	.policy.reference =
		"proposed and not tried in P. Fuentes' thesis (Cantabria), section 4.2.3",
	.policy.options = options,
	.policy.n_bare = 2,
	.init = init,
	.leaves = leaves,
	.worth = hd_contention_worth,
};
