// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/served_by.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/check.h"
#include "check/load.h"
#include "fabric/fabric_parts.h"
#include "fabric/lids.h"
#include "fabric/link_rate.h"
#include "support/error.h"
#include "tools/report.h"

/* More LFT entries than fabrics of InfiniBand have that are linked: half a gigabyte of them. */
#define MOST_ENTRIES (UINT64_C(1) << 29)

static void weigh(const struct hd_fabric *fabric, const struct hd_load *load,
		  struct hd_served *served)
{
	const uint32_t fastest = hd_fastest_mbps(fabric);
	uint64_t n_flows = 0, n_links = 0;

	served->are_rates_alike = true;
	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			const uint32_t port = hd_port_index(fabric, s, number);
			uint64_t flows;

			if (hd_peer_node(fabric, s, number) >= fabric->n_switches)
				continue;
			served->are_rates_alike &=
				!fastest || hd_port_mbps(fabric, port, fastest) == fastest;
			flows = hd_load_by_rate(load, fabric, fastest, port);
			served->busiest = flows > served->busiest ? flows : served->busiest;
			n_flows += flows;
			n_links++;
		}
	served->load = n_flows ? (double)served->busiest * (double)n_links / (double)n_flows : 1;
}

/* @found, of zeros, gets what was made and found. */
static int route_and_prove(const struct hd_fabric *fabric, const struct hd_choice *choice,
			   struct hd_served_tables *found, struct hd_error *err)
{
	const struct hd_route_request request = { 0 };
	int ret = hd_route_choice(choice, fabric, &request, &found->tables, err);

	if (!ret)
		ret = hd_check(found->tables, NULL, &found->result, err);
	return ret ? ret : hd_load_compute(found->tables, &found->load, err);
}

/* @kept, if not NULL, gets tables that are sound. */
static int try_engine(const struct hd_fabric *fabric, const struct hd_choice *choice,
		      struct hd_served *served, struct hd_served_tables *kept, struct hd_error *err)
{
	struct hd_served_tables found = { 0 };
	int ret = route_and_prove(fabric, choice, &found, err);

	if (!ret) {
		served->sls = found.result.sls;
		served->vls = found.result.vls;
		served->is_routed = found.result.failure == HD_CHECK_SOUND;
		if (!served->is_routed)
			hd_check_summary(&found.result, fabric, served->refusal,
					 sizeof(served->refusal));
		weigh(fabric, &found.load, served);
	}
	if (!ret && served->is_routed && kept)
		*kept = found;
	else
		hd_served_tables_clear(&found);
	if (ret == HD_ENOMEM)
		return ret;
	if (ret)
		snprintf(served->refusal, sizeof(served->refusal), "%.255s", err->text);
	return 0;
}

void hd_served_tables_clear(struct hd_served_tables *kept)
{
	hd_load_clear(&kept->load);
	hd_check_clear(&kept->result);
	hd_tables_free(kept->tables);
	*kept = (struct hd_served_tables){ 0 };
}

int hd_served_by_find(const struct hd_fabric *fabric, enum hd_served_depth depth,
		      const struct hd_engine *sound, struct hd_served_tables *kept,
		      struct hd_served_by *served_by, struct hd_error *err)
{
	const struct hd_route_request request = { 0 };
	struct hd_choices *choices = &served_by->choices;
	struct hd_fabric *own = NULL;
	uint32_t n_parts, n_switches;
	unsigned first = 0;
	int ret = 0;

	*served_by = (struct hd_served_by){ .are_all_tried = depth == HD_SERVED_ALL };
	if (!fabric->top_lid) {
		ret = hd_fabric_assign_lids(fabric, HD_NONE, 0, &own, err);
		if (!ret)
			ret = hd_fabric_keep_subnet(&own, &n_parts, &n_switches, err);
		fabric = own;
	}
	if (!ret && (uint64_t)fabric->n_switches * fabric->top_lid > MOST_ENTRIES)
		snprintf(served_by->unknown, sizeof(served_by->unknown),
			 "LFTs of %" PRIu32 " switches and %" PRIu32 " LIDs are too large to try",
			 fabric->n_switches, fabric->top_lid);
	/* nothing to route where not even a subnet manager would find a port */
	else if (!ret && fabric->top_lid)
		ret = hd_choose(fabric, &request, choices, err);
	served_by->is_first_named = depth == HD_SERVED_NAME && choices->is_large && choices->n &&
				    !choices->list[0].refusal[0];
	for (unsigned i = 0; !ret && !served_by->is_first_named && i < choices->n; i++) {
		if (depth != HD_SERVED_ALL && first < i)
			break;
		if (choices->list[i].engine == sound && !choices->list[i].option)
			served_by->served[i].is_routed = true;
		else
			ret = try_engine(fabric, &choices->list[i], &served_by->served[i],
					 i == first ? kept : NULL, err);
		/* what engine heddle passes over, too */
		first += first == i && !served_by->served[i].is_routed;
	}
	served_by->first = first;
	hd_fabric_free(own);
	return ret;
}

const char *hd_served_describe(const struct hd_served *served, char *text, size_t size)
{
	snprintf(text, size,
		 "SLs %u, VLs %u, busiest link %" PRIu64 " flows%s, %.2f times the mean",
		 served->sls, served->vls, served->busiest,
		 served->are_rates_alike ? "" : " by rate", served->load);
	return text;
}

/* "engine" for the one that is taken, "next best" for those behind it. */
static const char *label_of(const struct hd_served_by *served_by, unsigned i)
{
	return i == served_by->first ? "engine" : i < served_by->first ? "not" : "next best";
}

void hd_served_by_tell(const struct hd_served_by *served_by, struct hd_fields *fields)
{
	const struct hd_choices *choices = &served_by->choices;

	if (served_by->unknown[0])
		hd_fields_add(fields, "engine", "not known: %s", served_by->unknown);
	for (unsigned i = 0; i < choices->n; i++) {
		const char *label = label_of(served_by, i), *why = choices->list[i].why;
		const char *name = choices->list[i].name;
		const struct hd_served *served = &served_by->served[i];
		char text[128];

		if (!served_by->are_all_tried && i > served_by->first + 1)
			break;
		if (served_by->is_first_named && i == served_by->first)
			hd_fields_add(fields, label,
				      "%s: %s; not tried on so large a fabric (--engines does)",
				      name, why);
		else if (!served_by->are_all_tried)
			hd_fields_add(fields, label, "%s: %s", name, why);
		else if (!served->is_routed)
			hd_fields_add(fields, label, "%s: %s; refuses: %s", name, why,
				      served->refusal);
		else
			hd_fields_add(fields, label, "%s: %s; %s", name, why,
				      hd_served_describe(served, text, sizeof(text)));
	}
}

void hd_served_by_json(const struct hd_served_by *served_by, json_t *root)
{
	const struct hd_choices *choices = &served_by->choices;
	json_t *list = json_array();

	for (unsigned i = 0; i < choices->n; i++) {
		const struct hd_served *served = &served_by->served[i];
		json_t *item = json_object();

		json_object_set_new(item, "name", json_string(choices->list[i].name));
		json_object_set_new(item, "why", hd_json_text(choices->list[i].why));
		if (served_by->are_all_tried && !served->is_routed)
			json_object_set_new(item, "refuses", hd_json_text(served->refusal));
		if (served_by->are_all_tried && served->is_routed) {
			json_object_set_new(item, "sls", json_integer(served->sls));
			json_object_set_new(item, "vls", json_integer(served->vls));
			json_object_set_new(item, "busiest",
					    json_integer((json_int_t)served->busiest));
			json_object_set_new(item, "load", json_real(served->load));
		}
		json_array_append_new(list, item);
	}
	json_object_set_new(root, "engines", list);
	json_object_set_new(root, "engine",
			    served_by->first < choices->n
				    ? json_string(choices->list[served_by->first].name)
				    : json_null());
	json_object_set_new(root, "engine_tried",
			    json_boolean(!served_by->is_first_named && !served_by->unknown[0]));
}
