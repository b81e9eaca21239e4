// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tables as the nodes of a fabric hold them. Every kind of table is read in one pass: a walk over
 * the nodes that need asking gives one question after the other. (IBA volume 1, 14.2.5)
 */
#include <stdlib.h>
#include <string.h>

#include "live/live.h"
#include "mad/mad.h"
#include "support/error.h"

#define LFT_BLOCK    64 /* LIDs */
#define MFT_BLOCK    32 /* multicast LIDs */
#define MFT_PORTS    16 /* ports of one position */
#define VL_ARB_BLOCK 32 /* entries */
#define FIRST_MLID   0xC000u
#define NO_MLID_TOP  0xBFFFu

/* What is known of a switch before its tables are. */
struct switch_info {
	uint16_t lft_top;
	uint16_t n_mft_blocks; /* of MFT_BLOCK multicast LIDs */
};

/* A port's capabilities of VL arbitration. */
struct arbitration_info {
	uint8_t low_cap, high_cap, high_limit;
};

struct reading {
	const struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct switch_info *switches;         /* [switch] */
	struct arbitration_info *arbitration; /* [port] */
	struct hd_vlarb *vlarbs;              /* [port] */
	bool *unsupported;                    /* [node] SL2VL */
	const struct pass *pass;
	uint32_t node, step; /* where the walk goes on */
	size_t size_mft;
};

/*
 * One kind of table. Node by node, steps 0, 1, ... are asked until a step is beyond the node's
 * last.
 */
struct pass {
	const char *what;
	/* The number of steps of @node. */
	uint32_t (*steps)(const struct reading *reading, uint32_t node);
	/* Fills the question of a step; false: the step needs no question. */
	bool (*question)(const struct reading *reading, uint32_t node, uint32_t step,
			 struct hd_mads_question *question);
	int (*answer)(struct reading *reading, uint32_t node, uint32_t step, const uint8_t *data,
		      struct hd_error *err);
	void (*unsupported)(struct reading *reading, uint32_t node); /* NULL: that the agent does
								        not support the table is
								        an error */
};

static unsigned be16(const uint8_t *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

static bool next(void *context, struct hd_mads_question *question)
{
	struct reading *reading = context;
	const struct pass *pass = reading->pass;

	for (; reading->node < reading->fabric->n_nodes; reading->node++, reading->step = 0)
		while (reading->step < pass->steps(reading, reading->node)) {
			uint32_t step = reading->step++;

			question->what = pass->what;
			question->tag = (uint64_t)reading->node << 32 | step;
			if (pass->question(reading, reading->node, step, question))
				return true;
		}
	return false;
}

static int answer(void *context, const struct hd_mads_question *question,
		  const struct hd_mads_answer *answer, struct hd_error *err)
{
	struct reading *reading = context;
	uint32_t node = (uint32_t)(question->tag >> 32), step = (uint32_t)question->tag;

	if (HD_MADS_UNSUPPORTED(answer->status) && reading->pass->unsupported) {
		reading->pass->unsupported(reading, node);
		return 0;
	}
	if (answer->status)
		return hd_error_set(err, HD_EIO, "%.64s (LID %u) answers %s with status 0x%04x",
				    hd_node_name(reading->fabric, node), question->lid,
				    question->what, answer->status);
	if (answer->size < sizeof(question->data))
		return hd_error_set(err, HD_EPARSE, "%.64s (LID %u) cuts short its %s",
				    hd_node_name(reading->fabric, node), question->lid,
				    question->what);
	return reading->pass->answer(reading, node, step, answer->data, err);
}

static uint16_t switch_lid(const struct reading *reading, uint32_t node)
{
	return reading->fabric->ports[hd_port_index(reading->fabric, node, 0)].lid;
}

/* Questions to a switch go to its LID, if it has one. */
static bool ask_switch(const struct reading *reading, uint32_t node, uint16_t attribute,
		       uint32_t modifier, struct hd_mads_question *question)
{
	question->attribute = attribute;
	question->modifier = modifier;
	question->lid = switch_lid(reading, node);
	return question->lid != 0;
}

/* Questions about port @number of any node: adapters' ports have LIDs of their own. */
static bool ask_port(const struct reading *reading, uint32_t node, unsigned number,
		     uint16_t attribute, uint32_t modifier, struct hd_mads_question *question)
{
	const struct hd_port *port =
		&reading->fabric->ports[hd_port_index(reading->fabric, node, number)];

	if (hd_is_switch(reading->fabric, node))
		return ask_switch(reading, node, attribute, modifier, question);
	question->attribute = attribute;
	question->modifier = modifier;
	question->lid = port->lid;
	return port->lid && port->peer != HD_NONE;
}

static uint32_t one_step_of_switches(const struct reading *reading, uint32_t node)
{
	return hd_is_switch(reading->fabric, node);
}

static bool ask_switch_info(const struct reading *reading, uint32_t node, uint32_t step,
			    struct hd_mads_question *question)
{
	return ask_switch(reading, node, HD_ATTRIBUTE_SWITCH_INFO, 0, question);
}

static int take_switch_info(struct reading *reading, uint32_t node, uint32_t step,
			    const uint8_t *data, struct hd_error *err)
{
	struct switch_info *info = &reading->switches[node];
	unsigned mft_cap = be16(data + 4), mft_top = be16(data + 18);

	info->lft_top = (uint16_t)be16(data + 6);
	/* a top that is not maintained stays 0: then all MLIDs are read */
	if (mft_top >= FIRST_MLID && mft_top - FIRST_MLID < mft_cap)
		mft_cap = mft_top - FIRST_MLID + 1;
	else if (mft_top == NO_MLID_TOP)
		mft_cap = 0;
	info->n_mft_blocks = (uint16_t)((mft_cap + MFT_BLOCK - 1) / MFT_BLOCK);
	return 0;
}

static uint32_t lft_steps(const struct reading *reading, uint32_t node)
{
	uint32_t blocks;

	if (!hd_is_switch(reading->fabric, node))
		return 0;
	blocks = reading->switches[node].lft_top / LFT_BLOCK + 1u;
	if (blocks > reading->tables->lft_stride / LFT_BLOCK)
		blocks = (uint32_t)(reading->tables->lft_stride / LFT_BLOCK);
	return blocks;
}

static bool ask_lft(const struct reading *reading, uint32_t node, uint32_t step,
		    struct hd_mads_question *question)
{
	return ask_switch(reading, node, HD_ATTRIBUTE_LINEAR_TABLE, step, question);
}

static int take_lft(struct reading *reading, uint32_t node, uint32_t step, const uint8_t *data,
		    struct hd_error *err)
{
	memcpy(hd_lft(reading->tables, node) + (size_t)step * LFT_BLOCK, data, LFT_BLOCK);
	return 0;
}

/* Switches: out x (n + 1) + in; adapters: the port. */
static uint32_t sl2vl_steps(const struct reading *reading, uint32_t node)
{
	uint32_t n = reading->fabric->nodes[node].n_ports + 1u;

	if (reading->unsupported[node])
		return 0;
	return hd_is_switch(reading->fabric, node) ? n * n : n;
}

static bool ask_sl2vl(const struct reading *reading, uint32_t node, uint32_t step,
		      struct hd_mads_question *question)
{
	const struct hd_fabric *fabric = reading->fabric;
	uint32_t n = fabric->nodes[node].n_ports + 1u, in = step % n, out = step / n;

	if (!hd_is_switch(fabric, node))
		return step && ask_port(reading, node, step, HD_ATTRIBUTE_SL2VL_TABLE, 0, question);
	if (out ? fabric->ports[hd_port_index(fabric, node, out)].peer == HD_NONE
		: !fabric->nodes[node].enhanced_port0)
		return false;
	return ask_switch(reading, node, HD_ATTRIBUTE_SL2VL_TABLE, in << 8 | out, question);
}

static int take_sl2vl(struct reading *reading, uint32_t node, uint32_t step, const uint8_t *data,
		      struct hd_error *err)
{
	reading->tables->sl2vl[reading->tables->sl2vl_first[node] + step] = hd_row_from_mad(data);
	return 0;
}

static void no_sl2vl(struct reading *reading, uint32_t node)
{
	reading->unsupported[node] = true;
}

static uint32_t port_steps(const struct reading *reading, uint32_t node)
{
	return reading->fabric->nodes[node].n_ports + 1u;
}

static bool ask_port_info(const struct reading *reading, uint32_t node, uint32_t step,
			  struct hd_mads_question *question)
{
	const struct hd_fabric *fabric = reading->fabric;

	return step && fabric->ports[hd_port_index(fabric, node, step)].peer != HD_NONE &&
	       ask_port(reading, node, step, HD_ATTRIBUTE_PORT_INFO, step, question);
}

static int take_port_info(struct reading *reading, uint32_t node, uint32_t step,
			  const uint8_t *data, struct hd_error *err)
{
	struct arbitration_info *info =
		&reading->arbitration[hd_port_index(reading->fabric, node, step)];

	info->high_limit = data[38];
	info->high_cap = data[39];
	info->low_cap = data[40];
	return 0;
}

/* Four blocks for each port: low, low, high, high. */
static uint32_t vlarb_steps(const struct reading *reading, uint32_t node)
{
	return 4 * (reading->fabric->nodes[node].n_ports + 1u);
}

static bool ask_vlarb(const struct reading *reading, uint32_t node, uint32_t step,
		      struct hd_mads_question *question)
{
	uint32_t number = step / 4, block = step % 4;
	const struct arbitration_info *info =
		&reading->arbitration[hd_port_index(reading->fabric, node, number)];
	unsigned cap = block < 2 ? info->low_cap : info->high_cap;

	return cap > block % 2 * VL_ARB_BLOCK &&
	       ask_port(reading, node, number, HD_ATTRIBUTE_VLARB_TABLE, (block + 1) << 16 | number,
			question);
}

/* Entries behind the last one with a weight are left out, as if the table were shorter. */
static int take_vlarb(struct reading *reading, uint32_t node, uint32_t step, const uint8_t *data,
		      struct hd_error *err)
{
	uint32_t port = hd_port_index(reading->fabric, node, step / 4), block = step % 4;
	const struct arbitration_info *info = &reading->arbitration[port];
	struct hd_vlarb *vlarb = &reading->vlarbs[port];
	struct hd_vlarb_entry *entries = block < 2 ? vlarb->low : vlarb->high;
	uint8_t *n = block < 2 ? &vlarb->n_low : &vlarb->n_high;
	unsigned first = block % 2 * VL_ARB_BLOCK;
	unsigned cap = block < 2 ? info->low_cap : info->high_cap;

	for (unsigned i = 0; i < VL_ARB_BLOCK && first + i < cap; i++) {
		entries[first + i].vl = data[2 * i] & 15;
		entries[first + i].weight = data[2 * i + 1];
		if (data[2 * i + 1] && *n <= first + i)
			*n = (uint8_t)(first + i + 1);
	}
	vlarb->high_limit = info->high_limit;
	return 0;
}

static void no_vlarb(struct reading *reading, uint32_t node)
{
}

static uint32_t mft_positions(const struct reading *reading, uint32_t node)
{
	return reading->fabric->nodes[node].n_ports / MFT_PORTS + 1u;
}

static uint32_t mft_steps(const struct reading *reading, uint32_t node)
{
	if (!hd_is_switch(reading->fabric, node))
		return 0;
	return reading->switches[node].n_mft_blocks * mft_positions(reading, node);
}

static bool ask_mft(const struct reading *reading, uint32_t node, uint32_t step,
		    struct hd_mads_question *question)
{
	uint32_t n = mft_positions(reading, node);

	return ask_switch(reading, node, HD_ATTRIBUTE_MULTICAST_TABLE, (step % n) << 28 | step / n,
			  question);
}

/* Adds the ports of one position; entries are sorted and joined at the end. */
static int take_mft(struct reading *reading, uint32_t node, uint32_t step, const uint8_t *data,
		    struct hd_error *err)
{
	struct hd_tables *tables = reading->tables;
	uint32_t n = mft_positions(reading, node), first_port = step % n * MFT_PORTS;
	uint32_t first_mlid = FIRST_MLID + step / n * MFT_BLOCK;

	for (unsigned i = 0; i < MFT_BLOCK; i++) {
		struct hd_mft_entry *entry;

		if (!be16(data + 2 * i))
			continue;
		if (tables->n_mft == reading->size_mft) {
			size_t size = reading->size_mft ? 2 * reading->size_mft : 256;
			struct hd_mft_entry *mft = realloc(tables->mft, size * sizeof(*mft));

			if (!mft)
				return hd_error_nomem(err);
			tables->mft = mft;
			reading->size_mft = size;
		}
		entry = &tables->mft[tables->n_mft++];
		*entry = (struct hd_mft_entry){ .mlid = (uint16_t)(first_mlid + i),
						.switch_index = node };
		entry->ports[first_port / 64] = (uint64_t)be16(data + 2 * i) << first_port % 64;
	}
	return 0;
}

static int compare_mft(const void *a, const void *b)
{
	const struct hd_mft_entry *x = a, *y = b;

	if (x->mlid != y->mlid)
		return x->mlid < y->mlid ? -1 : 1;
	return x->switch_index < y->switch_index ? -1 : x->switch_index > y->switch_index;
}

/* Sorts the entries, and joins those of all positions of a switch. */
static void join_mft(struct hd_tables *tables)
{
	size_t n = 0;

	if (tables->n_mft)
		qsort(tables->mft, tables->n_mft, sizeof(*tables->mft), compare_mft);
	for (size_t i = 0; i < tables->n_mft; i++) {
		struct hd_mft_entry *last = n ? &tables->mft[n - 1] : NULL;

		if (!last || compare_mft(last, &tables->mft[i]) != 0) {
			tables->mft[n++] = tables->mft[i];
			continue;
		}
		for (unsigned word = 0; word < 4; word++)
			last->ports[word] |= tables->mft[i].ports[word];
	}
	tables->n_mft = n;
}

static int set_vlarbs(struct reading *reading, struct hd_error *err)
{
	hd_for_each_port(p, reading->fabric) {
		const struct hd_vlarb *vlarb = &reading->vlarbs[p];
		int ret;

		if (!vlarb->n_low && !vlarb->n_high)
			continue;
		ret = hd_tables_set_vlarb(reading->tables, p, vlarb, err);
		if (ret)
			return ret;
		reading->tables->has_vlarb = true;
	}
	return 0;
}

/* Notes switches and adapters that have no SL2VL tables. */
static void note_gaps(const struct reading *reading)
{
	const struct hd_fabric *fabric = reading->fabric;

	reading->tables->has_sl2vl = true;
	hd_for_each_port(p, fabric)
		if (hd_is_end_port(fabric, p) && reading->unsupported[fabric->ports[p].node])
			hd_gap_add(&reading->tables->sl2vl_gap, p);
}

static const struct pass passes[] = {
	{ "SwitchInfo", one_step_of_switches, ask_switch_info, take_switch_info, NULL },
	{ "LinearForwardingTable", lft_steps, ask_lft, take_lft, NULL },
	{ "SLtoVLMappingTable", sl2vl_steps, ask_sl2vl, take_sl2vl, no_sl2vl },
	{ "PortInfo", port_steps, ask_port_info, take_port_info, NULL },
	{ "VLArbitrationTable", vlarb_steps, ask_vlarb, take_vlarb, no_vlarb },
	{ "MulticastForwardingTable", mft_steps, ask_mft, take_mft, NULL },
};

static int read_nodes(struct reading *reading, struct hd_mads *mads, struct hd_error *err)
{
	const struct hd_mads_user user = { .next = next, .answer = answer, .context = reading };
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(passes) / sizeof(passes[0]); i++) {
		reading->pass = &passes[i];
		reading->node = reading->step = 0;
		ret = hd_mads_ask(mads, &user, err);
	}
	if (ret)
		return ret;
	join_mft(reading->tables);
	note_gaps(reading);
	return set_vlarbs(reading, err);
}

int hd_live_tables(const struct hd_live_options *options, const struct hd_fabric *fabric,
		   struct hd_tables **tables, struct hd_error *err)
{
	struct reading reading = {
		.fabric = fabric,
		.switches = calloc(fabric->n_switches + (size_t)1, sizeof(*reading.switches)),
		.arbitration = calloc(fabric->n_ports + (size_t)1, sizeof(*reading.arbitration)),
		.vlarbs = calloc(fabric->n_ports + (size_t)1, sizeof(*reading.vlarbs)),
		.unsupported = calloc(fabric->n_nodes + (size_t)1, sizeof(*reading.unsupported)),
	};
	struct hd_mads *mads = NULL;
	int ret = hd_tables_new(fabric, &reading.tables, err);

	if (!ret &&
	    !(reading.switches && reading.arbitration && reading.vlarbs && reading.unsupported))
		ret = hd_error_nomem(err);
	if (!ret)
		ret = hd_mads_open(&options->mads, &mads, err);
	if (!ret)
		ret = read_nodes(&reading, mads, err);
	if (!ret && options->path_sls)
		ret = hd_live_path_sls(mads, reading.tables, err);
	hd_mads_close(mads);
	free(reading.switches);
	free(reading.arbitration);
	free(reading.vlarbs);
	free(reading.unsupported);
	if (ret)
		hd_tables_free(reading.tables);
	*tables = ret ? NULL : reading.tables;
	return ret;
}
