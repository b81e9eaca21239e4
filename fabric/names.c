// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/names.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "support/text.h"

static int compare_names(const void *a, const void *b, void *context)
{
	const struct hd_fabric *fabric = context;

	return strcmp(hd_node_name(fabric, *(const uint32_t *)a),
		      hd_node_name(fabric, *(const uint32_t *)b));
}

int hd_fabric_mark_names(struct hd_fabric *fabric, struct hd_error *err)
{
	uint32_t *order = malloc((fabric->n_nodes + (size_t)1) * sizeof(*order));

	if (!order)
		return hd_error_nomem(err);
	hd_for_each_node(n, fabric) {
		order[n] = n;
		fabric->nodes[n].shares_name = false;
	}
	qsort_r(order, fabric->n_nodes, sizeof(*order), compare_names, fabric);
	for (uint32_t i = 1; i < fabric->n_nodes; i++)
		if (compare_names(&order[i - 1], &order[i], fabric) == 0) {
			fabric->nodes[order[i - 1]].shares_name = true;
			fabric->nodes[order[i]].shares_name = true;
		}
	free(order);
	return 0;
}

/* The names that a map gives to nodes. */
struct name_map {
	struct hd_lines lines;
	struct hd_oddities oddities;
	const char **begin; /* [node] in the text; NULL: it keeps its name */
	size_t *length;     /* [node] */
};

/* "0x0002c90200000001 "spine 1"" */
static bool scan_entry(const struct hd_lines *lines, uint64_t *guid, const char **name,
		       size_t *length)
{
	const char *at = lines->begin, *end;

	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_word(&at, lines->end, "0x") ||
	    !hd_scan_number(&at, lines->end, 16, UINT64_MAX, guid))
		return false;
	hd_scan_blanks(&at, lines->end);
	if (!hd_scan_word(&at, lines->end, "\""))
		return false;
	end = memchr(at, '"', (size_t)(lines->end - at));
	if (!end || end == at || end - at > HD_MAX_NAME || memchr(at, '\0', (size_t)(end - at)))
		return false;
	*name = at;
	*length = (size_t)(end - at);
	at = end + 1;
	hd_scan_blanks(&at, lines->end);
	return at == lines->end || *at == '#';
}

static int read_line(struct name_map *map, const struct hd_fabric *fabric, struct hd_error *err)
{
	const struct hd_lines *lines = &map->lines;
	const char *at = lines->begin, *name;
	uint64_t guid;
	size_t length;
	uint32_t node;

	hd_scan_blanks(&at, lines->end);
	if (at == lines->end || *at == '#')
		return 0;
	if (!scan_entry(lines, &guid, &name, &length))
		return hd_odd(&map->oddities, lines->number, "passed over", err,
			      "no 0xGUID \"NAME\" of up to %u bytes", HD_MAX_NAME);
	node = hd_fabric_find_node(fabric, guid);
	if (node != HD_NONE) {
		map->begin[node] = name;
		map->length[node] = length;
	}
	return 0;
}

/* Replaces the names of @fabric by those that it has and those of @map. */
static int rename_nodes(struct hd_fabric *fabric, const struct name_map *map, struct hd_error *err)
{
	size_t size = 0;
	char *names, *at;

	hd_for_each_node(n, fabric)
		size += (map->begin[n] ? map->length[n] : strlen(hd_node_name(fabric, n))) + 1;
	if (size > UINT32_MAX)
		return hd_error_set(err, HD_ERANGE, "the fabric is too large");
	names = at = malloc(size + 1);
	if (!names)
		return hd_error_nomem(err);
	hd_for_each_node(n, fabric) {
		const char *name = map->begin[n] ? map->begin[n] : hd_node_name(fabric, n);
		size_t length = map->begin[n] ? map->length[n] : strlen(name);

		fabric->nodes[n].name = (uint32_t)(at - names);
		at = mempcpy(at, name, length);
		*at++ = '\0';
	}
	free(fabric->names);
	fabric->names = names;
	return hd_fabric_mark_names(fabric, err);
}

int hd_fabric_parse_names(struct hd_fabric *fabric, const char *file, const char *data, size_t size,
			  const struct hd_reading *how, struct hd_error *err)
{
	struct name_map map = { .oddities = { .how = how, .file = file } };
	int ret = 0;

	map.begin = calloc(fabric->n_nodes + (size_t)1, sizeof(*map.begin));
	map.length = malloc((fabric->n_nodes + (size_t)1) * sizeof(*map.length));
	if (!map.begin || !map.length)
		ret = hd_error_nomem(err);
	hd_lines_begin(&map.lines, file, data, size);
	while (!ret && hd_lines_next(&map.lines))
		ret = read_line(&map, fabric, err);
	if (!ret)
		hd_oddities_end(&map.oddities);
	if (!ret)
		ret = rename_nodes(fabric, &map, err);
	free(map.begin);
	free(map.length);
	return ret;
}

int hd_fabric_read_names(struct hd_fabric *fabric, const char *path, const struct hd_reading *how,
			 struct hd_error *err)
{
	struct hd_text text;
	int ret = hd_text_read(path, &text, err);

	if (ret)
		return ret;
	ret = hd_fabric_parse_names(fabric, path, text.data, text.size, how, err);
	hd_text_free(&text);
	return ret;
}
