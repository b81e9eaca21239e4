// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shows port sets that switches were given, in the words of ar.dump (tables/ar_dump.c). */
#include <inttypes.h>
#include <string.h>

#include "simfabric/console_command.h"
#include "simfabric/emulator/sma_ar.h"
#include "simfabric/traffic/fabric_view.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/dumps.h"

static const char *const states[] = {
	[HD_SWITCH_AR_BOUNDED] = "bounded",
	[HD_SWITCH_AR_FREE] = "free",
	[HD_SWITCH_AR_STATIC] = "static",
	[HD_SWITCH_AR_HASH] = "hash",
};

/* Subgroups are separated by "/"; groups without a port are left out. */
static bool dump_group(const struct hd_switch_ar *ar, uint32_t group, FILE *out)
{
	bool any = false;

	for (uint32_t i = 0; i < ar->n_subgroups; i++) {
		const uint32_t at = group * ar->n_subgroups + i;

		for (unsigned port = 1; at < ar->n_sets && port < 256; port++) {
			if (!hd_switch_ar_has(ar->sets[at], port))
				continue;
			if (!any)
				fprintf(out, "group %" PRIu32 ":", group);
			any = true;
			fprintf(out, " %u", port);
		}
		if (any && i + 1 < ar->n_subgroups)
			fputs(" /", out);
	}
	if (any)
		fputs("\n", out);
	return any;
}

/* Entries that are not static. */
static uint32_t dump_entries(const struct hd_emulator_switch *sw, FILE *out)
{
	uint32_t n = 0;

	for (uint32_t lid = 0; lid < sw->ar->n_entries; lid++) {
		const struct hd_switch_ar_entry *entry = &sw->ar->entries[lid];

		if (entry->state == HD_SWITCH_AR_STATIC)
			continue;
		fprintf(out, "0x%04" PRIx32 " %03u %s %u\n", lid, sw->lft[lid],
			states[entry->state], entry->group);
		n++;
	}
	return n;
}

/* SLs, or VLs, for which packets choose, if not for all; the ageing time, which 0 does not say. */
static void dump_info(const struct hd_switch_ar *ar, FILE *out)
{
	static const uint8_t no_hbf[HD_SWITCH_AR_HBF_SIZE];
	const char *what = ar->by_vl ? "VLs" : "SLs";

	if (ar->no_fallback)
		fputs("#\tan LFT alone is refused\n", out);
	if (ar->by_sl)
		fprintf(out, "#\t%s that choose: 0x%04x\n", what, ar->sls);
	if (ar->hash_by_sl)
		fprintf(out, "#\t%s that hash: 0x%04x\n", what, ar->hash_sls);
	if (ar->age)
		fprintf(out, "#\tageing time: %" PRIu32 " us\n", ar->age);
	if (memcmp(ar->hbf, no_hbf, sizeof(no_hbf)) == 0)
		return;
	fputs("#\tHBFConfig:", out);
	for (size_t i = 0; i < sizeof(ar->hbf); i++)
		fprintf(out, " %02x", ar->hbf[i]);
	fputs("\n", out);
}

static void dump_hierarchies(const struct hd_switch_ar *ar, size_t n, FILE *out)
{
	for (size_t i = 0; ar->hierarchies && i < n * HD_SWITCH_HIERARCHIES; i++) {
		const struct hd_switch_hierarchy *hierarchy = &ar->hierarchies[i];

		if (!hierarchy->n_levels)
			continue;
		fprintf(out, "#\thierarchy %zu of port %zu: template 0x%" PRIx64 ", levels",
			i % HD_SWITCH_HIERARCHIES, i / HD_SWITCH_HIERARCHIES, hierarchy->template);
		for (unsigned k = 0; k < hierarchy->n_levels; k++)
			fprintf(out, " 0x%" PRIx32, hierarchy->levels[k]);
		fputs("\n", out);
	}
}

/* What ar.dump does not have. */
static void dump_rest(const struct hd_console *console, uint32_t s, FILE *out)
{
	const struct hd_switch_ar *ar = console->emulator->switches[s].ar;
	static const uint16_t no_thresholds[HD_SWITCH_TURBO_THRESHOLDS];

	dump_info(ar, out);
	if (ar->by_vl)
		fputs("#\tSL2VL tables are VL2VL tables\n", out);
	if (ar->turbo || memcmp(ar->turbo_thresholds, no_thresholds, sizeof(no_thresholds)) != 0)
		fprintf(out,
			"#\tturbo path %u, req_delay %u, set_trig_th %u, rst_trig_th %u, "
			"req_trig_window %u\n",
			ar->turbo, ar->turbo_thresholds[0], ar->turbo_thresholds[1],
			ar->turbo_thresholds[2], ar->turbo_thresholds[3]);
	dump_hierarchies(ar, console->emulator->fabric->nodes[s].n_ports + (size_t)1, out);
}

static void dump_switch(const struct hd_console *console, uint32_t s, FILE *out)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	const struct hd_emulator_switch *sw = &console->emulator->switches[s];
	const uint32_t port0 = fabric->nodes[s].first_port;
	char label[HD_LABEL_SIZE];
	uint32_t n_groups = 0, n_entries = 0;

	fprintf(out, "Switch 0x%016" PRIx64 ", base LID %u, \"%s\"\n", fabric->nodes[s].guid,
		console->emulator->ports[port0].lid,
		hd_node_label(fabric, s, label, sizeof(label)));
	for (uint32_t group = 0; sw->ar && group < HD_SWITCH_AR_GROUPS; group++)
		n_groups += dump_group(sw->ar, group, out);
	if (sw->ar)
		n_entries = dump_entries(sw, out);
	fprintf(out, "%" PRIu32 " groups, %" PRIu32 " lids dumped\n", n_groups, n_entries);
	fprintf(out, "#\tadaptive routing is %s\n", sw->ar && sw->ar->is_on ? "on" : "off");
	if (sw->ar)
		dump_rest(console, s, out);
	fputs("\n", out);
}

static int dump_ar(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err)
{
	const struct hd_fabric *fabric = console->emulator->fabric;

	if (!console->emulator->options.ar)
		return hd_error_set(err, HD_EINVAL,
				    "switches have no adaptive routing (simfabric --ar)");
	if (order->place.node == HD_NONE) {
		hd_for_each_switch(s, fabric)
			dump_switch(console, s, out);
		return 0;
	}
	if (!hd_is_switch(fabric, order->place.node))
		return hd_error_set(err, HD_EINVAL, "that node is no switch");
	dump_switch(console, order->place.node, out);
	return 0;
}

/* Refuses an entry whose packets may go by one port alone that is not its default port. */
static int check_single(const struct hd_carried_view *view, struct hd_error *err)
{
	const struct hd_tables *tables = view->tables;
	char label[HD_LABEL_SIZE];

	hd_for_each_switch(s, &view->fabric)
		hd_for_each_lid(lid, &view->fabric) {
			const struct hd_ar_entry entry = hd_ar_entry(tables, s, 0, lid);

			if (entry.set && hd_port_set_count(entry.set) == 1 &&
			    !hd_port_set_has(entry.set, entry.port))
				return hd_error_set(
					err, HD_EINVAL,
					"%s has one port for LID %" PRIu32
					", which is not its default port: ar.dump has "
					"no such entry",
					hd_node_label(&view->fabric, s, label, sizeof(label)), lid);
		}
	return 0;
}

/* ar.dump, as snapshots have it: the sets that packets may use now. */
static int dump_sets(struct hd_console *console, const struct hd_order *order, FILE *out,
		     struct hd_error *err)
{
	struct hd_carried_view *view;
	int ret;

	(void)order;
	if (!console->emulator->options.ar)
		return hd_error_set(err, HD_EINVAL,
				    "switches have no adaptive routing (simfabric --ar)");
	ret = hd_carried_view_new(console->emulator, &view, err);
	if (ret)
		return ret;
	ret = hd_carried_view_take_sets(view, console->emulator, 1, err);
	if (!ret && view->tables->ar)
		ret = check_single(view, err);
	if (!ret)
		ret = hd_carried_view_take_sets(view, console->emulator, 2, err);
	if (!ret && !view->tables->ar)
		ret = hd_ar_new(view->tables, err);
	if (!ret)
		ret = hd_dump_ar.write(view->tables, out, err);
	hd_carried_view_free(view);
	return ret;
}

const struct hd_console_command hd_console_ar_commands[] = {
	{ "DumpAR", "N", "[\"switch\"]", "show the port sets of a switch, or of all (--ar)",
	  dump_ar },
	{ "DumpSets", "", "", "write ar.dump of a snapshot: the port sets in use (--ar)",
	  dump_sets },
	{ 0 }
};
