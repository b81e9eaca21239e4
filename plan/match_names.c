// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/match_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/device.h"
#include "support/error.h"

/* A name of a node as it is compared. */
struct key {
	const char *text;
	uint32_t node;
};

struct keys {
	struct key *list;
	uint32_t n;
	char *text;
};

typedef bool (*key_fn)(const struct hd_fabric *fabric, uint32_t node, char *key);

static bool whole_name(const struct hd_fabric *fabric, uint32_t node, char *key)
{
	snprintf(key, HD_MAX_NAME + 1, "%s", hd_node_name(fabric, node));
	return *key;
}

static bool common_name(const struct hd_fabric *fabric, uint32_t node, char *key)
{
	hd_device_key(hd_node_name(fabric, node), key);
	return *key;
}

static bool first_word(const struct hd_fabric *fabric, uint32_t node, char *key)
{
	hd_device_key(hd_node_name(fabric, node), key);
	key[strcspn(key, " ")] = '\0';
	return !hd_is_switch(fabric, node) && *key;
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : x->node < y->node ? -1 : x->node > y->node;
}

static size_t key_room(const struct hd_fabric *fabric)
{
	size_t room = 1;

	hd_for_each_node(n, fabric)
		room += strlen(hd_node_name(fabric, n)) + 1;
	return room;
}

/* The keys of all nodes that @partner does not match, sorted. */
static int list_keys(const struct hd_fabric *fabric, const uint32_t *partner, key_fn make,
		     struct keys *keys)
{
	char key[HD_MAX_NAME + 1], *at;

	keys->n = 0;
	keys->list = malloc((fabric->n_nodes + (size_t)1) * sizeof(*keys->list));
	keys->text = at = malloc(key_room(fabric));
	if (!keys->list || !keys->text)
		return HD_ENOMEM;
	hd_for_each_node(n, fabric) {
		if (partner[n] != HD_NONE || !make(fabric, n, key))
			continue;
		keys->list[keys->n++] = (struct key){ at, n };
		at = stpcpy(at, key) + 1;
	}
	qsort(keys->list, keys->n, sizeof(*keys->list), compare_keys);
	return 0;
}

/* How many keys from @i on are the same. */
static uint32_t count_same(const struct keys *keys, uint32_t i)
{
	uint32_t n = 1;

	while (i + n < keys->n && strcmp(keys->list[i].text, keys->list[i + n].text) == 0)
		n++;
	return n;
}

static void join(struct hd_plan_match *match, const struct keys *planned,
		 const struct keys *present)
{
	uint32_t i = 0, j = 0;

	while (i < planned->n && j < present->n) {
		int order = strcmp(planned->list[i].text, present->list[j].text);
		uint32_t n = 1, m = 1;

		if (order == 0) {
			n = count_same(planned, i);
			m = count_same(present, j);
			if (n == 1 && m == 1)
				hd_pair(match, planned->list[i].node, present->list[j].node,
					HD_BY_NAME);
		}
		if (order <= 0)
			i += n;
		if (order >= 0)
			j += m;
	}
}

static int match_by(struct hd_plan_match *match, key_fn make, struct hd_error *err)
{
	struct keys planned = { 0 }, present = { 0 };
	int ret = list_keys(match->plan, match->to_now, make, &planned);

	if (!ret)
		ret = list_keys(match->now, match->to_plan, make, &present);
	if (!ret)
		join(match, &planned, &present);
	free(planned.list);
	free(planned.text);
	free(present.list);
	free(present.text);
	return ret ? hd_error_nomem(err) : 0;
}

int hd_match_names(struct hd_plan_match *match, struct hd_error *err)
{
	static const key_fn kinds[] = { whole_name, common_name, first_word };
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		ret = match_by(match, kinds[i], err);
	return ret;
}

void hd_match_guids(struct hd_plan_match *match)
{
	hd_for_each_node(n, match->plan) {
		uint32_t same =
			match->to_now[n] == HD_NONE
				? hd_fabric_find_node(match->now, match->plan->nodes[n].guid)
				: HD_NONE;

		if (same != HD_NONE && match->to_plan[same] == HD_NONE &&
		    hd_is_switch(match->now, same) == hd_is_switch(match->plan, n))
			hd_pair(match, n, same, HD_BY_GUID);
	}
}
