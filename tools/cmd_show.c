// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle show: looks into a snapshot. */
#include "tools/cmd_show.h"

#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "tools/command.h"
#include "tools/open_input.h"

enum {
	KEY_FABRIC = HD_KEY_OWN,
	KEY_SL,
	KEY_CLASS,
	KEY_JSON,
};

static const struct subject {
	const char *name;
	const char *words;
	int least, most; /* number of words */
	int (*show)(const struct hd_show *show, struct hd_error *err);
} subjects[] = {
	{ "path", "SRC DST", 2, 2, hd_show_path },
	{ "lft", "SWITCH", 1, 1, hd_show_lft },
	{ "sl2vl", "NODE [IN OUT]", 1, 3, hd_show_sl2vl },
	{ "vlarb", "NODE PORT", 2, 2, hd_show_vlarb },
	{ "ar", "SWITCH", 1, 1, hd_show_ar },
	{ "load", "no argument", 0, 0, hd_show_load },
	{ "resources", "no argument", 0, 0, hd_show_resources },
};

#define SUBJECTS "path, lft, sl2vl, vlarb, ar, load, resources"

struct arguments {
	struct hd_common common;
	const char *netfile;
	const struct subject *subject;
	const char *given[5]; /* the snapshot, the subject, and its words */
	int n_words;
	int sl;
	const char *class;
	bool json;
};

static const struct argp_option options[] = {
	{ "fabric", KEY_FABRIC, "NETFILE", 0,
	  "The fabric, for a dump directory of OpenSM (default fabric.net in SNAPSHOT)", 0 },
	{ "sl", KEY_SL, "N", 0, "Follow the path with this SL, not the path record's", 0 },
	{ "class", KEY_CLASS, "NAME", 0, "Follow the path of this service class", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print in JSON", 0 },
	{ 0 }
};

static error_t find_subject(struct arguments *arguments, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		if (strcmp(subjects[i].name, arguments->given[1]) == 0) {
			arguments->subject = &subjects[i];
			return 0;
		}
	return hd_usage_error(state, "cannot show '%s': " SUBJECTS, arguments->given[1]);
}

static error_t check_words(struct arguments *arguments, struct argp_state *state)
{
	error_t ret = find_subject(arguments, state);
	const struct subject *subject = arguments->subject;

	if (ret)
		return ret;
	arguments->n_words = (int)state->arg_num - 2;
	if (arguments->n_words > subject->most)
		return hd_usage_error(state, "show %s takes %s, not also '%s'", subject->name,
				      subject->words, arguments->given[2 + subject->most]);
	/* NODE without or with both of IN OUT */
	if (arguments->n_words < subject->least || (subject->most == 3 && arguments->n_words == 2))
		return hd_usage_error(state, "show %s takes %s", subject->name, subject->words);
	if (arguments->sl >= 0 && subject->show != hd_show_path)
		return hd_usage_error(state, "--sl goes with 'path' only");
	if (arguments->class && subject->show != hd_show_path)
		return hd_usage_error(state, "--class goes with 'path' only");
	if (arguments->class && arguments->sl >= 0)
		return hd_usage_error(state, "--sl or --class");
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "SNAPSHOT", "SUBJECT (" SUBJECTS ")",
					     "NODE",     "IN",
					     "OUT",      NULL };
	struct arguments *arguments = state->input;
	uint64_t number = 0;
	error_t ret;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_FABRIC:
		arguments->netfile = arg;
		return 0;
	case KEY_SL:
		ret = hd_usage_number(state, "--sl", arg, 0, HD_MAX_SLS - 1, &number);
		arguments->sl = (int)number;
		return ret;
	case KEY_CLASS:
		arguments->class = arg;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		ret = hd_usage_arguments(state, key, names, 2, arg, arguments->given);
		return ret || key == ARGP_KEY_ARG ? ret : check_words(arguments, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "SNAPSHOT path SRC DST\n"
		    "SNAPSHOT lft SWITCH\n"
		    "SNAPSHOT sl2vl NODE [IN OUT]\n"
		    "SNAPSHOT vlarb NODE PORT\n"
		    "SNAPSHOT ar SWITCH\n"
		    "SNAPSHOT load\n"
		    "SNAPSHOT resources",
	.doc = "Looks into SNAPSHOT: a path hop by hop, a switch's LFT, SL2VL rows, VL "
	       "arbitration, port sets of adaptive routing, the "
	       "routes on each link, what the tables cost. Nodes are given by name, GUID or LID."
	       "\v"
	       "Example:\n"
	       "  heddle show snapshot path H-00000 H-00071",
	.children = children,
};

static int run(int argc, char **argv)
{
	struct arguments arguments = { .sl = -1 };
	struct hd_snapshot *snapshot;
	struct hd_error err;
	int ret;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	ret = hd_input_snapshot(arguments.given[0], arguments.netfile, &arguments.common, &snapshot,
				&err);
	if (!ret) {
		const struct hd_show show = {
			.snapshot = snapshot,
			.words = arguments.given + 2,
			.n_words = arguments.n_words,
			.sl = arguments.sl,
			.class = arguments.class,
			.json = arguments.json,
		};

		ret = arguments.subject->show(&show, &err);
	}
	hd_snapshot_free(snapshot);
	return ret ? hd_command_fail(&err) : HD_EXIT_YES;
}

const struct hd_command hd_command_show = {
	.name = "show",
	.summary = "look into a snapshot: paths, tables, load, resources",
	.run = run,
};
