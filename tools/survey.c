// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/survey.h"

#include <inttypes.h>
#include <stdio.h>

#include "fabric/distances.h"
#include "fabric/fabric_parts.h"
#include "support/error.h"
#include "tools/report.h"

static void span_add(struct hd_extent *span, unsigned value)
{
	if (value < span->least)
		span->least = value;
	if (value > span->most)
		span->most = value;
}

static int measure_distances(const struct hd_fabric *fabric, struct hd_survey *survey,
			     struct hd_error *err)
{
	uint64_t counts[HD_UNREACHABLE], sum = 0, pairs = 0;
	int ret = hd_switch_distance_counts(fabric, counts, err);

	if (ret)
		return ret;
	for (unsigned distance = 1; distance < HD_UNREACHABLE; distance++) {
		if (counts[distance])
			survey->diameter = distance;
		sum += distance * counts[distance];
		pairs += counts[distance];
	}
	/* distances that are too long to be counted are taken as 255 */
	if (pairs < survey->n_connected_pairs)
		survey->diameter = HD_UNREACHABLE;
	sum += HD_UNREACHABLE * (survey->n_connected_pairs - pairs);
	if (survey->n_connected_pairs)
		survey->mean_distance = (double)sum / (double)survey->n_connected_pairs;
	return 0;
}

static int survey_parts(const struct hd_fabric *fabric, struct hd_survey *survey,
			struct hd_error *err)
{
	struct hd_parts parts;
	const int ret = hd_parts_find(fabric, &parts, err);

	survey->n_parts = parts.n;
	survey->largest_part = parts.n ? parts.size[parts.order[0]] : 0;
	for (uint32_t i = 0; i < parts.n; i++)
		survey->n_connected_pairs += (uint64_t)parts.size[i] * (parts.size[i] - 1);
	hd_parts_clear(&parts);
	return ret;
}

static void survey_ports(const struct hd_fabric *fabric, struct hd_survey *survey)
{
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		bool is_switch = hd_is_switch(fabric, port->node);

		if (port->peer == HD_NONE) {
			survey->n_unlinked += !is_switch && port->number > 0;
			continue;
		}
		if (port->peer < p)
			continue;
		span_add(&survey->vls, hd_link_vls(fabric, p));
		if (is_switch && hd_is_switch(fabric, fabric->ports[port->peer].node))
			survey->n_switch_links++;
		else
			survey->n_end_links++;
	}
}

static void survey_lids(const struct hd_fabric *fabric, struct hd_survey *survey)
{
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];
		bool is_switch = hd_is_switch(fabric, port->node);

		if (!port->lid) {
			survey->n_without_lid += is_switch || port->peer != HD_NONE;
			continue;
		}
		survey->n_lids += 1u << port->lmc;
		if (!survey->lowest_lid || port->lid < survey->lowest_lid)
			survey->lowest_lid = port->lid;
		if (!is_switch)
			span_add(&survey->lmc, port->lmc);
	}
}

int hd_survey(const struct hd_fabric *fabric, struct hd_survey *survey, struct hd_error *err)
{
	const struct hd_extent none = { .least = UINT32_MAX };
	int ret;

	*survey = (struct hd_survey){ .switch_ports = none, .vls = none, .lmc = none };
	hd_for_each_node(n, fabric) {
		survey->n_switches += fabric->nodes[n].type == HD_SWITCH;
		survey->n_adapters += fabric->nodes[n].type == HD_CA;
		survey->n_routers += fabric->nodes[n].type == HD_ROUTER;
		if (hd_is_switch(fabric, n))
			span_add(&survey->switch_ports, fabric->nodes[n].n_ports);
	}
	survey_ports(fabric, survey);
	survey_lids(fabric, survey);
	ret = survey_parts(fabric, survey, err);
	return ret ? ret : measure_distances(fabric, survey, err);
}

static const char *span_text(const struct hd_extent *span, char *buffer, size_t size)
{
	if (span->least > span->most)
		snprintf(buffer, size, "none");
	else if (span->least == span->most)
		snprintf(buffer, size, "%u", span->least);
	else
		snprintf(buffer, size, "%u-%u", span->least, span->most);
	return buffer;
}

static void tell_lids(const struct hd_fabric *fabric, const struct hd_survey *survey,
		      struct hd_fields *fields)
{
	char lmc[32];

	if (!survey->n_lids) {
		hd_fields_add(fields, "LIDs", "none");
		return;
	}
	hd_fields_add(fields, "LIDs", "%" PRIu32 " from %" PRIu32 " to %" PRIu32 ", LMC %s",
		      survey->n_lids, survey->lowest_lid, fabric->top_lid,
		      span_text(&survey->lmc, lmc, sizeof(lmc)));
	if (survey->n_without_lid)
		hd_fields_add(fields, "without a LID", "%" PRIu32 " ports", survey->n_without_lid);
}

void hd_survey_tell(const struct hd_fabric *fabric, const struct hd_survey *survey,
		    struct hd_fields *fields)
{
	char span[32];

	hd_fields_add(fields, "switches", "%" PRIu32 " of %s ports", survey->n_switches,
		      span_text(&survey->switch_ports, span, sizeof(span)));
	hd_fields_add(fields, "end nodes", "%" PRIu32, survey->n_adapters + survey->n_routers);
	if (survey->n_routers)
		hd_fields_add(fields, "routers", "%" PRIu32 " of the end nodes", survey->n_routers);
	hd_fields_add(fields, "links", "%" PRIu32 " between switches, %" PRIu32 " to end nodes",
		      survey->n_switch_links, survey->n_end_links);
	if (survey->n_unlinked)
		hd_fields_add(fields, "unlinked", "%" PRIu32 " ports of end nodes",
			      survey->n_unlinked);
	if (survey->n_parts > 1)
		hd_fields_add(fields, "disconnected",
			      "%" PRIu32 " parts, the largest of %" PRIu32 " switches",
			      survey->n_parts, survey->largest_part);
	if (survey->diameter < HD_UNREACHABLE)
		hd_fields_add(fields, "diameter", "%u hops between switches, mean %.3f",
			      survey->diameter, survey->mean_distance);
	else
		hd_fields_add(fields, "diameter", "over 254 hops between switches");
	hd_fields_add(fields, "data VLs", "%s", span_text(&survey->vls, span, sizeof(span)));
	tell_lids(fabric, survey, fields);
}
