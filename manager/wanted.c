// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/wanted.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "fabric/fabric_changed.h"
#include "manager/site_lanes.h"
#include "support/clock.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/classes.h"

/*
 * Whether @tables are right only where SL2VL tables are programmed: where none are, only SL 0 on VL
 * 0 is sure to go where it should.
 */
static bool needs_sl2vl(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(out, fabric, s) {
			if (hd_peer_node(fabric, s, out) == HD_NONE)
				continue;
			for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++)
				if (tables->sl2vl[hd_sl2vl_index(tables, s, in, out)])
					return true;
		}
	return hd_tables_sls_used(tables) & ~1u;
}

/* Proves @tables. @summary gets a line for the log. */
static int prove(const struct hd_engine_settings *settings, const struct hd_tables *tables,
		 char *summary, size_t size, struct hd_error *err)
{
	const struct hd_check_options options = { .max_vls = settings->max_vls };

	if (settings->unchecked) {
		snprintf(summary, size, "not checked");
		return 0;
	}
	return hd_check_demand(tables, &options, summary, size, err);
}

/* One that asks another engine: what its watcher is told. */
struct watch {
	const struct hd_wanted_request *request;
	struct hd_wanted *wanted;
	bool is_accepted;
};

static void tell(void *watcher, const char *line)
{
	const struct watch *watch = watcher;

	watch->request->tell(watch->request->context, line);
}

/* Whether @tables can be sent: their lanes are programmed, and they are proved. */
static int accept_tables(void *watcher, const struct hd_tables *tables, struct hd_error *err)
{
	struct watch *watch = watcher;
	const double start = hd_seconds();
	char summary[sizeof(watch->wanted->summary)] = "";
	int ret;

	if (!watch->request->qos->is_used && needs_sl2vl(tables))
		return hd_error_set(err, HD_EREFUSED,
				    "it needs SL2VL tables, which OpenSM programs only with QoS: "
				    "set 'qos TRUE' in opensm.conf or start opensm with -Q");
	ret = prove(watch->request->settings, tables, summary, sizeof(summary), err);
	if (ret)
		return ret;
	/* tables that are refused have nothing to say of those that are taken */
	memcpy(watch->wanted->summary, summary, sizeof(summary));
	watch->wanted->check_seconds = hd_seconds() - start;
	watch->is_accepted = true;
	return 0;
}

/* Has the engine route. */
static int route(struct watch *watch, struct hd_error *err)
{
	const struct hd_wanted_request *asked = watch->request;
	const struct hd_engine_settings *settings = asked->settings;
	struct hd_wanted *wanted = watch->wanted;
	struct hd_route_request request = {
		.layers = settings->layers,
		.queues = settings->queues,
		.classes = asked->classes,
		.vlarb_rooms = wanted->rooms,
		.max_vls = settings->max_vls,
		.params = settings->params,
		.previous = asked->previous,
		.previous_by = asked->previous_by,
		.older = asked->absent->tables,
		.n_older = asked->absent->n,
		.kept = &wanted->kept,
		.accept = accept_tables,
		.tell = tell,
		.watcher = watch,
		.chosen = &wanted->chosen,
	};
	int ret = hd_vlarb_parse(settings->vlarb, &request.vlarb, err);

	wanted->chosen = asked->engine;
	if (!ret)
		ret = hd_route(asked->engine, wanted->fabric, &request, &wanted->tables, err);
	if (ret)
		return ret;
	wanted->route_seconds =
		hd_seconds() - asked->begin - (watch->is_accepted ? wanted->check_seconds : 0);
	/* what is programmed is proved: private LFTs never are, since no subnet manager asks when
	 * a switch takes which */
	if (!asked->takes_sets || hd_ar_is_private(wanted->tables))
		hd_ar_drop(wanted->tables);
	/* an engine that takes others has asked already */
	return asked->engine->choose ? 0 : accept_tables(watch, wanted->tables, err);
}

/* Whether the site's QoS options say anything, or nobody can know for lack of memory. */
static bool has_options(const struct hd_site_qos *qos)
{
	char *names = hd_site_qos_names(qos);
	const bool has = !names || *names;

	free(names);
	return has;
}

static bool have_same_names(const struct hd_fabric *one, const struct hd_fabric *other)
{
	hd_for_each_node(n, one)
		if (strcmp(hd_node_name(one, n), hd_node_name(other, n)) != 0)
			return false;
	return true;
}

bool hd_wanted_stays(const struct hd_wanted *last, const struct hd_wanted *wanted,
		     const struct hd_wanted_request *request)
{
	if (!last->goal || last->goal->classes || request->classes || last->has_site_lanes ||
	    last->site_remark[0] || last->has_qos != request->qos->is_used)
		return false;
	return hd_same_fabric(last->fabric, wanted->fabric) &&
	       have_same_names(last->fabric, wanted->fabric) &&
	       memcmp(last->rooms, wanted->rooms,
		      wanted->fabric->n_ports * sizeof(*wanted->rooms)) == 0 &&
	       !has_options(request->qos);
}

/* Partitions and QoS policies may choose SLs when lanes are the same for all of them. */
static bool serves_any_sl(const struct hd_wanted *wanted)
{
	if (wanted->has_site_lanes)
		return true;
	return wanted->chosen->any_sl && !wanted->goal->classes &&
	       hd_tables_sls_used(wanted->goal) == 1;
}

int hd_wanted_compute(struct hd_wanted *wanted, const struct hd_wanted_request *request,
		      struct hd_error *err)
{
	const struct hd_site_lanes_request lanes = {
		.qos = request->qos,
		.rooms = wanted->rooms,
		.max_vls = request->settings->max_vls,
		.is_unchecked = request->settings->unchecked,
	};
	struct watch watch = { .request = request, .wanted = wanted };
	int ret = route(&watch, err);

	if (!ret)
		ret = hd_site_lanes(wanted->tables, &lanes, &wanted->goal, wanted->site_remark,
				    sizeof(wanted->site_remark), err);
	if (ret)
		return ret;
	wanted->has_qos = request->qos->is_used;
	wanted->has_site_lanes = wanted->goal;
	if (!wanted->goal)
		wanted->goal = hd_tables_share(wanted->tables);
	wanted->any_sl = serves_any_sl(wanted);
	return 0;
}

/* What the log says of service classes. */
static const char *describe_classes(const struct hd_tables *tables, char *text, size_t size)
{
	const struct hd_classes *classes = tables->classes;
	char label[320];

	text[0] = '\0';
	if (classes && classes->error > 0)
		snprintf(text, size, "; %u classes, shares within %.4f, worst at %s", classes->n,
			 classes->error,
			 hd_port_label(tables->fabric, classes->error_port, label, sizeof(label)));
	else if (classes)
		snprintf(text, size, "; %u classes, shares exact", classes->n);
	return text;
}

/* What became of the lanes of the last sweep. */
static const char *describe_kept(const struct hd_lanes_outcome *kept, char *text, size_t size)
{
	text[0] = '\0';
	if (kept->is_kept && !kept->is_fresh)
		snprintf(text, size, "; lanes stayed, %" PRIu64 " entries are detours",
			 kept->n_detours);
	return text;
}

void hd_wanted_describe(const struct hd_wanted *wanted, const struct hd_engine *engine, char *text,
			size_t size)
{
	const bool is_own = wanted->chosen == engine;
	char classes[400], kept[96];

	snprintf(text, size,
		 "%s%s%" PRIu32 " switches, top LID %" PRIu32
		 ", routed in %.3f s, checked in %.3f s: %s%s%s",
		 is_own ? "" : wanted->chosen->policy.name,
		 is_own ? "" : " routes: ", wanted->fabric->n_switches, wanted->fabric->top_lid,
		 wanted->route_seconds, wanted->check_seconds, wanted->summary,
		 describe_classes(wanted->goal, classes, sizeof(classes)),
		 describe_kept(&wanted->kept, kept, sizeof(kept)));
}

char *hd_wanted_describe_site(const struct hd_wanted *wanted, const struct hd_site_qos *qos,
			      const char *sls, bool is_unchecked)
{
	char *options = hd_site_qos_names(qos);
	const struct hd_site_outcome outcome = {
		.options = options,
		.sls = sls,
		.remark = wanted->site_remark,
		.has_site_lanes = wanted->has_site_lanes,
		.is_unchecked = is_unchecked,
		.has_classes = wanted->goal && wanted->goal->classes,
		.any_sl = wanted->any_sl,
	};
	char *text = options ? hd_site_describe(&outcome) : NULL;

	free(options);
	return text;
}

void hd_wanted_discard(struct hd_wanted *wanted)
{
	hd_tables_free(wanted->goal);
	hd_tables_free(wanted->tables);
	hd_fabric_free(wanted->fabric);
	free(wanted->rooms);
	*wanted = (struct hd_wanted){ .fabric = NULL };
}
