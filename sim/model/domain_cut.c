// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which switch belongs to which domain. Switches are put into an order, and the order is cut into
 * stretches of equal weight. Groups stay whole where there are enough of them, since the links
 * between groups are few, and often long.
 */
#include "sim/model/domains.h"
#include "sim/switches/adaptive.h"

#include <stdlib.h>
#include <string.h>

/* The switches in an order, in units that stay together. */
struct order {
	uint32_t *switches; /* [n_switches] */
	uint32_t *unit;     /* [n_switches] of the switch at that place, ascending */
	uint32_t n_units;
};

static bool order_new(const struct hd_model *model, struct order *order)
{
	size_t n = model->network.n_switches;

	order->switches = malloc(2 * n * sizeof(*order->switches));
	order->unit = order->switches + n;
	order->n_units = 0;
	return order->switches != NULL;
}

/* Whether the link of switch port @out leads to a switch; with @in_group, to one of the group. */
static bool leads_on(const struct hd_model *model, uint32_t out, bool in_group)
{
	return hd_is_port(model, out) && !hd_sender(model, out)->to_host &&
	       !(in_group && hd_sender(model, out)->link_class == HD_LINK_GLOBAL);
}

/*
 * Appends the switches that links lead to from @first, nearest first; @seen is set for each. With
 * @in_group only those of its group, which are a unit.
 */
static void append(const struct hd_model *model, struct order *order, uint32_t *n, uint32_t first,
		   bool in_group, bool *seen)
{
	uint32_t done = *n;

	seen[first] = true;
	order->switches[(*n)++] = first;
	for (; done < *n; done++) {
		uint32_t at = order->switches[done];

		order->unit[done] = order->n_units;
		order->n_units += !in_group;
		for (unsigned i = 0; i < model->network.n_locals[at]; i++) {
			uint32_t out = hd_first_port(model, at) + i, next;

			if (!leads_on(model, out, in_group))
				continue;
			next = hd_switch_of(model, hd_sender(model, out)->peer);
			if (seen[next])
				continue;
			seen[next] = true;
			order->switches[(*n)++] = next;
		}
	}
	order->n_units += in_group;
}

static bool order_by_links(const struct hd_model *model, bool in_group, struct order *order)
{
	bool *seen = calloc(model->network.n_switches, sizeof(*seen));
	uint32_t n = 0;

	if (!seen || !order_new(model, order)) {
		free(seen);
		return false;
	}
	for (uint32_t at = 0; at < model->network.n_switches; at++)
		if (!seen[at])
			append(model, order, &n, at, in_group, seen);
	free(seen);
	return true;
}

/* By groups as switches know them, which tell one another what they see. */
static bool order_by_notices(const struct hd_model *model, struct order *order)
{
	const struct hd_shape *shape = model->adaptive->shape;
	uint32_t n = 0;

	if (!order_new(model, order))
		return false;
	for (uint32_t group = 0; group < shape->n_groups; group++) {
		uint32_t before = n;

		for (uint32_t at = 0; at < model->network.n_switches; at++)
			if (shape->group[at] == group) {
				order->unit[n] = order->n_units;
				order->switches[n++] = at;
			}
		order->n_units += n > before;
	}
	return true;
}

static bool order_by_number(const struct hd_model *model, struct order *order)
{
	if (!order_new(model, order))
		return false;
	order->n_units = model->network.n_switches;
	for (uint32_t at = 0; at < model->network.n_switches; at++)
		order->switches[at] = order->unit[at] = at;
	return true;
}

/* Cuts @order into @n domains by the number of ports; no domain is empty, since @n <= units. */
static void divide(const struct hd_model *model, const struct order *order, unsigned n,
		   uint8_t *of_switch)
{
	uint64_t ports = 0, sum = 0;
	uint32_t units = 0;
	unsigned domain = 0;

	for (uint32_t at = 0; at < model->network.n_switches; at++)
		ports += model->network.n_locals[at];
	for (uint32_t i = 0; i < model->network.n_switches; i++) {
		bool begins = i && order->unit[i] != order->unit[i - 1];

		units += begins;
		/* a unit goes where its begin lies, but for units that later domains need */
		if (begins && domain + 1 < n &&
		    (sum * n >= ports * (domain + 1) || order->n_units - units < n - domain))
			domain++;
		of_switch[order->switches[i]] = (uint8_t)domain;
		sum += model->network.n_locals[order->switches[i]];
	}
}

static bool is_cut(const struct hd_model *model, uint32_t out, const uint8_t *of_switch)
{
	return leads_on(model, out, false) &&
	       of_switch[hd_switch_of(model, out)] !=
		       of_switch[hd_switch_of(model, hd_sender(model, out)->peer)];
}

static uint32_t count_cut(const struct hd_model *model, const uint8_t *of_switch)
{
	uint32_t n = 0;

	for (uint32_t out = 0; out < model->network.first_host_port; out++)
		n += is_cut(model, out, of_switch);
	return n;
}

/* By links or by number, which cuts fewer links. */
static bool divide_switches(const struct hd_model *model, unsigned n, uint8_t *of_switch)
{
	uint8_t *other = malloc(model->network.n_switches);
	struct order by_links, by_number;
	bool is_made = other && order_by_links(model, false, &by_links);

	if (is_made && !order_by_number(model, &by_number)) {
		free(by_links.switches);
		is_made = false;
	}
	if (!is_made) {
		free(other);
		return false;
	}
	divide(model, &by_links, n, of_switch);
	divide(model, &by_number, n, other);
	if (count_cut(model, other) <= count_cut(model, of_switch))
		memcpy(of_switch, other, model->network.n_switches);
	free(by_links.switches);
	free(by_number.switches);
	free(other);
	return true;
}

/* The shortest time in which something crosses the link of @out, or a credit comes back by it. */
static uint64_t least_ticks(const struct hd_model *model, uint32_t out)
{
	const struct hd_delay_line *lines = model->events.lines;
	const struct sender *sender = hd_sender(model, out);
	uint64_t packet = lines[sender->arrive_line].delay;
	uint64_t credit = lines[hd_receiver(model, sender->peer)->credit_line].delay;

	if (model->early_credits) /* known when the packet begins to leave, by a crossbar or not */
		credit += (uint64_t)unit_ticks(model, out) *
			  (model->options.least_packet ? model->options.least_packet : 1) /
			  (hd_switch_hooks(model) ? model->options.speedup : 1);
	return packet < credit ? packet : credit;
}

/* Domains that switches which tell one another do not leave; returns their number. */
static unsigned divide_notices(const struct hd_model *model, unsigned most, uint8_t *of_switch)
{
	struct order order;

	if (!order_by_notices(model, &order))
		return 1;
	most = order.n_units < most ? order.n_units : most;
	if (most > 1)
		divide(model, &order, most, of_switch);
	free(order.switches);
	return most;
}

/* Groups stay whole if there are enough; returns the number of domains. */
static unsigned divide_groups(const struct hd_model *model, unsigned most, uint8_t *of_switch)
{
	struct order groups;
	bool has_groups = false;

	if (order_by_links(model, true, &groups)) {
		has_groups = groups.n_units >= most;
		if (has_groups)
			divide(model, &groups, most, of_switch);
		free(groups.switches);
	}
	return has_groups || divide_switches(model, most, of_switch) ? most : 1;
}

unsigned hd_domains_cut(const struct hd_model *model, unsigned most, uint8_t *of_switch,
			uint64_t *window)
{
	*window = UINT64_MAX;
	memset(of_switch, 0, model->network.n_switches);
	if (most > HD_DOMAINS_MAX)
		most = HD_DOMAINS_MAX;
	if (most > model->network.n_switches)
		most = model->network.n_switches;
	if (most < 2)
		return 1;
	if (model->adaptive && model->adaptive->notices.bytes)
		most = divide_notices(model, most, of_switch);
	else
		most = divide_groups(model, most, of_switch);
	if (most < 2)
		return 1;
	for (uint32_t out = 0; out < model->network.first_host_port; out++)
		if (is_cut(model, out, of_switch)) {
			uint64_t ticks = least_ticks(model, out);

			*window = ticks < *window ? ticks : *window;
		}
	return *window ? most : 1;
}
