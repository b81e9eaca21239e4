// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle qos: what VL arbitration gives each lane and service class. */
#include <stdlib.h>
#include <string.h>

#include "vlarb/vlarb.h"
#include "support/error.h"
#include "tables/classes.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/qos_plan.h"
#include "tools/qos_show.h"

enum {
	KEY_FABRIC = HD_KEY_OWN,
	KEY_MTU,
	KEY_CAP,
	KEY_LOAD,
	KEY_BURST,
	KEY_BUFFER,
	KEY_ANY_ORDER,
	KEY_DTABLE,
	KEY_SBT,
	KEY_RR,
	KEY_POLICY,
	KEY_JSON,
};

#define MOST_MTU   (64 * HD_CLASS_PACKET_MAX)
#define MOST_BYTES ((uint64_t)1 << 40)

struct arguments {
	struct hd_common common;
	const char *netfile;
	const char *given[4]; /* "show", the snapshot, node and port; "plan" and the class file */
	uint64_t mtu, cap;
	struct hd_bound_traffic traffic;
	struct hd_qos_plan plan;
	bool json;
};

static const struct argp_option options[] = {
	{ "fabric", KEY_FABRIC, "NETFILE", 0,
	  "The fabric, for a dump directory of OpenSM (default fabric.net in SNAPSHOT)", 0 },
	{ "mtu", KEY_MTU, "BYTES", 0, "Packets of the MTU (256-4096, default 4096)", 0 },
	{ "vlarb-cap", KEY_CAP, "N", 0,
	  "Entries that each VL arbitration table of a port has (1-64): those beyond are cut off",
	  0 },
	{ "load", KEY_LOAD, "PART", 0,
	  "show: the part of each class's share of a link that hosts send (0.01-1, default 1)", 0 },
	{ "burst", KEY_BURST, "BYTES", 0,
	  "show: what a host sends at once in a class (default a packet)", 0 },
	{ "buffer", KEY_BUFFER, "BYTES", 0,
	  "show: buffer of a VL at the end of a link (default: as large as necessary)", 0 },
	{ "any-order", KEY_ANY_ORDER, NULL, 0,
	  "show: packets that wait for a link may overtake one another", 0 },
	{ "dtable", KEY_DTABLE, "N,GMTU,W,K", 0,
	  "plan: the table of DTable, with N entries and an MTU of GMTU units of 64 bytes", 0 },
	{ "sbt", KEY_SBT, NULL, 0, "plan: the weights of SBT, 100 packets in all", 0 },
	{ "rr", KEY_RR, NULL, 0, "plan: round robin, a packet of each VL in turn", 0 },
	{ "policy", KEY_POLICY, "FILE", 0,
	  "plan -o opensm: also write a QoS policy for OpenSM, by which QoS class c has SL c", 0 },
	{ "output", 'o', "FORMAT", 0,
	  "plan: opensm prints options of opensm.conf, classes a class file", 0 },
	{ "json", KEY_JSON, NULL, 0, "show: print in JSON", 0 },
	{ 0 }
};

static bool is_plan(const struct arguments *arguments)
{
	return strcmp(arguments->given[0], "plan") == 0;
}

/* What does not go together. */
static error_t check_words(const struct arguments *arguments, struct argp_state *state)
{
	if (!is_plan(arguments)) {
		if (state->arg_num == 3)
			return hd_usage_error(state, "NODE without PORT");
		if (arguments->plan.dtable || arguments->plan.sbt || arguments->plan.rr ||
		    arguments->plan.policy || arguments->plan.as != HD_QOS_PRINT)
			return hd_usage_error(
				state, "--dtable, --sbt, --rr, --output and --policy go with plan");
		return 0;
	}
	if (state->arg_num > 2)
		return hd_usage_error(state, "plan takes one class file, not also '%s'",
				      arguments->given[2]);
	if (arguments->json || arguments->netfile)
		return hd_usage_error(state, "--json and --fabric go with show");
	if (arguments->plan.sbt + arguments->plan.rr + (arguments->plan.dtable != NULL) > 1)
		return hd_usage_error(state, "--sbt or --dtable or --rr");
	if (arguments->plan.policy && arguments->plan.as != HD_QOS_OPENSM)
		return hd_usage_error(state, "--policy goes with --output opensm");
	return 0;
}

/* "0.5": from 0.01 to 1, with digits alone. */
static error_t parse_load(const struct argp_state *state, const char *text, double *load)
{
	char *end;

	*load = strtod(text, &end);
	if (end == text || *end || text[strspn(text, "0123456789.")] || !(*load >= .01) ||
	    *load > 1)
		return hd_usage_error(state, "--load: '%s' is not a number from 0.01 to 1", text);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "show or plan", "SNAPSHOT or CLASSES", "NODE", "PORT",
					     NULL };
	struct arguments *arguments = state->input;
	error_t ret;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_FABRIC:
		arguments->netfile = arg;
		return 0;
	case KEY_MTU:
		return hd_usage_number(state, "--mtu", arg, 256, MOST_MTU, &arguments->mtu);
	case KEY_CAP:
		return hd_usage_number(state, "--vlarb-cap", arg, 1, HD_VLARB_MAX, &arguments->cap);
	case KEY_LOAD:
		return parse_load(state, arg, &arguments->traffic.load);
	case KEY_BURST:
		return hd_usage_number(state, "--burst", arg, 1, MOST_BYTES,
				       &arguments->traffic.burst);
	case KEY_BUFFER:
		return hd_usage_number(state, "--buffer", arg, 1, MOST_BYTES,
				       &arguments->traffic.buffer);
	case KEY_ANY_ORDER:
		arguments->traffic.any_order = true;
		return 0;
	case KEY_DTABLE:
		arguments->plan.dtable = arg;
		return 0;
	case KEY_SBT:
		arguments->plan.sbt = true;
		return 0;
	case KEY_POLICY:
		arguments->plan.policy = arg;
		return 0;
	case KEY_RR:
		arguments->plan.rr = true;
		return 0;
	case 'o':
		arguments->plan.as = strcmp(arg, "opensm") == 0    ? HD_QOS_OPENSM
				     : strcmp(arg, "classes") == 0 ? HD_QOS_CLASSES
								   : HD_QOS_PRINT;
		if (arguments->plan.as == HD_QOS_PRINT)
			return hd_usage_error(state, "--output: '%s' is neither opensm nor classes",
					      arg);
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
		ret = hd_usage_arguments(state, key, names, 2, arg, arguments->given);
		if (!ret && state->arg_num == 0 && strcmp(arg, "show") != 0 &&
		    strcmp(arg, "plan") != 0)
			return hd_usage_error(state, "no '%s': show, plan", arg);
		return ret;
	case ARGP_KEY_END:
		ret = hd_usage_arguments(state, key, names, 2, arg, arguments->given);
		return ret ? ret : check_words(arguments, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "show SNAPSHOT [NODE PORT]\n"
		    "plan CLASSES",
	.doc = "show: for every kind of VL arbitration table in SNAPSHOT, the share and the wait "
	       "of each VL in use and of each service class when all have packets; errors in the "
	       "tables; and how long packets of each class wait at most. plan: the table for the "
	       "classes of a file, with one VL for each key \"lanes\". Exit status: 0 good; 1 a VL "
	       "in use starves, a class may wait longer than its file says, or there is no such "
	       "table; 2 unusable input.\v"
	       "Examples:\n"
	       "  heddle qos show snapshot\n"
	       "  heddle qos plan classes --vlarb-cap 16",
	.children = children,
};

/* The port that the command line names, or HD_NONE. */
static int find_port(const struct arguments *arguments, const struct hd_fabric *fabric,
		     uint32_t *port, struct hd_error *err)
{
	uint32_t node;
	unsigned number;
	int ret;

	*port = HD_NONE;
	if (!arguments->given[2])
		return 0;
	ret = hd_fabric_find(fabric, arguments->given[2], &node, err);
	if (!ret)
		ret = hd_input_port_number(fabric, node, arguments->given[3], &number, err);
	if (!ret)
		*port = hd_port_index(fabric, node, number);
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { .mtu = MOST_MTU, .traffic.load = 1 };
	struct hd_qos_view view = { 0 };
	struct hd_snapshot *snapshot = NULL;
	int status = HD_EXIT_UNUSABLE, ret;
	struct hd_error err;
	uint32_t port;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	if (is_plan(&arguments)) {
		arguments.plan.cap = arguments.cap ? (unsigned)arguments.cap : HD_VLARB_CAP;
		ret = hd_qos_plan(arguments.given[1], &arguments.plan, &err);
		return ret ? hd_command_fail(&err) : HD_EXIT_YES;
	}
	ret = hd_input_snapshot(arguments.given[1], arguments.netfile, &arguments.common, &snapshot,
				&err);
	if (!ret)
		ret = find_port(&arguments, snapshot->fabric, &port, &err);
	if (!ret) {
		view.tables = snapshot->tables;
		view.mtu = arguments.mtu;
		view.cap = arguments.cap;
		view.traffic = arguments.traffic;
		ret = hd_qos_look(&view, port, &err);
	}
	if (!ret && !arguments.json)
		ret = hd_qos_show(&view, &err);
	else if (!ret)
		hd_qos_show_json(&view);
	if (ret)
		status = hd_command_fail(&err);
	else
		status = hd_qos_starves(&view) || hd_qos_waits(&view) ? HD_EXIT_NO : HD_EXIT_YES;
	hd_qos_view_clear(&view);
	hd_snapshot_free(snapshot);
	return status;
}

const struct hd_command hd_command_qos = {
	.name = "qos",
	.summary = "show or plan what VL arbitration gives each VL and service class",
	.run = run,
};
