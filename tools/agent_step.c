// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An interval of heddle agent. What is wrong now may be well in the next one, so nothing ends it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/error.h"
#include "support/text.h"
#include "tables/dumps.h"
#include "tables/snapshot.h"
#include "tools/cmd_agent.h"

/* Trouble is told when it begins; again only after all was well, or when it is another. */
static int in_trouble(struct hd_agent *agent, enum hd_agent_trouble trouble,
		      const struct hd_error *err)
{
	char line[sizeof(agent->why)];

	hd_error_format(err, line, sizeof(line));
	if (trouble != agent->trouble || strcmp(line, agent->why) != 0)
		hd_note(&agent->options->common, "%s; hosts take turns", line);
	agent->trouble = trouble;
	memcpy(agent->why, line, sizeof(line));
	agent->chosen = HD_NETWORKS_ANY;
	return err->code;
}

static void is_well(struct hd_agent *agent)
{
	if (agent->trouble != HD_AGENT_WELL)
		hd_note(&agent->options->common, "networks are chosen again");
	agent->trouble = HD_AGENT_WELL;
	agent->why[0] = '\0';
}

static int read_sls(struct hd_agent *agent, struct hd_error *err)
{
	uint64_t node_guid, port_guid;
	struct hd_text text;
	struct stat status;
	int ret = hd_own_port_guids(agent->mads, &node_guid, &port_guid, err);

	if (ret)
		return ret;
	if (stat(agent->file, &status) == 0) {
		agent->file_time = status.st_mtim;
		agent->file_size = status.st_size;
	}
	ret = hd_text_read_file(agent->file, HD_TEXT_MAX, &text, err);
	if (ret)
		return ret;
	ret = hd_own_sls_parse(agent->sls, agent->file, text.data, text.size, node_guid, port_guid,
			       err);
	hd_text_free(&text);
	return ret;
}

static bool sls_changed(const struct hd_agent *agent)
{
	struct stat status;

	return stat(agent->file, &status) || status.st_size != agent->file_size ||
	       status.st_mtim.tv_sec != agent->file_time.tv_sec ||
	       status.st_mtim.tv_nsec != agent->file_time.tv_nsec;
}

static int find_file(struct hd_agent *agent, struct hd_error *err)
{
	const char *given = agent->options->path_sls;
	int n = hd_snapshot_is_directory(given)
			? asprintf(&agent->file, "%s/%s", given, hd_dump_path_sl.file)
			: asprintf(&agent->file, "%s", given);

	if (n >= 0)
		return 0;
	agent->file = NULL;
	return hd_error_nomem(err);
}

int hd_agent_open(struct hd_agent *agent, const struct hd_agent_options *options,
		  struct hd_error *err)
{
	int ret;

	*agent = (struct hd_agent){ .options = options,
				    .page.file = -1,
				    .chosen = HD_NETWORKS_ANY,
				    .estimate.memory = options->memory,
				    .sls = malloc(sizeof(*agent->sls)) };
	ret = agent->sls ? find_file(agent, err) : hd_error_nomem(err);
	if (!ret)
		ret = hd_mads_open(&options->mads, &agent->mads, err);
	if (!ret)
		ret = read_sls(agent, err);
	if (!ret && options->page)
		ret = hd_page_open(&agent->page, options->page, err);
	return ret;
}

void hd_agent_close(struct hd_agent *agent)
{
	hd_page_close(&agent->page);
	hd_mads_close(agent->mads);
	free(agent->sls);
	free(agent->file);
}

/* An adapter that has vanished is closed, and opened anew when it is there again. */
static int look(struct hd_agent *agent, struct hd_own_port *port, struct hd_error *err)
{
	int ret = agent->mads ? 0 : hd_mads_open(&agent->options->mads, &agent->mads, err);

	if (!ret)
		ret = hd_own_port_look(agent->mads, port, err);
	if (ret) {
		hd_mads_close(agent->mads);
		agent->mads = NULL;
	}
	return ret;
}

static bool same_port(const struct hd_own_port *a, const struct hd_own_port *b)
{
	return a->lid == b->lid && a->lmc == b->lmc && a->is_active == b->is_active &&
	       a->sl2vl == b->sl2vl;
}

static void forget(struct hd_agent *agent)
{
	agent->has_begun = agent->has_last_total = false;
	agent->estimate = (struct hd_estimate){ .memory = agent->options->memory };
}

/* Lanes are found anew whenever the port or the path SLs are others. */
static int find_lanes(struct hd_agent *agent, const struct hd_own_port *port, struct hd_error *err)
{
	const bool changed = sls_changed(agent);
	struct hd_error cause;
	int ret = 0;

	if (!changed && agent->lanes.n && same_port(port, &agent->port))
		return 0;
	forget(agent);
	agent->port = *port;
	agent->lanes.n = 0;
	if (changed)
		ret = read_sls(agent, err);
	if (ret)
		/* it is read again, even if it does not change any more */
		agent->file_size = -1;
	if (!ret && hd_lanes_find(&agent->lanes, port, agent->sls, &cause))
		ret = hd_error_at(err, cause.code, agent->file, 0, "%s", cause.text);
	return ret;
}

/*
 * Whether somebody else cleared the port's counters since the last step: PortXmitWait, which the
 * agent leaves alone, fell.
 */
static bool others_cleared(struct hd_agent *agent)
{
	const struct hd_own_waits *waits = &agent->waits;
	bool fell = agent->has_last_total && waits->has_total && waits->total < agent->last_total;

	agent->has_last_total = waits->has_total;
	agent->last_total = waits->total;
	return fell;
}

static int count(struct hd_agent *agent, struct hd_error *err)
{
	int ret = hd_own_port_take_waits(agent->mads, agent->port.lid, &agent->waits, err);

	if (ret) {
		forget(agent);
		return in_trouble(agent, HD_AGENT_NO_ADAPTER, err);
	}
	if (!agent->waits.supported) {
		hd_error_set(err, HD_EINVAL,
			     "the adapter has no PortVLXmitWaitCounters, which are optional");
		return in_trouble(agent, HD_AGENT_NO_WAITS, err);
	}
	if (others_cleared(agent) && agent->has_begun) {
		agent->estimate = (struct hd_estimate){ .memory = agent->options->memory };
		hd_error_set(err, HD_EINVAL,
			     "another program clears counters of the port: they tell nothing");
		return in_trouble(agent, HD_AGENT_CLEARED, err);
	}
	return 0;
}

/* What is odd about counters and lanes is told once. */
static void remark(struct hd_agent *agent)
{
	const struct hd_common *common = &agent->options->common;

	if (agent->lanes.are_shared && !agent->said_shared)
		hd_note(common,
			"networks share VLs: what these wait does not tell which is better");
	agent->said_shared = agent->said_shared || agent->lanes.are_shared;
	if (agent->estimate.saturated && !agent->said_saturated)
		hd_note(common,
			"counters reach 65535 within an interval: they tell more of shorter "
			"ones");
	agent->said_saturated = agent->said_saturated || agent->estimate.saturated;
	if (agent->estimate.reason == HD_NOTHING_WAITED && !agent->said_zero)
		hd_note(common, "all counters are zero: networks alternate");
	agent->said_zero = agent->estimate.reason == HD_NOTHING_WAITED;
}

static void choose(struct hd_agent *agent)
{
	unsigned before = agent->chosen;

	/* the counters of the first time are of no interval */
	if (!agent->has_begun) {
		agent->has_begun = true;
		return;
	}
	agent->chosen = hd_estimate_choose(&agent->estimate, &agent->lanes, agent->waits.vl);
	remark(agent);
	if (agent->chosen != before)
		hd_note_verbose(&agent->options->common, "network %u", agent->chosen);
}

static void publish(struct hd_agent *agent)
{
	const struct hd_common *common = &agent->options->common;
	struct hd_networks_page content = {
		.time = hd_networks_now(),
		.interval = agent->options->interval,
		.lid = agent->port.lid,
		.lmc = agent->port.lmc,
		.n_networks = (uint8_t)agent->lanes.n,
		.preferred = (uint8_t)agent->chosen,
	};
	char line[sizeof(agent->why)];
	struct hd_error err;
	bool lost;

	if (!agent->options->page)
		return;
	memcpy(content.waited, agent->waits.vl, sizeof(content.waited));
	if (!agent->page_lost && hd_page_is_gone(&agent->page))
		hd_note(common, "%s: is gone, and made anew", agent->options->page);
	lost = hd_page_write(&agent->page, &content, &err);
	if (lost && !agent->page_lost)
		/* what is there ages, and readers see that */
		hd_note(common, "%s; hosts take turns", hd_error_format(&err, line, sizeof(line)));
	if (!lost && agent->page_lost)
		hd_note(common, "%s: is written again", agent->options->page);
	agent->page_lost = lost;
}

void hd_agent_step(struct hd_agent *agent)
{
	struct hd_own_port port;
	struct hd_error err;

	if (look(agent, &port, &err)) {
		forget(agent);
		in_trouble(agent, HD_AGENT_NO_ADAPTER, &err);
	} else if (find_lanes(agent, &port, &err)) {
		in_trouble(agent, HD_AGENT_NO_LANES, &err);
	} else if (!count(agent, &err)) {
		is_well(agent);
		choose(agent);
	}
	publish(agent);
}
