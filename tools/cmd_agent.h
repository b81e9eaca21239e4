/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle agent: the work of each interval, without the options. */
#ifndef HD_TOOLS_CMD_AGENT_H
#define HD_TOOLS_CMD_AGENT_H

#include "host/estimate.h"
#include "host/page.h"
#include "live/own_port.h"
#include "tools/command.h"

struct hd_agent_options {
	struct hd_common common;
	struct hd_mads_options mads;
	const char *path_sls; /* path-sl.dump, or a directory with one */
	const char *page;     /* NULL: none is kept */
	uint64_t interval;    /* ns */
	unsigned memory;      /* struct hd_estimate */
	bool once;
	bool json;
};

/*
 * Troubles that keep the agent from choosing. A line tells when each begins, and one when it is
 * over.
 */
enum hd_agent_trouble {
	HD_AGENT_WELL,
	HD_AGENT_NO_ADAPTER, /* it cannot be opened, or does not answer */
	HD_AGENT_NO_LANES,   /* the port or the path SLs leave no choice */
	HD_AGENT_NO_WAITS,   /* the port lacks the optional counters */
	HD_AGENT_CLEARED,    /* somebody else clears counters */
};

struct hd_agent {
	const struct hd_agent_options *options;
	struct hd_mads *mads; /* NULL: no adapter */
	struct hd_page page;
	struct hd_own_sls *sls;
	char *file;                /* of the path SLs */
	struct timespec file_time; /* its last change, when it was read */
	off_t file_size;
	struct hd_own_port port; /* of the last look */
	struct hd_lanes lanes;
	struct hd_estimate estimate;
	struct hd_own_waits waits;
	uint32_t last_total; /* PortXmitWait of the interval before */
	bool has_last_total;
	bool has_begun;  /* the counters were cleared an interval ago */
	unsigned chosen; /* HD_NETWORKS_ANY: none */
	enum hd_agent_trouble trouble;
	char why[1100]; /* the line about `trouble` */
	bool page_lost; /* the page cannot be written any more */
	bool said_zero, said_saturated, said_shared;
};

/*
 * Opens the adapter and the page, and reads the path SLs; any trouble with them now is an error.
 * Call hd_agent_close() also after an error.
 */
int hd_agent_open(struct hd_agent *agent, const struct hd_agent_options *options,
		  struct hd_error *err);
void hd_agent_close(struct hd_agent *agent);

/*
 * Reads the port and its counters, chooses, and writes the page. If that fails, the page prefers no
 * network, a line on stderr has the reason, and the next call tries again.
 */
void hd_agent_step(struct hd_agent *agent);

/* Prints the last step, as text or as a line of JSON. */
void hd_agent_print(const struct hd_agent *agent);

#endif
