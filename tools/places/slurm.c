// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Places as Slurm's topology plug-ins read them: topology.conf(5) of topology/tree and of
 * topology/block, topology.yaml(5).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "support/error.h"
#include "tools/places/name_list.h"
#include "tools/places/places.h"

struct print {
	FILE *stream;
	const struct hd_locality *locality;
	struct hd_place_names names;
	struct hd_place_members members; /* of the plane */
	const char **list;               /* scratch */
};

/* Prints the list of what is in @place. */
static void print_members(struct print *print, uint32_t place)
{
	char **names =
		print->locality->places[place].level ? print->names.place : print->names.machine;
	const uint32_t first = print->members.first[place];
	const uint32_t n = print->members.first[place + 1] - first;

	for (uint32_t i = 0; i < n; i++)
		print->list[i] = names[print->members.members[first + i]];
	hd_name_list_print(print->stream, print->list, n);
}

static void print_tree(struct print *print)
{
	for (uint32_t i = 0; i < print->locality->n_places; i++) {
		const struct hd_near_place *place = &print->locality->places[i];

		if (place->plane)
			continue;
		fprintf(print->stream, "SwitchName=%s %s=", print->names.place[i],
			place->level ? "Switches" : "Nodes");
		print_members(print, i);
		fputc('\n', print->stream);
	}
}

static void print_yaml(struct print *print, uint32_t plane)
{
	fprintf(print->stream, "- topology: %s", plane ? "plane" : "default\n");
	if (plane)
		fprintf(print->stream, "%" PRIu32 "\n", plane + 1);
	fprintf(print->stream, "  cluster_default: %s\n  tree:\n    switches:\n",
		plane ? "false" : "true");
	for (uint32_t i = 0; i < print->locality->n_places; i++) {
		const struct hd_near_place *place = &print->locality->places[i];

		if (place->plane != plane)
			continue;
		fprintf(print->stream, "      - switch: \"%s\"\n        %s: \"",
			print->names.place[i], place->level ? "children" : "nodes");
		print_members(print, i);
		fputs("\"\n", print->stream);
	}
}

/* Prints the blocks in @place, neighbours one after another. Returns their number. */
static uint32_t print_blocks(struct print *print, uint32_t place)
{
	uint32_t n = 0;

	if (!print->locality->places[place].level) {
		fprintf(print->stream, "BlockName=%s Nodes=", print->names.place[place]);
		print_members(print, place);
		fputc('\n', print->stream);
		return 1;
	}
	/* as deep as levels, of which there are few */
	for (uint32_t i = print->members.first[place]; i < print->members.first[place + 1]; i++)
		n += print_blocks(print, print->members.members[i]);
	return n;
}

/*
 * The sizes of blocks: that of the smallest, which all have, and its largest multiple by a power of
 * two within the smallest place of each higher level.
 */
static void print_sizes(const struct print *print)
{
	const struct hd_locality *locality = print->locality;
	uint64_t last = 0, base = 0;

	fputs("BlockSizes=", print->stream);
	for (uint32_t level = 0;; level++) {
		uint64_t least = UINT64_MAX, size;

		for (uint32_t i = 0; i < locality->n_places; i++) {
			const struct hd_near_place *place = &locality->places[i];

			if (!place->plane && place->level == level && place->n_machines < least)
				least = place->n_machines;
		}
		if (least == UINT64_MAX)
			break;
		base = level ? base : least;
		for (size = base; 2 * size <= least;)
			size *= 2;
		if (size > last)
			fprintf(print->stream, "%s%" PRIu64, last ? "," : "", size);
		last = size > last ? size : last;
	}
	fputc('\n', print->stream);
}

static void print_all_blocks(struct print *print)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < print->locality->n_places; i++) {
		const struct hd_near_place *place = &print->locality->places[i];

		if (!place->plane && place->parent == HD_NONE)
			n += print_blocks(print, i);
	}
	if (n)
		print_sizes(print);
}

static int print_plane(struct print *print, uint32_t plane, enum hd_place_form form,
		       struct hd_error *err)
{
	int ret = hd_place_members_find(print->locality, plane, &print->members, err);

	if (!ret && form == HD_PLACES_TREE)
		print_tree(print);
	else if (!ret && form == HD_PLACES_BLOCK)
		print_all_blocks(print);
	else if (!ret)
		print_yaml(print, plane);
	hd_place_members_clear(&print->members);
	return ret;
}

int hd_slurm_print(FILE *stream, const struct hd_fabric *fabric, const struct hd_locality *locality,
		   enum hd_place_form form, struct hd_error *err)
{
	struct print print = { .stream = stream, .locality = locality };
	const uint32_t n_planes =
		form == HD_PLACES_YAML ? locality->n_planes : locality->n_planes > 0;
	int ret;

	print.list = malloc((locality->n_machines + (size_t)locality->n_places + 1) *
			    sizeof(*print.list));
	ret = print.list ? hd_place_names_make(fabric, locality, &print.names, err)
			 : hd_error_nomem(err);
	if (!ret && form == HD_PLACES_YAML)
		fputs("---\n", stream);
	for (uint32_t plane = 0; plane < n_planes && !ret; plane++)
		ret = print_plane(&print, plane, form, err);
	hd_place_names_clear(locality, &print.names);
	free(print.list);
	return ret;
}
