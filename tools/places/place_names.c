// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "support/error.h"
#include "tools/places/places.h"

#define MOST_LEVELS 64
#define MOST        63 /* of a label of Kubernetes; Slurm takes 64 */

struct name {
	char text[MOST + 1];
	UT_hash_handle hh;
};

static bool is_plain(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Makes @text a name: @buffer has MOST + 1 bytes. */
static void make_plain(const char *text, char *buffer)
{
	size_t n = 0;

	while (*text && !is_plain(*text))
		text++;
	for (; *text && n < MOST; text++)
		buffer[n++] = is_plain(*text) || strchr("-_.", *text) ? *text : '_';
	while (n && !is_plain(buffer[n - 1]))
		n--;
	if (!n)
		buffer[n++] = 'x';
	buffer[n] = 0;
}

/* The name @text, with a number behind it if @names has it already. NULL: no memory. */
static char *make_distinct(struct name **names, const char *text)
{
	struct name *name = calloc(1, sizeof(*name)), *other;
	char plain[MOST + 1];

	if (!name)
		return NULL;
	make_plain(text, plain);
	memcpy(name->text, plain, strlen(plain));
	for (unsigned i = 2;; i++) {
		char end[16];
		int length;

		HASH_FIND_STR(*names, name->text, other);
		if (!other)
			break;
		length = snprintf(end, sizeof(end), "-%u", i);
		memset(name->text, 0, sizeof(name->text));
		snprintf(name->text, sizeof(name->text), "%.*s%s", MOST - length, plain, end);
	}
	HASH_ADD_STR(*names, text, name);
	return strdup(name->text);
}

static void forget(struct name **names)
{
	struct name *name, *next;

	HASH_ITER(hh, *names, name, next)
	{
		HASH_DEL(*names, name);
		free(name);
	}
}

/* @number: how many places of the same kind and level the plane has had. */
static void describe(const struct hd_fabric *fabric, const struct hd_near_place *place,
		     uint32_t number, char *text, size_t size)
{
	static const char *const kinds[] = { [HD_PLACE_GROUP] = "group",
					     [HD_PLACE_BLOCK] = "block",
					     [HD_PLACE_SUBTREE] = "subtree",
					     [HD_PLACE_PART] = "fabric" };
	const struct hd_node *node = &fabric->nodes[place->first_switch];
	const char *name = hd_node_name(fabric, place->first_switch);
	char guid[32];

	if (!*name || node->shares_name) {
		snprintf(guid, sizeof(guid), "S-%016" PRIx64, node->guid);
		name = guid;
	}
	if (place->kind == HD_PLACE_SWITCHES && place->n_switches == 1)
		snprintf(text, size, "%s", name);
	else if (place->kind == HD_PLACE_SWITCHES)
		snprintf(text, size, "%.40s-and-%" PRIu32, name, place->n_switches - 1);
	else if (place->kind == HD_PLACE_BLOCK || place->kind == HD_PLACE_SUBTREE)
		snprintf(text, size, "%s%" PRIu32 "-%" PRIu32, kinds[place->kind], place->level,
			 number);
	else
		snprintf(text, size, "%s-%" PRIu32, kinds[place->kind], number);
}

static int name_places(const struct hd_fabric *fabric, const struct hd_locality *locality,
		       uint32_t plane, struct hd_place_names *names, struct name **known,
		       struct hd_error *err)
{
	uint32_t number[HD_PLACE_PART + 1][MOST_LEVELS] = { 0 };

	for (uint32_t i = 0; i < locality->n_places; i++) {
		const struct hd_near_place *place = &locality->places[i];
		char text[2 * HD_MAX_NAME];

		if (place->plane != plane)
			continue;
		describe(fabric, place, number[place->kind][place->level % MOST_LEVELS]++, text,
			 sizeof(text));
		names->place[i] = make_distinct(known, text);
		if (!names->place[i])
			return hd_error_nomem(err);
	}
	return 0;
}

int hd_place_names_make(const struct hd_fabric *fabric, const struct hd_locality *locality,
			struct hd_place_names *names, struct hd_error *err)
{
	struct name *known = NULL;
	int ret = 0;

	names->place = calloc(locality->n_places + (size_t)1, sizeof(char *));
	names->machine = calloc(locality->n_machines + (size_t)1, sizeof(char *));
	if (!names->place || !names->machine)
		return hd_error_nomem(err);
	for (uint32_t plane = 0; plane < locality->n_planes && !ret; plane++) {
		ret = name_places(fabric, locality, plane, names, &known, err);
		forget(&known);
	}
	for (uint32_t i = 0; i < locality->n_machines && !ret; i++) {
		names->machine[i] = make_distinct(&known, locality->machines[i]);
		if (!names->machine[i])
			ret = hd_error_nomem(err);
	}
	forget(&known);
	return ret;
}

void hd_place_names_clear(const struct hd_locality *locality, struct hd_place_names *names)
{
	for (uint32_t i = 0; names->place && i < locality->n_places; i++)
		free(names->place[i]);
	for (uint32_t i = 0; names->machine && i < locality->n_machines; i++)
		free(names->machine[i]);
	free(names->place);
	free(names->machine);
	*names = (struct hd_place_names){ 0 };
}

/* The place that a machine (below n_machines) or a place (above it) is in; HD_NONE: none. */
static uint32_t place_of(const struct hd_locality *locality, uint32_t plane, uint32_t member)
{
	const struct hd_near_place *place;

	if (member < locality->n_machines)
		return locality->place_of[(size_t)plane * locality->n_machines + member];
	place = &locality->places[member - locality->n_machines];
	return place->plane == plane ? place->parent : HD_NONE;
}

int hd_place_members_find(const struct hd_locality *locality, uint32_t plane,
			  struct hd_place_members *members, struct hd_error *err)
{
	const uint32_t n = locality->n_machines + locality->n_places;
	uint32_t *first = calloc(locality->n_places + (size_t)2, sizeof(*first));

	members->first = first;
	members->members = malloc((n + (size_t)1) * sizeof(*members->members));
	if (!first || !members->members)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t place = place_of(locality, plane, i);

		if (place != HD_NONE)
			first[place + 2]++;
	}
	for (uint32_t i = 1; i <= locality->n_places; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t place = place_of(locality, plane, i);

		if (place != HD_NONE)
			members->members[first[place + 1]++] =
				i < locality->n_machines ? i : i - locality->n_machines;
	}
	return 0;
}

void hd_place_members_clear(struct hd_place_members *members)
{
	free(members->first);
	free(members->members);
	*members = (struct hd_place_members){ 0 };
}
