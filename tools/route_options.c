// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/route_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/open.h"
#include "tools/open_input.h"

/* Keys of these options, apart from those of the subcommands. */
enum {
	KEY_LMC = 0x2000,
	KEY_SM,
	KEY_MAX_VLS,
	KEY_VLARB,
	KEY_VLARB_CAP,
	KEY_CLASSES,
};

static const struct argp_option options[] = {
	{ "engine", 'e', "ENGINE[:KEY=VALUE,...]", 0,
	  "Routing engine, and options of it (heddle list engines)", 0 },
	{ "option", 'O', "KEY=VALUE", 0, "Option of the engine (heddle list engines ENGINE)", 0 },
	{ "layers", 'l', "LAYERS", 0, "Layer rule (default: the engine's first)", 0 },
	{ "queues", 'q', "QUEUES:N", 0, "Queue rule and number of queues (default single:1)", 0 },
	{ "lmc", KEY_LMC, "M", 0,
	  "Assign new LIDs, 2^M for each end node (0-7; default: if the fabric has no "
	  "LIDs, as many as the engine uses)",
	  0 },
	{ "sm", KEY_SM, "NODE", 0, "Assign new LIDs, as OpenSM does when it runs on NODE", 0 },
	{ "max-vls", KEY_MAX_VLS, "N", 0, "Use no more than N data VLs (1-15)", 0 },
	{ "vlarb", KEY_VLARB, "POLICY", 0,
	  "How lanes share a link: layers (as the layer rule prefers; default), equal, "
	  "or flows (by the flows of each lane)",
	  0 },
	{ "vlarb-cap", KEY_VLARB_CAP, "N", 0,
	  "Entries of each VL arbitration table of a port (1-64, default 8)", 0 },
	{ "classes", KEY_CLASSES, "FILE", 0,
	  "Service classes, each with SLs and a share of every link (heddle-classes(5))", 0 },
	{ 0 }
};

int hd_routing_take_engine(const char *text, struct hd_routing_arguments *routing,
			   struct hd_error *err)
{
	const size_t n_options = routing->n_pairs - routing->n_of_spec;
	char *spec = strdup(text), **pairs = NULL, *rest, *save = NULL;
	size_t n = 1;

	for (const char *at = text; *at; at++)
		n += *at == ',';
	if (spec)
		pairs = calloc(n + n_options + routing->most_options, sizeof(*pairs));
	if (!pairs) {
		free(spec);
		return hd_error_nomem(err);
	}
	rest = strchr(spec, ':');
	if (rest)
		*rest++ = '\0';
	n = 0;
	for (char *pair = rest ? strtok_r(rest, ",", &save) : NULL; pair;
	     pair = strtok_r(NULL, ",", &save))
		pairs[n++] = pair;
	for (size_t i = 0; i < n_options; i++)
		pairs[n + i] = routing->pairs[routing->n_of_spec + i];
	free(routing->pairs);
	free(routing->spec);
	routing->spec = spec;
	routing->pairs = pairs;
	routing->n_of_spec = n;
	routing->n_pairs = n + n_options;
	routing->engine = hd_engine_find(spec);
	if (!routing->engine)
		return hd_error_set(err, HD_EINVAL, "no engine '%s' (see heddle list engines)",
				    spec);
	return 0;
}

char *hd_routing_join_pairs(const struct hd_routing_arguments *routing)
{
	size_t size = 1;
	char *joined, *end;

	for (size_t i = 0; i < routing->n_pairs; i++)
		size += strlen(routing->pairs[i]) + 1;
	joined = end = malloc(size);
	if (!joined)
		return NULL;
	for (size_t i = 0; i < routing->n_pairs; i++) {
		if (i)
			*end++ = ' ';
		end = stpcpy(end, routing->pairs[i]);
	}
	*end = '\0';
	return joined;
}

static error_t parse_engine(const char *name, struct hd_routing_arguments *routing,
			    struct argp_state *state)
{
	struct hd_error err;

	return hd_routing_take_engine(name, routing, &err) ? hd_usage_error(state, "%s", err.text)
							   : 0;
}

static error_t parse_vlarb(const char *text, struct hd_routing_arguments *routing,
			   struct argp_state *state)
{
	struct hd_error err;

	if (hd_vlarb_parse(text, &routing->vlarb, &err))
		return hd_usage_error(state, "--vlarb: %s", err.text);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hd_routing_arguments *routing = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		routing->most_options = (size_t)state->argc;
		routing->pairs = calloc(routing->most_options, sizeof(*routing->pairs));
		return routing->pairs ? 0 : ENOMEM;
	case 'e':
		return parse_engine(arg, routing, state);
	case 'O':
		routing->pairs[routing->n_pairs++] = arg;
		return 0;
	case 'l':
		routing->layers = arg;
		return 0;
	case 'q':
		routing->queues = arg;
		return 0;
	case KEY_LMC:
		routing->has_lmc = true;
		return hd_usage_number(state, "--lmc", arg, 0, HD_MAX_LMC, &routing->lmc);
	case KEY_SM:
		routing->sm = arg;
		return 0;
	case KEY_MAX_VLS:
		return hd_usage_number(state, "--max-vls", arg, 1, HD_MAX_VLS, &routing->max_vls);
	case KEY_VLARB:
		return parse_vlarb(arg, routing, state);
	case KEY_CLASSES:
		routing->classes_file = arg;
		return 0;
	case KEY_VLARB_CAP:
		return hd_usage_number(state, "--vlarb-cap", arg, 1, HD_VLARB_MAX,
				       &routing->vlarb_cap);
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_argument(state, key, "FABRIC", arg, &routing->fabric);
		if (!status && key == ARGP_KEY_END && !routing->engine)
			return hd_usage_error(state, "no engine given (-e ENGINE)");
		return status;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp hd_routing_argp = { .options = options, .parser = parse };

void hd_routing_clear(struct hd_routing_arguments *routing)
{
	free(routing->pairs);
	free(routing->spec);
	free(routing->classes);
	*routing = (struct hd_routing_arguments){ 0 };
}

/* Notes ports without LIDs in a fabric that has LIDs: nothing will be routed to them. */
static void note_missing_lids(const struct hd_common *common, const struct hd_fabric *fabric)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];

		n += !port->lid && (hd_is_switch(fabric, port->node) || port->peer != HD_NONE);
	}
	if (n)
		hd_note(common,
			"%" PRIu32 " ports have no LID and get no routes (--lmc assigns LIDs)", n);
}

static int read_classes(struct hd_routing_arguments *routing, struct hd_error *err)
{
	if (!routing->classes_file || routing->classes)
		return 0;
	routing->classes = malloc(sizeof(*routing->classes));
	if (!routing->classes)
		return hd_error_nomem(err);
	return hd_classes_read(routing->classes_file, routing->classes, err);
}

int hd_routing_open(struct hd_routing_arguments *routing, const struct hd_common *common,
		    struct hd_fabric **fabric, struct hd_error *err)
{
	unsigned lmc = routing->has_lmc ? (unsigned)routing->lmc : routing->engine->lmc;
	int ret = read_classes(routing, err);

	if (!ret)
		ret = hd_input_fabric(routing->fabric, common, fabric, err);
	/* without LIDs there is nothing to route to */
	if (!ret && (routing->has_lmc || routing->sm || (*fabric)->top_lid == 0))
		do {
			ret = hd_input_assign_lids(fabric, routing->sm, lmc, err);
		} while (ret == HD_ERANGE && !routing->has_lmc && lmc-- > 0);
	if (!ret)
		ret = hd_input_keep_subnet(fabric, common, "; --sm NODE chooses another part", err);
	if (!ret)
		note_missing_lids(common, *fabric);
	return ret;
}

int hd_routing_params(const struct hd_routing_arguments *routing, struct hd_params **params,
		      struct hd_error *err)
{
	char owner[64];
	int ret = 0;

	*params = hd_params_new(routing->engine->policy.options);
	if (!*params)
		return hd_error_nomem(err);
	snprintf(owner, sizeof(owner), "engine %s", routing->engine->policy.name);
	for (size_t i = 0; !ret && i < routing->n_pairs; i++)
		ret = hd_params_set_pair(*params, owner, routing->pairs[i], err);
	return ret;
}

struct hd_route_request hd_routing_request(const struct hd_routing_arguments *routing,
					   const struct hd_params *params)
{
	return (struct hd_route_request){
		.layers = routing->layers,
		.queues = routing->queues,
		.classes = routing->classes,
		.vlarb = routing->vlarb,
		.vlarb_cap = (unsigned)routing->vlarb_cap,
		.max_vls = (unsigned)routing->max_vls,
		.params = params,
	};
}

int hd_routing_explain(const struct hd_routing_arguments *routing, int ret, struct hd_error *err)
{
	struct hd_error reason = *err;

	if (ret != HD_EREFUSED || err->file[0])
		return ret;
	return hd_error_set(err, ret, "engine %s refuses: %s", routing->engine->policy.name,
			    reason.text);
}

const char *hd_routing_layers(const struct hd_routing_arguments *routing)
{
	if (routing->engine->choose && !routing->layers)
		return "of the engine taken";
	return routing->layers ? routing->layers : routing->engine->layer_rules[0];
}

const char *hd_routing_queues(const struct hd_routing_arguments *routing)
{
	return routing->queues ? routing->queues : "single:1";
}
