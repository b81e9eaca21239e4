// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/slow_links.h"

#include <stdlib.h>

#include "fabric/link_rate.h"
#include "support/error.h"

#define LEAST_LINKS 3 /* of a kind at a switch, so that one rate is usual */

/* What links of a switch lead to. */
enum kind { TO_SWITCH, TO_END_NODE, N_KINDS };

/* At a switch: a port with the usual rate, of either kind; HD_NONE: there is none. */
struct usual {
	uint32_t port[N_KINDS];
};

static uint32_t rate_of(const struct hd_fabric *fabric, uint32_t port)
{
	return hd_link_mbps(fabric->ports[port].width, fabric->ports[port].speed);
}

static enum kind kind_of(const struct hd_fabric *fabric, uint32_t port)
{
	return hd_is_switch(fabric, fabric->ports[fabric->ports[port].peer].node) ? TO_SWITCH
										  : TO_END_NODE;
}

/* The port of @s whose rate most of its links of @kind have. */
static uint32_t find_usual(const struct hd_fabric *fabric, uint32_t s, enum kind kind)
{
	uint32_t rates[HD_MAX_PORTS], ports[HD_MAX_PORTS], n = 0;
	uint32_t best = HD_NONE, most = 0;

	hd_for_each_number(number, fabric, s) {
		uint32_t port = hd_port_index(fabric, s, number);

		if (fabric->ports[port].peer == HD_NONE || kind_of(fabric, port) != kind ||
		    !rate_of(fabric, port))
			continue;
		rates[n] = rate_of(fabric, port);
		ports[n++] = port;
	}
	for (uint32_t i = 0; n >= LEAST_LINKS && i < n; i++) {
		uint32_t count = 0;

		for (uint32_t j = 0; j < n; j++)
			count += rates[j] == rates[i];
		if (count > most || (count == most && rates[i] > rate_of(fabric, best))) {
			most = count;
			best = ports[i];
		}
	}
	return best;
}

/* The port whose rate is usual where @port is below it; HD_NONE: @port is not. */
static uint32_t usual_above(const struct hd_fabric *fabric, const struct usual *usual,
			    uint32_t port)
{
	uint32_t other = usual[fabric->ports[port].node].port[kind_of(fabric, port)];

	return other != HD_NONE && rate_of(fabric, port) < rate_of(fabric, other) ? other : HD_NONE;
}

/* Whether at @port's switch no rate is usual, so that the other end's judges alone. */
static bool is_free(const struct hd_fabric *fabric, const struct usual *usual, uint32_t port)
{
	return usual[fabric->ports[port].node].port[kind_of(fabric, port)] == HD_NONE;
}

static uint32_t judge(const struct hd_fabric *fabric, const struct usual *usual, uint32_t port)
{
	uint32_t peer = fabric->ports[port].peer, here = usual_above(fabric, usual, port), there;

	if (kind_of(fabric, port) == TO_END_NODE)
		return here;
	there = usual_above(fabric, usual, peer);
	if (here == HD_NONE && !is_free(fabric, usual, port))
		return HD_NONE;
	if (there == HD_NONE && !is_free(fabric, usual, peer))
		return HD_NONE;
	return here != HD_NONE ? here : there;
}

int hd_slow_links_find(const struct hd_fabric *fabric, struct hd_slow_links *slow,
		       struct hd_error *err)
{
	struct usual *usual = malloc((fabric->n_switches + (size_t)1) * sizeof(*usual));

	*slow = (struct hd_slow_links){ 0 };
	slow->list = malloc((fabric->n_links + (size_t)1) * sizeof(*slow->list));
	if (!usual || !slow->list) {
		free(usual);
		return hd_error_nomem(err);
	}
	hd_for_each_switch(s, fabric)
		for (enum kind kind = TO_SWITCH; kind < N_KINDS; kind++)
			usual[s].port[kind] = find_usual(fabric, s, kind);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		uint32_t other;

		if (!hd_is_switch(fabric, port->node) || port->peer == HD_NONE ||
		    !rate_of(fabric, p) || (kind_of(fabric, p) == TO_SWITCH && port->peer < p))
			continue;
		other = judge(fabric, usual, p);
		if (other != HD_NONE)
			slow->list[slow->n++] = (struct hd_slow_link){ p, other };
	}
	free(usual);
	return 0;
}

void hd_slow_links_clear(struct hd_slow_links *slow)
{
	free(slow->list);
}
