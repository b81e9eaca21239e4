// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engines of libheddle: which there are, and what they make of a fabric. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "check/check.h"
#include "engines/engine.h"
#include "engines/stable_lanes.h"
#include "fabric/lids.h"
#include "tables/classes.h"
#include "vlarb/vlarb.h"

/* What one heddle_route() has in hand. */
struct routing {
	struct heddle_route_request request;
	const struct hd_engine *engine, *chosen;
	const char *chosen_option;
	struct hd_params *params;
	struct hd_classes *classes;
	struct heddle_fabric *fabric; /* with LIDs */
	struct hd_snapshot *snapshot; /* what comes of it */
	struct hd_lanes_outcome kept;
	FILE *notes;
	char *text;
	size_t size;
};

enum heddle_status heddle_engine_next(struct heddle_engine *engine, struct heddle_error *error)
{
	const struct hd_engine *next;
	struct heddle_engine own;
	struct hd_error err = { 0 };
	size_t i = 0;
	int ret = hd_api_take(&own, sizeof(own), engine, &err);

	while (!ret && own.name && hd_engine_at(i) &&
	       strcmp(hd_engine_at(i)->policy.name, own.name) != 0)
		i++;
	if (!ret && own.name && !hd_engine_at(i++))
		ret = hd_error_set(&err, HD_ENOTFOUND, "no engine '%s'", own.name);
	if (ret)
		return hd_api_done(error, ret, &err);
	next = hd_engine_at(i);
	own = (struct heddle_engine){ 0 };
	if (next) {
		own.name = next->policy.name;
		own.summary = next->policy.summary;
		own.layers = next->layer_rules ? next->layer_rules[0] : NULL;
		own.lmc = next->lmc;
	}
	hd_api_give(&own, sizeof(own), engine);
	return next ? hd_api_done(error, 0, &err) : hd_api_no(error, "there are no more engines");
}

/* The values of "key=value key=value". */
static int set_options(struct routing *r, struct hd_error *err)
{
	char *pairs = strdup(r->request.options ? r->request.options : ""), *save = NULL;
	char owner[64];
	int ret = 0;

	r->params = hd_params_new(r->engine->policy.options);
	if (!pairs || !r->params)
		ret = hd_error_nomem(err);
	snprintf(owner, sizeof(owner), "engine %s", r->engine->policy.name);
	for (char *pair = ret ? NULL : strtok_r(pairs, " \t\n", &save); pair && !ret;
	     pair = strtok_r(NULL, " \t\n", &save))
		ret = hd_params_set_pair(r->params, owner, pair, err);
	free(pairs);
	return ret;
}

static int read_classes(struct routing *r, struct hd_error *err)
{
	if (!r->request.classes)
		return 0;
	r->classes = malloc(sizeof(*r->classes));
	return r->classes ? hd_classes_read(r->request.classes, r->classes, err)
			  : hd_error_nomem(err);
}

/* Checks numbers and names; finds what they stand for. */
static int read_request(struct routing *r, struct hd_error *err)
{
	const char *name = r->request.engine ? r->request.engine : "heddle";
	int ret;

	r->engine = r->chosen = hd_engine_find(name);
	if (!r->engine)
		return hd_error_set(err, HD_EINVAL, "no engine '%s'", name);
	if (r->request.vlarb_cap > HD_VLARB_MAX || r->request.max_vls > HD_MAX_VLS)
		return hd_error_set(err, HD_ERANGE, "vlarb_cap is at most %d, max_vls %d",
				    HD_VLARB_MAX, HD_MAX_VLS);
	ret = set_options(r, err);
	return ret ? ret : read_classes(r, err);
}

/* The fabric, or where it has no LIDs, one that does. */
static int give_lids(struct routing *r, const struct heddle_fabric *fabric, struct hd_error *err)
{
	struct hd_fabric *assigned;
	int ret;

	if (fabric->fabric->top_lid) {
		r->fabric = hd_api_hold_fabric((struct heddle_fabric *)fabric);
		return 0;
	}
	ret = hd_fabric_assign_most_lids(fabric->fabric, HD_NONE, r->engine->lmc, &assigned, err);
	if (ret)
		return ret;
	r->fabric = hd_api_fabric(assigned, NULL);
	return r->fabric ? 0 : hd_error_nomem(err);
}

/* Tables that fail the proof are for the next engine to do better. */
static int accept_tables(void *watcher, const struct hd_tables *tables, struct hd_error *err)
{
	const struct routing *r = watcher;
	const struct hd_check_options options = { .max_vls = r->request.max_vls };
	char summary[512];

	return hd_check_demand(tables, &options, summary, sizeof(summary), err);
}

static void tell(void *watcher, const char *line)
{
	const struct routing *r = watcher;

	fprintf(r->notes, "%s\n", line);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* Whether the tables of before were made as these shall be; else lanes cannot stay. */
static bool is_made_alike(const struct routing *r, const struct hd_provenance *was)
{
	const struct hd_engine *engine = was->engine ? hd_engine_find(was->engine) : NULL;

	return engine && (engine == r->engine || r->engine->choose) &&
	       (r->engine->choose ||
		strcmp(or_empty(was->options), or_empty(r->request.options)) == 0) &&
	       strcmp(or_empty(was->queues), r->request.queues ? r->request.queues : "single:1") ==
		       0 &&
	       strcmp(or_empty(was->layers),
		      r->request.layers ? r->request.layers : engine->layer_rules[0]) == 0;
}

static void follow_previous(struct routing *r, struct hd_route_request *request)
{
	const struct hd_snapshot *was;

	if (!r->request.previous)
		return;
	was = r->request.previous->snapshot;
	request->previous = was->tables;
	request->kept = &r->kept;
	if (is_made_alike(r, &was->provenance))
		request->previous_by = hd_engine_find(was->provenance.engine);
	else
		fputs("previous tables were made in another way: lanes are made anew\n", r->notes);
}

static int route(struct routing *r, struct hd_error *err)
{
	struct hd_route_request request = {
		.layers = r->request.layers,
		.queues = r->request.queues,
		.classes = r->classes,
		.vlarb_cap = r->request.vlarb_cap,
		.max_vls = r->request.max_vls,
		.params = r->params,
		.accept = accept_tables,
		.tell = tell,
		.watcher = r,
		.chosen = &r->chosen,
		.chosen_option = &r->chosen_option,
	};
	struct hd_error reason;
	int ret = hd_vlarb_parse(r->request.vlarb, &request.vlarb, err);

	if (ret)
		return ret;
	follow_previous(r, &request);
	r->snapshot = calloc(1, sizeof(*r->snapshot));
	if (!r->snapshot)
		return hd_error_nomem(err);
	ret = hd_route(r->engine, r->fabric->fabric, &request, &r->snapshot->tables, err);
	if (ret != HD_EREFUSED || err->file[0])
		return ret;
	reason = *err;
	return hd_error_set(err, ret, "engine %s refuses: %s", r->engine->policy.name, reason.text);
}

/* How the tables were made, as a snapshot says it. */
static int note_provenance(struct routing *r, struct hd_error *err)
{
	const char *layers = r->request.layers ? r->request.layers : r->chosen->layer_rules[0];
	struct hd_provenance *p = &r->snapshot->provenance;

	p->engine = strdup(r->chosen->policy.name);
	p->layers = strdup(layers);
	p->queues = strdup(r->request.queues ? r->request.queues : "single:1");
	p->options = strdup(or_empty(r->chosen_option ? r->chosen_option : r->request.options));
	return p->engine && p->layers && p->queues && p->options ? 0 : hd_error_nomem(err);
}

static int hand_out(struct routing *r, struct heddle_tables **tables, struct hd_error *err)
{
	FILE *notes = r->notes;

	r->notes = NULL;
	if (fclose(notes))
		return hd_error_nomem(err);
	*tables = hd_api_tables(r->fabric, r->snapshot, r->text);
	r->fabric = NULL;
	r->snapshot = NULL;
	r->text = NULL;
	if (!*tables)
		return hd_error_nomem(err);
	(*tables)->lanes_are_kept = r->kept.is_kept;
	return 0;
}

static void clear(struct routing *r)
{
	if (r->notes)
		fclose(r->notes);
	if (r->snapshot)
		r->snapshot->fabric = NULL;
	hd_snapshot_free(r->snapshot);
	heddle_fabric_free(r->fabric);
	hd_params_free(r->params);
	free(r->classes);
	free(r->text);
}

enum heddle_status heddle_route(const struct heddle_fabric *fabric,
				const struct heddle_route_request *request,
				struct heddle_tables **tables, struct heddle_error *error)
{
	struct routing r = { .notes = NULL };
	struct hd_error err = { 0 };
	locale_t locale = hd_api_enter();
	int ret = hd_api_take_optional(&r.request, sizeof(r.request), request, &err);

	*tables = NULL;
	if (!ret)
		ret = read_request(&r, &err);
	if (!ret)
		ret = give_lids(&r, fabric, &err);
	if (!ret) {
		r.notes = open_memstream(&r.text, &r.size);
		ret = r.notes ? route(&r, &err) : hd_error_nomem(&err);
	}
	if (!ret)
		ret = note_provenance(&r, &err);
	if (!ret)
		ret = hand_out(&r, tables, &err);
	clear(&r);
	hd_api_leave(locale);
	return hd_api_done(error, ret, &err);
}
