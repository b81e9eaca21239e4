// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle show ar: the tables of adaptive routing of a switch. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"
#include "tools/cmd_show.h"
#include "tools/open_input.h"
#include "tools/report.h"

/* "1 2 3 / 4 5" */
static void print_group(const struct hd_ar_groups *groups, uint32_t group)
{
	for (uint32_t i = groups->first[group]; i < groups->first[group + 1]; i++) {
		if (i > groups->first[group])
			printf(" /");
		hd_for_each_in_set(port, &groups->subgroups[i])
			printf(" %u", port);
	}
}

/* Whether there is something to tell of an entry. */
static bool is_told(const struct hd_ar_entry *entry, unsigned plft)
{
	return entry->set || (plft && entry->port != HD_NO_PATH);
}

static void print_lft(const struct hd_tables *tables, uint32_t s, unsigned plft)
{
	char label[HD_LABEL_SIZE];

	hd_for_each_lid(lid, tables->fabric) {
		const struct hd_ar_entry entry = hd_ar_entry(tables, s, plft, lid);

		if (!is_told(&entry, plft))
			continue;
		printf("%4u %6" PRIu32 "  ", plft, lid);
		if (entry.port == HD_NO_PATH)
			printf("%4s  %-7s ", "-", hd_ar_state_name(entry.state));
		else
			printf("%4u  %-7s ", entry.port, hd_ar_state_name(entry.state));
		if (entry.set)
			printf("%5u", entry.group);
		else
			printf("%5s", "-");
		printf("  %s\n", hd_report_lid(tables->fabric, lid, label, sizeof(label)));
	}
}

static void print_map(const struct hd_ar_switch *own, unsigned n_ports)
{
	printf("%4s  pLFT of %s 0, 1, ...\n", "in", own->key == HD_AR_BY_SL ? "SL" : "VL");
	for (unsigned in = 0; in <= n_ports; in++) {
		printf("%4u ", in);
		for (unsigned i = 0; i < (own->key == HD_AR_BY_SL ? HD_MAX_SLS : HD_MAX_VLS); i++)
			printf(" %u", own->plft[in * HD_MAX_SLS + i]);
		putchar('\n');
	}
}

static void print_vl2vl(const hd_sl2vl_row *rows, unsigned n_ports)
{
	printf("%4s %4s  VL of VL 0, 1, ...; rows that are left out keep the VL\n", "in", "out");
	for (unsigned in = 0; in <= n_ports; in++)
		for (unsigned out = 0; out <= n_ports; out++) {
			const hd_sl2vl_row row = rows[out * (n_ports + 1) + in];

			if (row == HD_AR_KEEP_VL)
				continue;
			printf("%4u %4u ", in, out);
			for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
				printf(" %2u", hd_row_vl(row, vl));
			putchar('\n');
		}
}

static void print_text(const struct hd_tables *tables, uint32_t s)
{
	const struct hd_ar_groups *groups = &tables->ar->groups[s];
	const struct hd_ar_switch *own = &tables->ar->switches[s];
	const unsigned n_ports = tables->fabric->nodes[s].n_ports;

	printf("%5s  ports\n", "group");
	for (uint32_t i = 0; i < groups->n; i++) {
		printf("%5" PRIu32 " ", i);
		print_group(groups, i);
		putchar('\n');
	}
	printf("%4s %6s  %4s  %-7s %5s  destination\n", "pLFT", "LID", "port", "state", "group");
	for (unsigned plft = 0; plft < own->n_plfts; plft++)
		print_lft(tables, s, plft);
	if (own->plft)
		print_map(own, n_ports);
	if (own->vl2vl)
		print_vl2vl(own->vl2vl, n_ports);
}

static json_t *json_groups(const struct hd_ar_groups *groups)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < groups->n; i++) {
		json_t *group = json_array();

		for (uint32_t k = groups->first[i]; k < groups->first[i + 1]; k++) {
			json_t *ports = json_array();

			hd_for_each_in_set(port, &groups->subgroups[k])
				json_array_append_new(ports, json_integer(port));
			json_array_append_new(group, ports);
		}
		json_array_append_new(array, group);
	}
	return array;
}

static json_t *json_lft(const struct hd_tables *tables, uint32_t s, unsigned plft)
{
	json_t *array = json_array();

	hd_for_each_lid(lid, tables->fabric) {
		const struct hd_ar_entry entry = hd_ar_entry(tables, s, plft, lid);
		json_t *object;

		if (!is_told(&entry, plft))
			continue;
		object = json_object();
		json_object_set_new(object, "lid", json_integer(lid));
		json_object_set_new(object, "port",
				    entry.port == HD_NO_PATH ? json_null()
							     : json_integer(entry.port));
		json_object_set_new(object, "state", json_string(hd_ar_state_name(entry.state)));
		json_object_set_new(object, "group",
				    entry.set ? json_integer(entry.group) : json_null());
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *json_map(const struct hd_ar_switch *own, unsigned n_ports)
{
	json_t *rows = json_array();

	for (unsigned in = 0; in <= n_ports; in++) {
		json_t *row = json_array();

		for (unsigned i = 0; i < (own->key == HD_AR_BY_SL ? HD_MAX_SLS : HD_MAX_VLS); i++)
			json_array_append_new(row, json_integer(own->plft[in * HD_MAX_SLS + i]));
		json_array_append_new(rows, row);
	}
	return json_pack("{s:s, s:o}", "by", own->key == HD_AR_BY_SL ? "SL" : "VL", "rows", rows);
}

static json_t *json_vl2vl(const hd_sl2vl_row *rows, unsigned n_ports)
{
	json_t *array = json_array();

	for (unsigned in = 0; in <= n_ports; in++)
		for (unsigned out = 0; out <= n_ports; out++) {
			const hd_sl2vl_row row = rows[out * (n_ports + 1) + in];
			json_t *vls;

			if (row == HD_AR_KEEP_VL)
				continue;
			vls = json_array();
			for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
				json_array_append_new(vls, json_integer(hd_row_vl(row, vl)));
			json_array_append_new(array, json_pack("{s:i, s:i, s:o}", "in", (int)in,
							       "out", (int)out, "vls", vls));
		}
	return array;
}

static void print_json(const struct hd_tables *tables, uint32_t s)
{
	const struct hd_ar_switch *own = &tables->ar->switches[s];
	const unsigned n_ports = tables->fabric->nodes[s].n_ports;
	json_t *root = hd_json_begin(), *plfts = json_array();

	for (unsigned plft = 0; plft < own->n_plfts; plft++)
		json_array_append_new(plfts, json_lft(tables, s, plft));
	json_object_set_new(root, "switch", hd_json_node(tables->fabric, s));
	json_object_set_new(root, "groups", json_groups(&tables->ar->groups[s]));
	json_object_set_new(root, "plfts", plfts);
	json_object_set_new(root, "map", own->plft ? json_map(own, n_ports) : json_null());
	json_object_set_new(root, "vl2vl",
			    own->vl2vl ? json_vl2vl(own->vl2vl, n_ports) : json_null());
	hd_json_print(root);
}

int hd_show_ar(const struct hd_show *show, struct hd_error *err)
{
	const struct hd_tables *tables = show->snapshot->tables;
	uint32_t s;
	int ret = hd_input_switch(tables->fabric, show->words[0], &s, err);

	if (ret)
		return ret;
	if (!tables->ar)
		return hd_error_set(err, HD_ENOTFOUND, "the snapshot has no AR tables");
	if (show->json)
		print_json(tables, s);
	else
		print_text(tables, s);
	return 0;
}
