// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shows port sets that switches were given, in the words of ar.dump (tables/ar_dump.c). */
#include <inttypes.h>

#include "simfabric/console_command.h"
#include "simfabric/emulator/sma_ar.h"
#include "support/error.h"

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
	fprintf(out, "#\tadaptive routing is %s\n\n", sw->ar && sw->ar->is_on ? "on" : "off");
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

const struct hd_console_command hd_console_ar_commands[] = {
	{ "DumpAR", "N", "[\"switch\"]", "show the port sets of a switch, or of all (--ar)",
	  dump_ar },
	{ 0 }
};
