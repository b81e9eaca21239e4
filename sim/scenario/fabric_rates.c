// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/fabric_rates.h"

#include <math.h>
#include <stdlib.h>

#include "fabric/link_rate.h"
#include "support/error.h"

/* Mbit/s of the link at @port: of its slower end; 0: not known, or no link. */
static uint32_t rate_of(const struct hd_fabric *fabric, uint32_t port)
{
	const struct hd_port *here = &fabric->ports[port], *there;
	uint32_t mbps, other;

	if (here->peer == HD_NONE)
		return 0;
	there = &fabric->ports[here->peer];
	mbps = hd_link_mbps(here->width, here->speed);
	other = hd_link_mbps(there->width, there->speed);
	return mbps && (!other || mbps < other) ? mbps : other;
}

/* Whether all links whose rate is known have one rate, as in most fabrics. */
static bool are_same(const struct hd_fabric *fabric)
{
	uint32_t first = 0;

	hd_for_each_port(port, fabric) {
		const uint32_t mbps = rate_of(fabric, port);

		if (mbps && first && mbps != first)
			return false;
		first = mbps ? mbps : first;
	}
	return true;
}

static enum hd_link_class class_of(const struct hd_fabric *fabric, const uint8_t *port_class,
				   uint32_t port)
{
	if (!hd_is_switch_link(fabric, port))
		return HD_LINK_TERMINAL;
	return port_class && port_class[port] == HD_PORT_GLOBAL ? HD_LINK_GLOBAL : HD_LINK_LOCAL;
}

static int compare_rates(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The rate that comes most often among @n, the greater one of equals; 0: there is none. */
static uint32_t usual(uint32_t *rates, size_t n)
{
	uint32_t found = 0;
	size_t most = 0;

	qsort(rates, n, sizeof(*rates), compare_rates);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && rates[end] == rates[i]; end++)
			;
		if (end - i >= most) {
			most = end - i;
			found = rates[i];
		}
	}
	return found;
}

/* Finds the rates that the bandwidths of the classes stand for; false: no memory. */
static bool find_usual(const struct hd_setup *setup, const struct hd_fabric *fabric,
		       const uint8_t *port_class, uint32_t of[HD_LINK_CLASSES])
{
	uint32_t *rates = malloc((fabric->n_ports + (size_t)1) * sizeof(*rates));
	uint32_t all;
	size_t n = 0;

	if (!rates)
		return false;
	hd_for_each_port(port, fabric)
		if (rate_of(fabric, port))
			rates[n++] = rate_of(fabric, port);
	all = usual(rates, n);
	for (unsigned class = 0; class < HD_LINK_CLASSES; class ++) {
		n = 0;
		hd_for_each_port(port, fabric)
			if (rate_of(fabric, port) && class_of(fabric, port_class, port) == class)
				rates[n++] = rate_of(fabric, port);
		of[class] = usual(rates, n);
	}
	free(rates);
	if (!of[HD_LINK_TERMINAL])
		of[HD_LINK_TERMINAL] = all;
	for (unsigned class = HD_LINK_LOCAL; class < HD_LINK_CLASSES; class ++)
		if (!of[class] || !setup->has_bandwidth[class])
			of[class] = of[HD_LINK_TERMINAL];
	return true;
}

static int find_ticks(const struct hd_setup *setup, const struct hd_fabric *fabric, uint32_t port,
		      uint32_t of_class, uint32_t usual_mbps, uint32_t *ticks, struct hd_error *err)
{
	double exact = (double)of_class * usual_mbps / rate_of(fabric, port);
	char label[HD_LABEL_SIZE];

	*ticks = exact < 1 || exact > UINT32_MAX ? 0 : (uint32_t)llround(exact);
	if (*ticks && (!setup->network.in_cycles || fabs(exact - *ticks) <= 1e-6 * exact))
		return 0;
	return hd_error_set(err, HD_ERANGE,
			    "the link at %s carries %.4g times what links of its class do: %s",
			    hd_port_label(fabric, port, label, sizeof(label)),
			    rate_of(fabric, port) / (double)usual_mbps,
			    *ticks ? "a flit must take a whole number of twelfths of a cycle"
				   : "that is out of range");
}

int hd_rates_make(const struct hd_setup *setup, const struct hd_fabric *fabric,
		  const uint8_t *port_class, uint32_t **result, struct hd_error *err)
{
	uint32_t of[HD_LINK_CLASSES], *ticks;
	bool differ = false;
	int ret = 0;

	*result = NULL;
	if (!setup->own_rates || are_same(fabric))
		return 0;
	ticks = calloc(fabric->n_ports + (size_t)1, sizeof(*ticks));
	if (!ticks || !find_usual(setup, fabric, port_class, of)) {
		free(ticks);
		return hd_error_nomem(err);
	}
	for (uint32_t port = 0; !ret && port < fabric->n_ports; port++) {
		enum hd_link_class class;
		uint32_t mbps = rate_of(fabric, port);

		if (!mbps)
			continue;
		class = class_of(fabric, port_class, port);
		if (mbps == of[class])
			continue;
		differ = true;
		ret = find_ticks(setup, fabric, port, setup->model.links[class].unit_ticks,
				 of[class], &ticks[port], err);
	}
	if (ret || !differ)
		free(ticks);
	else
		*result = ticks;
	return ret;
}
