// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/show_rates.h"

#include <inttypes.h>

#include "fabric/link_rate.h"
#include "tools/link_classes.h"
#include "tools/report.h"

/* Weighed flows of the links of a class. */
struct weighed {
	uint32_t n;
	double min, max, sum;
	uint32_t busiest; /* port */
};

struct rates {
	uint32_t fastest; /* a port of the fastest links; HD_NONE: no rate is known */
	bool differ;
	struct weighed of[HD_N_LOAD_CLASSES];
};

/* Mbit/s; 0: not known. */
static uint32_t rate_of(const struct hd_fabric *fabric, uint32_t port)
{
	return hd_link_mbps(fabric->ports[port].width, fabric->ports[port].speed);
}

static void find_fastest(const struct hd_fabric *fabric, struct rates *rates)
{
	*rates = (struct rates){ .fastest = HD_NONE };
	hd_for_each_port(port, fabric) {
		uint32_t rate = rate_of(fabric, port);

		if (fabric->ports[port].peer == HD_NONE || !rate)
			continue;
		if (rates->fastest != HD_NONE && rate != rate_of(fabric, rates->fastest))
			rates->differ = true;
		if (rates->fastest == HD_NONE || rate > rate_of(fabric, rates->fastest))
			rates->fastest = port;
	}
}

/* Links of a rate that is not known count as the fastest. */
static void weigh(const struct hd_fabric *fabric, const struct hd_load *load,
		  const uint8_t *classes, struct rates *rates)
{
	find_fastest(fabric, rates);
	hd_for_each_port(port, fabric) {
		struct weighed *of = &rates->of[classes[port]];
		uint32_t rate = rate_of(fabric, port);
		double flows = hd_load_port(load, port);

		if (!rates->differ || classes[port] == HD_LOAD_NONE)
			continue;
		if (rate)
			flows = flows * rate_of(fabric, rates->fastest) / rate;
		if (!of->n || flows < of->min)
			of->min = flows;
		if (!of->n || flows > of->max) {
			of->max = flows;
			of->busiest = port;
		}
		of->sum += flows;
		of->n++;
	}
}

int hd_show_rates(const struct hd_fabric *fabric, const struct hd_load *load,
		  const uint8_t *classes, struct hd_error *err)
{
	const struct hd_port *port;
	struct rates rates;
	struct hd_columns columns;
	char rate[16];

	weigh(fabric, load, classes, &rates);
	if (!rates.differ)
		return 0;
	port = &fabric->ports[rates.fastest];
	printf("flows, each as many times as %s is faster than its link:\n",
	       hd_rate_text(port->width, port->speed, rate, sizeof(rate)));
	hd_columns_init(&columns, 6, 0x0E);
	hd_columns_titles(&columns, "links", "min", "max", "mean", "busiest", "rate");
	for (unsigned class = HD_LOAD_INJECTION; class < HD_N_LOAD_CLASSES; class ++) {
		const struct weighed *of = &rates.of[class];
		char from[HD_LABEL_SIZE];

		if (!of->n)
			continue;
		port = &fabric->ports[of->busiest];
		hd_columns_add(&columns, "%s", hd_load_class_names[class]);
		hd_columns_add(&columns, "%.1f", of->min);
		hd_columns_add(&columns, "%.1f", of->max);
		hd_columns_add(&columns, "%.1f", of->sum / of->n);
		hd_columns_add(&columns, "%s[%u]",
			       hd_node_label(fabric, port->node, from, sizeof(from)), port->number);
		hd_columns_add(&columns, "%s",
			       hd_rate_text(port->width, port->speed, rate, sizeof(rate)));
	}
	return hd_columns_print(&columns, err);
}

void hd_show_rates_json(const struct hd_fabric *fabric, const struct hd_load *load,
			const uint8_t *classes, json_t *root)
{
	struct rates rates;
	json_t *by_rate;

	weigh(fabric, load, classes, &rates);
	if (!rates.differ) {
		json_object_set_new(root, "by_rate", json_null());
		return;
	}
	by_rate = json_object();
	json_object_set_new(by_rate, "fastest_mbps", json_integer(rate_of(fabric, rates.fastest)));
	for (unsigned class = HD_LOAD_INJECTION; class < HD_N_LOAD_CLASSES; class ++) {
		const struct weighed *of = &rates.of[class];
		const struct hd_port *port = &fabric->ports[of->busiest];
		json_t *entry, *busiest;
		char label[HD_LABEL_SIZE];

		if (!of->n)
			continue;
		entry = json_object();
		busiest = json_object();
		json_object_set_new(entry, "min", json_real(of->min));
		json_object_set_new(entry, "max", json_real(of->max));
		json_object_set_new(entry, "mean", json_real(of->sum / of->n));
		json_object_set_new(
			busiest, "node",
			hd_json_text(hd_node_label(fabric, port->node, label, sizeof(label))));
		json_object_set_new(busiest, "port", json_integer(port->number));
		json_object_set_new(busiest, "mbps", json_integer(rate_of(fabric, of->busiest)));
		json_object_set_new(entry, "busiest", busiest);
		json_object_set_new(by_rate, hd_load_class_names[class], entry);
	}
	json_object_set_new(root, "by_rate", by_rate);
}
