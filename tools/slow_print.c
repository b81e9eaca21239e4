// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/slow_print.h"

#include <inttypes.h>

#include "fabric/link_rate.h"
#include "tools/gaps_print.h"
#include "tools/report.h"

const char *hd_slow_links_rate(const struct hd_fabric *fabric, uint32_t port, char *buffer,
			       size_t size)
{
	return hd_rate_text(fabric->ports[port].width, fabric->ports[port].speed, buffer, size);
}

void hd_slow_links_print(const struct hd_fabric *fabric, const struct hd_slow_links *slow,
			 uint32_t most)
{
	char here[HD_LABEL_SIZE], there[HD_LABEL_SIZE], rate[16], usual[16];

	if (slow->n)
		printf("\nslow or narrow cables: %" PRIu32 "\n", slow->n);
	for (uint32_t i = 0; i < slow->n && i < most; i++) {
		uint32_t port = slow->list[i].port;

		printf("  %s - %s: %s beside %s\n", hd_port_label(fabric, port, here, sizeof(here)),
		       hd_port_label(fabric, fabric->ports[port].peer, there, sizeof(there)),
		       hd_slow_links_rate(fabric, port, rate, sizeof(rate)),
		       hd_slow_links_rate(fabric, slow->list[i].usual, usual, sizeof(usual)));
	}
	hd_print_more(slow->n, most);
}

static json_t *json_end(const struct hd_fabric *fabric, uint32_t port)
{
	json_t *end = hd_json_node(fabric, fabric->ports[port].node);

	json_object_set_new(end, "port", json_integer(fabric->ports[port].number));
	return end;
}

void hd_slow_links_json(const struct hd_fabric *fabric, const struct hd_slow_links *slow,
			json_t *root)
{
	json_t *list = json_array();
	char rate[16], usual[16];

	for (uint32_t i = 0; i < slow->n; i++) {
		uint32_t port = slow->list[i].port;
		json_t *link = json_object();

		json_object_set_new(link, "from", json_end(fabric, port));
		json_object_set_new(link, "to", json_end(fabric, fabric->ports[port].peer));
		json_object_set_new(
			link, "rate",
			json_string(hd_slow_links_rate(fabric, port, rate, sizeof(rate))));
		json_object_set_new(link, "usual",
				    json_string(hd_slow_links_rate(fabric, slow->list[i].usual,
								   usual, sizeof(usual))));
		json_array_append_new(list, link);
	}
	json_object_set_new(root, "slow_links", list);
}
