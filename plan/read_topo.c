// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/read_topo.h"

#include <string.h>

#include "fabric/ibnl.h"
#include "plan/cable_list.h"
#include "support/error.h"
#include "support/text.h"

#define MOST_WORDS 6

static struct hd_span span_of(struct hd_ibnl_word word)
{
	return (struct hd_span){ word.at, word.at + word.length };
}

/* "HCA_mlx5_3": a type of adapters, and not of switches. */
static bool is_adapter(struct hd_ibnl_word type)
{
	return type.length >= 3 && memcmp(type.at, "HCA", 3) == 0;
}

static int take_end(const struct hd_lines *lines, struct hd_ibnl_word type,
		    struct hd_ibnl_word system, struct hd_ibnl_word plug,
		    struct hd_device_port *end, struct hd_error *err)
{
	if (!hd_device_port(span_of(system), span_of(plug), end))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "'%.*s' is no plug of '%.*s', such as P7, P1/4/1, L2/P7 or "
				   "mlx5_0/P1",
				   (int)plug.length, plug.at, (int)system.length, system.at);
	end->kind = is_adapter(type) ? HD_DEVICE_END_NODE : HD_DEVICE_SWITCH;
	return 0;
}

/* The system whose cables the lines below tell. */
struct system {
	struct hd_ibnl_word type, name;
};

static int read_line(struct hd_cable_list *list, const struct hd_lines *lines,
		     struct system *system, struct hd_error *err)
{
	struct hd_ibnl_word words[MOST_WORDS];
	size_t n = hd_ibnl_words(lines, words, MOST_WORDS);
	struct hd_device_port ends[2];
	uint8_t width, speed;
	int ret;

	if (!n)
		return 0;
	if (n >= 2 && !hd_ibnl_is_arrow(words[1], &width, &speed)) {
		*system = (struct system){ words[0], words[1] };
		return 0;
	}
	if (n != 5 || !system->name.length)
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "neither a system, 'TYPE NAME', nor a cable of one, "
				   "'P1 -4x-50G-> TYPE NAME P2'");
	ret = take_end(lines, system->type, system->name, words[0], &ends[0], err);
	if (!ret)
		ret = take_end(lines, words[2], words[3], words[4], &ends[1], err);
	return ret ? ret : hd_cable_list_add(list, lines->number, ends, width, speed, err);
}

int hd_topo_cables_parse(const char *name, const char *data, size_t size, struct hd_fabric **fabric,
			 struct hd_error *err)
{
	struct hd_cable_list list = { .file = name };
	struct system system = { { NULL, 0 }, { NULL, 0 } };
	struct hd_lines lines;
	int ret = 0;

	hd_lines_begin(&lines, name, data, size);
	while (!ret && hd_lines_next(&lines))
		ret = read_line(&list, &lines, &system, err);
	return hd_cable_list_finish(&list, ret, fabric, err);
}
