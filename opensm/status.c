// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/status.h"

#include <inttypes.h>
#include <time.h>

#include "opensm/clock.h"
#include "support/error.h"
#include "support/output.h"

/* "2026-11-26T02:40:11Z", of a time by hd_osm_seconds(). */
static void put_time(FILE *stream, double seconds)
{
	const time_t then = time(NULL) - (time_t)(hd_osm_seconds() - seconds);
	struct tm parts;
	char text[32];

	gmtime_r(&then, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	fputs(text, stream);
}

static const char *engine_in_force(const struct hd_osm_plugin *plugin,
				   const struct hd_osm_engine *engine)
{
	const struct osm_routing_engine *used = plugin->osm->routing_engine_used;

	if (engine)
		return engine->name;
	return used ? osm_routing_engine_type_str(used->type) : "none";
}

static void put_change(FILE *stream, const struct hd_rollout *rollout)
{
	fprintf(stream, "change     %s\n", hd_rollout_state_name(rollout->state));
	if (rollout->since > 0) {
		fputs("since      ", stream);
		put_time(stream, rollout->since);
		fputc('\n', stream);
	}
	fprintf(stream, "waits for  %s\n", hd_rollout_waits_for(rollout->state));
	if (rollout->round)
		fprintf(stream, "round      %u of %u\n", rollout->round,
			rollout->schedule.n_rounds);
	if (rollout->state == HD_ROLLOUT_IDLE)
		return;
	fputs("begun      ", stream);
	put_time(stream, rollout->start);
	fprintf(stream, "\nfailures   %u\nlosing     %" PRIu64 " pairs of hosts\n",
		rollout->n_failures, rollout->pairs_lost);
	if (rollout->doubt[0])
		fprintf(stream, "not proved %s\n", rollout->doubt);
}

void hd_osm_status_write(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine)
{
	struct hd_output output;
	struct hd_error err;
	int ret;

	if (!plugin->options.status)
		return;
	ret = hd_output_open(&output, plugin->options.status, &err);
	if (!ret) {
		fprintf(output.stream, "engine     %s\n", engine_in_force(plugin, engine));
		if (engine && engine->chosen && engine->chosen != engine->engine)
			fprintf(output.stream, "routes     %s\n", engine->chosen->policy.name);
		fprintf(output.stream, "confirmed  %s\n", plugin->is_confirmed ? "yes" : "no");
		put_change(output.stream, &plugin->transition.rollout);
		ret = hd_output_commit(&output, &err);
	}
	/* once: the directory is not there, as a rule */
	if (ret && !plugin->has_no_status)
		osm_log(&plugin->osm->log, OSM_LOG_ERROR, "heddle: status: %s\n", err.text);
	plugin->has_no_status = ret;
}
