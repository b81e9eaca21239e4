// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/run_network.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "engines/engine.h"
#include "fabric/fabric_parts.h"
#include "fabric/lids.h"
#include "fabric/netfile.h"
#include "fabric/reading.h"
#include "sim/adaptive/proof.h"
#include "sim/scenario/soundness.h"
#include "support/error.h"
#include "tables/classes.h"
#include "tables/ar.h"
#include "tables/snapshot_files.h"
#include "topologies/grid.h"

/* Notes lanes of hosts' packets that the model never serves; nor would a real port. */
static int note_starved(const struct hd_tables *tables, const char *directory, FILE *notes,
			struct hd_error *err)
{
	const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
	const struct hd_check_finding *found;
	struct hd_check_result result;
	char label[320];
	int ret;

	if (!tables->has_vlarb)
		return 0;
	ret = hd_check(tables, &hosts, &result, err);
	if (ret)
		return ret == HD_EINVAL ? 0 : ret; /* no host has a LID: nothing will be sent */
	found = &result.found[HD_CHECK_STARVED];
	if (found->n)
		fprintf(notes,
			"%s: VL arbitration starves %" PRIu64 " lane%s in use, VL %u of %s the "
			"first: packets there never leave\n",
			directory, found->n, found->n == 1 ? "" : "s", found->vl,
			hd_port_label(tables->fabric, found->port, label, sizeof(label)));
	hd_check_clear(&result);
	return 0;
}

static struct hd_reading reading_of(const struct hd_network_setup *setup)
{
	return (struct hd_reading){ .strict = setup->strict,
				    .name_map = setup->name_map && *setup->name_map
							? setup->name_map
							: NULL };
}

static int read_snapshot(const struct hd_network_setup *setup, struct hd_network *network,
			 struct hd_error *err)
{
	struct hd_reading how = reading_of(setup);
	const char *directory = setup->snapshot;
	size_t size;
	FILE *notes = open_memstream(&network->notes, &size);
	int ret;

	if (!notes)
		return hd_error_nomem(err);
	how.notes = notes;
	ret = hd_snapshot_read(directory, NULL, &how, &network->snapshot, err);
	if (!ret)
		ret = note_starved(network->snapshot->tables, directory, notes, err);
	if (fclose(notes) && !ret)
		ret = hd_error_nomem(err);
	if (ret)
		return ret;
	network->fabric = network->snapshot->fabric;
	network->tables = network->snapshot->tables;
	return 0;
}

static int take_given(const struct hd_network_setup *setup, struct hd_network *network,
		      struct hd_error *err)
{
	size_t size;
	FILE *notes = open_memstream(&network->notes, &size);
	int ret;

	if (!notes)
		return hd_error_nomem(err);
	network->is_given = true;
	network->snapshot = setup->given;
	network->fabric = setup->given->fabric;
	network->tables = setup->given->tables;
	ret = note_starved(network->tables, "tables", notes, err);
	return fclose(notes) && !ret ? hd_error_nomem(err) : ret;
}

/* A netfile, or that of a snapshot. */
static int read_fabric(const struct hd_network_setup *setup, struct hd_network *network,
		       struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_reading how = reading_of(setup);
	size_t size;
	int ret;

	how.notes = open_memstream(&network->notes, &size);
	if (!how.notes)
		ret = hd_error_nomem(err);
	else if (hd_snapshot_is_directory(setup->file))
		ret = hd_snapshot_read_fabric(setup->file, &how, fabric, err);
	else
		ret = hd_netfile_read(setup->file, &how, fabric, err);
	if (how.notes && fclose(how.notes) && !ret) {
		hd_fabric_free(*fabric);
		ret = hd_error_nomem(err);
	}
	return ret;
}

static int make_fabric(const struct hd_network_setup *setup, struct hd_network *network,
		       struct hd_error *err)
{
	const struct hd_engine *engine = hd_network_engine(setup);
	struct hd_fabric *bare = NULL;
	uint32_t n_parts = 0, n_switches;
	char line[256];
	int ret = *setup->file ? read_fabric(setup, network, &bare, err)
			       : hd_topology_build(setup->topology, &bare, err);

	if (ret)
		return ret;
	if (bare->top_lid && !setup->lmc) {
		network->fabric = bare;
		return 0;
	}
	ret = setup->has_lmc || !engine
		      ? hd_fabric_assign_lids(bare, HD_NONE, setup->lmc, &network->fabric, err)
		      : hd_fabric_assign_most_lids(bare, HD_NONE, engine->lmc, &network->fabric,
						   err);
	/* traffic is that of one subnet */
	if (!ret)
		ret = hd_fabric_keep_subnet(&network->fabric, &n_parts, &n_switches, err);
	if (!ret && n_parts)
		ret = hd_note_line(&network->notes,
				   hd_parts_left_out(n_parts, n_switches, "", line, sizeof(line)),
				   err);
	hd_fabric_free(bare);
	return ret;
}

const struct hd_engine *hd_network_engine(const struct hd_network_setup *setup)
{
	const size_t length = strcspn(setup->engine, ":");
	char name[64];

	if (length >= sizeof(name))
		return NULL;
	memcpy(name, setup->engine, length);
	name[length] = '\0';
	return hd_engine_find(name);
}

/* Sets the options of @text, which @separators divide. */
static int set_options(const struct hd_engine *engine, const char *text, const char *separators,
		       struct hd_params *params, struct hd_error *err)
{
	char owner[64], *pairs = strdup(text), *save = NULL;
	int ret = 0;

	if (!pairs)
		return hd_error_nomem(err);
	snprintf(owner, sizeof(owner), "engine %s", engine->policy.name);
	for (char *pair = strtok_r(pairs, separators, &save); pair && !ret;
	     pair = strtok_r(NULL, separators, &save))
		ret = hd_params_set_pair(params, owner, pair, err);
	free(pairs);
	return ret;
}

/* Those behind the engine's name, "dmodc:ar=yes", and those of routing.options. */
static int set_all_options(const struct hd_engine *engine, const struct hd_network_setup *setup,
			   struct hd_params **params, struct hd_error *err)
{
	const char *behind = strchr(setup->engine, ':');
	int ret = 0;

	*params = hd_params_new(engine->policy.options);
	if (!*params)
		return hd_error_nomem(err);
	if (behind)
		ret = set_options(engine, behind + 1, ",", *params, err);
	return ret ? ret : set_options(engine, setup->options, " \t", *params, err);
}

/* The classes of routing.classes; NULL: there is no file. Free with free(). */
static int read_classes(const struct hd_network_setup *setup, struct hd_classes **classes,
			struct hd_error *err)
{
	*classes = NULL;
	if (!*setup->classes)
		return 0;
	*classes = malloc(sizeof(**classes));
	return *classes ? hd_classes_read(setup->classes, *classes, err) : hd_error_nomem(err);
}

static int route(const struct hd_network_setup *setup, struct hd_network *network,
		 struct hd_error *err)
{
	const struct hd_engine *engine = hd_network_engine(setup);
	struct hd_route_request request = {
		.layers = *setup->layers ? setup->layers : NULL,
		.queues = setup->queues,
		.vlarb = setup->vlarb,
		.max_vls = setup->max_vls,
		.bubble = setup->bubble,
	};
	struct hd_params *params = NULL;
	struct hd_classes *classes = NULL;
	struct hd_error cause;
	int ret;

	if (!engine)
		return hd_error_set(err, HD_ENOTFOUND, "no engine '%s' (see heddle list engines)",
				    setup->engine);
	ret = set_all_options(engine, setup, &params, &cause);
	request.params = params;
	if (!ret)
		ret = read_classes(setup, &classes, &cause);
	request.classes = classes;
	if (!ret)
		ret = hd_route_structure(engine, network->fabric, &request, &network->tables,
					 &network->structure, &cause);
	hd_params_free(params);
	free(classes);
	if (ret == HD_EREFUSED && !cause.file[0])
		return hd_error_set(err, ret, "engine %s refuses: %s", engine->policy.name,
				    cause.text);
	if (ret && err)
		*err = cause;
	return ret;
}

/* The grid, where the packets' routing needs one and the engine, if any, did not tell. */
static int find_grid(const struct hd_network_setup *setup, struct hd_network *network,
		     struct hd_error *err)
{
	struct hd_error cause;
	int ret;

	if (network->structure.grid || !hd_routed_needs_grid(setup->adaptive, setup->vcs))
		return 0;
	ret = hd_grid_recognise(network->fabric, NULL, &network->structure.grid, &cause);
	if (ret == HD_ENOMEM)
		return hd_error_nomem(err);
	return 0; /* another shape: the routing says so */
}

/* All choices of the tables' sets, for hosts' packets: others are not simulated. */
static int prove_tables(const struct hd_tables *tables, struct hd_error *err)
{
	const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
	struct hd_check_result result;
	char text[sizeof(err->text)];
	int ret = hd_check(tables, &hosts, &result, err);

	if (ret)
		return ret;
	if (result.failure != HD_CHECK_SOUND)
		ret = hd_error_set(err, HD_EREFUSED, "%s",
				   hd_check_summary(&result, tables->fabric, text, sizeof(text)));
	hd_check_clear(&result);
	return ret;
}

/* An escape is as good as its tables: a scenario whose are not proved is a wrong one. */
static int prove_routed(const struct hd_routed *routed, bool hosts_wait, enum hd_key *culprit,
			struct hd_error *err)
{
	struct hd_error cause;
	int ret = hd_proof_require(routed, hosts_wait, &cause);

	if (ret == HD_EREFUSED && routed->vcs.groups.has_escape) {
		*culprit = HD_ROUTING_VCS;
		return hd_error_set(err, HD_EINVAL, "an escape by tables that are not proved: %s",
				    cause.text);
	}
	if (ret && err)
		*err = cause;
	return ret;
}

/* How packets choose their ways, proved. */
static int make_routed(const struct hd_network_setup *setup, struct hd_network *network,
		       enum hd_key *culprit, struct hd_error *err)
{
	static const enum hd_key keys[] = {
		[HD_ROUTED_ADAPTIVE] = HD_ROUTING_ADAPTIVE,
		[HD_ROUTED_TRIGGER] = HD_ROUTING_TRIGGER,
		[HD_ROUTED_VCS] = HD_ROUTING_VCS,
	};
	const struct hd_routed_spec spec = { setup->adaptive, setup->trigger, setup->vcs,
					     setup->in_cycles };
	enum hd_routed_part part = HD_ROUTED_ADAPTIVE;
	int ret;

	*culprit = HD_ROUTING_ADAPTIVE;
	ret = find_grid(setup, network, err);
	if (ret)
		return ret;
	ret = hd_shape_new(network->tables, &network->structure, &network->shape, err);
	if (ret)
		return ret;
	if (setup->bubble)
		ret = hd_shape_set_rings(network->shape, &network->rings, err);
	if (!ret)
		ret = hd_routed_new(&spec, network->shape, &network->routed, &part, err);
	if (ret) {
		*culprit = keys[part];
		return ret;
	}
	if (!setup->proves)
		return 0;
	return network->routed->vcs.by_tables && !network->routed->vcs.is_range
		       ? prove_tables(network->tables, err)
		       : prove_routed(network->routed, setup->hosts_wait, culprit, err);
}

int hd_network_make(const struct hd_network_setup *setup, struct hd_network **result,
		    enum hd_key *culprit, struct hd_error *err)
{
	struct hd_network *network = calloc(1, sizeof(*network));
	int ret;

	*result = NULL;
	*culprit = *setup->snapshot ? HD_ROUTING_SNAPSHOT
		   : *setup->file   ? HD_FABRIC_FILE
				    : HD_FABRIC_TOPOLOGY;
	if (!network)
		return hd_error_nomem(err);
	if (setup->given) {
		ret = take_given(setup, network, err);
	} else if (*setup->snapshot && *setup->classes) {
		*culprit = HD_ROUTING_CLASSES;
		ret = hd_error_set(err, HD_EINVAL, "the tables of a snapshot are made");
	} else if (*setup->snapshot) {
		ret = read_snapshot(setup, network, err);
	} else {
		ret = make_fabric(setup, network, err);
		if (!ret) {
			*culprit = HD_ROUTING_ENGINE;
			ret = route(setup, network, err);
		}
	}
	if (!ret && !*setup->adaptive)
		ret = hd_ar_refuse_private(network->tables, "a run without adaptive routing ar",
					   err);
	if (!ret && !network->structure.group)
		ret = hd_structure_find_groups(&network->structure, network->fabric, err);
	if (!ret && setup->bubble) {
		*culprit = HD_SWITCH_BUBBLE;
		ret = hd_rings_find(network->fabric, network->structure.grid, &network->rings, err);
	}
	if (!ret && !*setup->adaptive && !setup->by_destination)
		ret = hd_note_soundness(network->tables, setup->bubble ? &network->rings : NULL,
					&network->notes, err);
	if (!ret && *setup->adaptive)
		ret = make_routed(setup, network, culprit, err);
	if (!ret && *setup->adaptive && network->routed->routing != &hd_routing_ar)
		ret = hd_ar_refuse_private(network->tables, network->routed->routing->policy.name,
					   err);
	if (ret) {
		hd_network_free(network);
		return ret;
	}
	*result = network;
	return 0;
}

void hd_network_free(struct hd_network *network)
{
	if (!network)
		return;
	hd_structure_clear(&network->structure);
	hd_routed_free(network->routed);
	hd_shape_free(network->shape);
	free(network->rings.of);
	if (network->snapshot) {
		if (!network->is_given)
			hd_snapshot_free(network->snapshot);
	} else {
		hd_tables_free(network->tables);
		hd_fabric_free(network->fabric);
	}
	free(network->notes);
	free(network);
}
