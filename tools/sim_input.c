// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From the command line of heddle sim to a scenario. */
#include <string.h>

#include "support/error.h"
#include "support/text.h"
#include "tables/open.h"
#include "tables/snapshot.h"
#include "tools/cmd_sim.h"

/*
 * "[traffic]", "[job NAME]"; a shell's prompt before a netfile, "[root@node ~]# ibnetdiscover", is
 * none.
 */
static bool is_section(const char *at, const char *end)
{
	const char *word = at;

	if (hd_scan_word(&word, end, "[traffic ") || hd_scan_word(&word, end, "[job "))
		return true;
	if (*at++ != '[')
		return false;
	while (at < end && *at >= 'a' && *at <= 'z')
		at++;
	return at < end && *at == ']';
}

/* Whether the file is a scenario: it begins with a section, which netfiles do not have. */
static bool is_scenario(const char *path)
{
	struct hd_text text;
	struct hd_lines lines;
	bool is = false;

	if (hd_text_read(path, &text, NULL))
		return false;
	hd_lines_begin(&lines, path, text.data, text.size);
	while (hd_lines_next(&lines)) {
		const char *c = lines.begin;

		if (lines.number == 1 && lines.end - c >= 3 && memcmp(c, "\xEF\xBB\xBF", 3) == 0)
			c += 3;
		hd_scan_blanks(&c, lines.end);
		if (c == lines.end || *c == '#' || *c == ';')
			continue;
		is = is_section(c, lines.end);
		break;
	}
	hd_text_free(&text);
	return is;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int read_input(const struct hd_sim_arguments *arguments, struct hd_scenario *scenario,
		      struct hd_error *err)
{
	const char *input = arguments->input;

	if (hd_snapshot_is_directory(input))
		return hd_scenario_set(scenario,
				       arguments->engine ? HD_FABRIC_FILE : HD_ROUTING_SNAPSHOT,
				       input, err);
	if (strcmp(input, "-") == 0)
		return hd_scenario_set(scenario, HD_FABRIC_FILE, input, err);
	if (!ends_with(input, ".ini") && hd_fabric_is_spec(input))
		return hd_scenario_set(scenario, HD_FABRIC_TOPOLOGY, input, err);
	if (ends_with(input, ".ini") || is_scenario(input))
		return hd_scenario_read(scenario, input, err);
	return hd_scenario_set(scenario, HD_FABRIC_FILE, input, err);
}

int hd_sim_scenario(const struct hd_sim_arguments *arguments, struct hd_scenario *scenario,
		    struct hd_flow_names *flows, struct hd_error *err)
{
	const struct {
		enum hd_key key;
		const char *value;
	} given[] = {
		{ HD_ROUTING_ENGINE, arguments->engine },
		{ HD_ROUTING_LAYERS, arguments->layers },
		{ HD_ROUTING_QUEUES, arguments->queues },
		{ HD_ROUTING_OPTIONS, arguments->engine_options },
	};
	int ret = read_input(arguments, scenario, err);

	for (size_t i = 0; !ret && i < sizeof(given) / sizeof(given[0]); i++)
		if (given[i].value)
			ret = hd_scenario_set(scenario, given[i].key, given[i].value, err);
	if (!ret && arguments->common.strict)
		ret = hd_scenario_set(scenario, HD_FABRIC_STRICT, "yes", err);
	if (!ret && arguments->common.name_map)
		ret = hd_scenario_set(scenario, HD_FABRIC_NODE_NAME_MAP, arguments->common.name_map,
				      err);
	for (size_t i = 0; !ret && i < arguments->n_pairs; i++)
		ret = hd_scenario_set_pair(scenario, arguments->pairs[i], err);
	if (!ret)
		ret = hd_scenario_finish(scenario, err);
	return ret ? ret : hd_flow_names_find(flows, scenario, err);
}
