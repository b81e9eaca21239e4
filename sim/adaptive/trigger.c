// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/trigger.h"

#include <math.h>

#include "support/error.h"

int hd_credits_init(const struct hd_params *params, struct hd_credits *credits,
		    struct hd_error *err)
{
	static const char *const senses[] = { "vc", "port", NULL };
	unsigned sense = 0;
	uint64_t above = 0;
	int ret = hd_params_decimal(params, "share", 0, 100, &credits->share, err);

	if (!ret)
		ret = hd_params_decimal(params, "minimum", 0, 1, &credits->minimum, err);
	if (!ret)
		ret = hd_params_decimal(params, "mean", 0, 1000, &credits->mean, err);
	if (!ret)
		ret = hd_params_number(params, "above", 0, 1000000, &above, err);
	if (!ret)
		ret = hd_params_word(params, "sense", senses, &sense, err);
	credits->above = (unsigned)above;
	credits->per_port = sense == 1;
	return ret;
}

/* Occupied share of the buffer that a packet would wait in. */
static double fill(const struct hd_credits *credits, const struct hd_routed *routed,
		   const struct hd_view *view, unsigned port, uint32_t vcs)
{
	return hd_sight_occupied(view, &routed->vcs, port, vcs, credits->per_port) /
	       (double)hd_sight_capacity(view, port);
}

/* Whether the queue of a global link is long, as those of its switch's global links go. */
static bool is_congested(const struct hd_credits *credits, const struct hd_routed *routed,
			 const struct hd_view *view, unsigned port, uint32_t vcs)
{
	uint64_t globals = hd_shape_ports(view->shape, view->at, HD_LINK_GLOBAL);
	unsigned n = (unsigned)__builtin_popcountll(globals);
	uint64_t sum = 0;

	for (; globals; globals &= globals - 1)
		sum += hd_sight_occupied(view, &routed->vcs, (unsigned)__builtin_ctzll(globals),
					 vcs, credits->per_port);
	return hd_sight_occupied(view, &routed->vcs, port, vcs, credits->per_port) >
	       credits->mean * (double)sum / n + credits->above * (double)view->sight->packet;
}

bool hd_credits_leave(const struct hd_credits *credits, const struct hd_routed *routed,
		      const struct hd_view *view, unsigned port, uint32_t vcs)
{
	if (hd_sight_is_open(view->sight, port, vcs) ||
	    fill(credits, routed, view, port, vcs) < credits->minimum)
		return false;
	/* a HyperX of two dimensions is a dragonfly as well, and its links are all alike */
	return routed->routing->needs_grid ||
	       hd_shape_class(view->shape, view->at, port) != HD_LINK_GLOBAL ||
	       is_congested(credits, routed, view, port, vcs);
}

uint64_t hd_credits_worth(const struct hd_credits *credits, const struct hd_routed *routed,
			  const struct hd_view *view, unsigned port, uint32_t vcs, uint64_t others,
			  uint32_t other_vcs)
{
	double limit = credits->share * fill(credits, routed, view, port, vcs);
	uint64_t worth = 0;

	for (; others; others &= others - 1) {
		unsigned other = (unsigned)__builtin_ctzll(others);

		if (fill(credits, routed, view, other, other_vcs) <= limit)
			worth |= hd_port_bit(other);
	}
	return worth;
}

int hd_contention_init(const struct hd_params *params, struct hd_contention *contention,
		       struct hd_error *err)
{
	int ret = hd_params_decimal(params, "threshold", 0, 1e6, &contention->threshold, err);

	return ret ? ret : hd_params_bool(params, "reached", &contention->reached, err);
}

uint64_t hd_contention_worth(const struct hd_routed *routed, const struct hd_view *view,
			     unsigned port, uint32_t vcs, uint64_t others, uint32_t other_vcs)
{
	const struct hd_contention *contention = routed->trigger_own;
	uint64_t worth = 0;

	(void)port;
	(void)vcs;
	(void)other_vcs;

	for (; others; others &= others - 1) {
		unsigned other = (unsigned)__builtin_ctzll(others);

		if (!hd_contention_exceeds(contention, view->sight->contention[other]))
			worth |= hd_port_bit(other);
	}
	return worth;
}

double hd_filter_value(const struct hd_filter *filter, unsigned count, double alpha, uint64_t now,
		       uint64_t cycle)
{
	double decay = pow(alpha, (double)((now - filter->since) / cycle));

	return decay * filter->value + (1 - decay) * count;
}
