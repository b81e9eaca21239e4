// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/copy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "simfabric/emulator/copy_ar.h"
#include "simfabric/emulator/link_state.h"

#define LFT_BLOCK      64
#define FIRST_MLID     0xC000u
#define POSITION_PORTS 16

/* Of a port, as the file has it. */
struct port_copy {
	uint32_t peer; /* HD_NONE: the link is down */
	uint16_t lid;
	uint8_t lmc, state, vls;
};

struct switch_copy {
	uint8_t *lft;
	uint32_t lft_size;
	uint16_t *mft;
	uint32_t mft_size;
	uint16_t top;
	struct hd_switch_ar ar;
};

struct hd_fabric_state_copy {
	const struct hd_emulator *emulator;
	struct switch_copy *switches;
	struct port_copy *ports;
	hd_sl2vl_row *rows;
	struct hd_vlarb *vlarbs; /* [port] */
};

struct hd_fabric_state_copy *hd_copy_new(const struct hd_emulator *emulator)
{
	const struct hd_fabric *fabric = emulator->fabric;
	const size_t n_rows = emulator->sl2vl_first[fabric->n_nodes];
	struct hd_fabric_state_copy *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return NULL;
	copy->emulator = emulator;
	copy->switches = calloc(fabric->n_switches + (size_t)1, sizeof(*copy->switches));
	copy->ports = calloc(fabric->n_ports + (size_t)1, sizeof(*copy->ports));
	copy->rows = calloc(n_rows + 1, sizeof(*copy->rows));
	copy->vlarbs = calloc(fabric->n_ports + (size_t)1, sizeof(*copy->vlarbs));
	if (!copy->switches || !copy->ports || !copy->rows || !copy->vlarbs) {
		hd_copy_free(copy);
		return NULL;
	}
	hd_for_each_port(p, fabric)
		copy->ports[p] = (struct port_copy){ .peer = HD_NONE, .state = HD_PORT_DOWN };
	return copy;
}

void hd_copy_free(struct hd_fabric_state_copy *copy)
{
	if (!copy)
		return;
	for (uint32_t s = 0; copy->switches && s < copy->emulator->fabric->n_switches; s++) {
		free(copy->switches[s].lft);
		free(copy->switches[s].mft);
		hd_copy_ar_clear(&copy->switches[s].ar);
	}
	free(copy->switches);
	free(copy->ports);
	free(copy->rows);
	free(copy->vlarbs);
	free(copy);
}

static uint64_t guid_of(const struct hd_fabric_state_copy *copy, uint32_t node)
{
	return copy->emulator->fabric->nodes[node].guid;
}

/* Begins the line of a change of @node. */
static FILE *change(const struct hd_fabric_state_copy *copy, struct hd_copy_changes *changes,
		    uint32_t node)
{
	if (changes->node != node) {
		fprintf(changes->stream, "of 0x%016" PRIx64 "\n", guid_of(copy, node));
		changes->n++;
	}
	changes->node = node;
	changes->n++;
	return changes->stream;
}

/* LFTs */

static unsigned entry(const uint8_t *lft, uint32_t size, uint32_t lid)
{
	return lid < size ? lft[lid] : HD_NO_PATH;
}

/* Makes the copy as large as what it is a copy of; entries that are new are @fill. */
static bool resize(void **array, size_t item, uint32_t from, uint32_t to, int fill)
{
	uint8_t *larger = realloc(*array, (to + (size_t)1) * item);

	if (!larger)
		return false;
	if (to > from)
		memset(larger + from * item, fill, (to - from) * item);
	*array = larger;
	return true;
}

static bool compare_lft(struct hd_fabric_state_copy *copy, uint32_t node,
			struct hd_copy_changes *changes)
{
	const struct hd_emulator_switch *now = &copy->emulator->switches[node];
	struct switch_copy *old_sw = &copy->switches[node];
	uint32_t end = now->lft_size > old_sw->lft_size ? now->lft_size : old_sw->lft_size;

	for (uint32_t lid = 0; lid < end; lid++) {
		unsigned old = entry(old_sw->lft, old_sw->lft_size, lid);
		unsigned new = entry(now->lft, now->lft_size, lid);

		if (!(lid % LFT_BLOCK) && lid + LFT_BLOCK <= now->lft_size &&
		    lid + LFT_BLOCK <= old_sw->lft_size &&
		    memcmp(now->lft + lid, old_sw->lft + lid, LFT_BLOCK) == 0)
			lid += LFT_BLOCK - 1;
		else if (old != new)
			fprintf(change(copy, changes, node), "lft %u %u %u\n", lid, old, new);
	}
	if (now->linear_fdb_top != old_sw->top)
		fprintf(change(copy, changes, node), "top %u %u\n", old_sw->top,
			now->linear_fdb_top);
	old_sw->top = now->linear_fdb_top;
	if (now->lft_size != old_sw->lft_size &&
	    !resize((void **)&old_sw->lft, 1, old_sw->lft_size, now->lft_size, HD_NO_PATH))
		return false;
	old_sw->lft_size = now->lft_size;
	if (now->lft_size)
		memcpy(old_sw->lft, now->lft, now->lft_size);
	return true;
}

/* Multicast forwarding */

static unsigned mask(const uint16_t *mft, uint32_t size, unsigned position, uint32_t mlid)
{
	return mlid < size ? mft[position * (size_t)size + mlid] : 0;
}

static bool compare_mft(struct hd_fabric_state_copy *copy, uint32_t node,
			struct hd_copy_changes *changes)
{
	const struct hd_emulator_switch *now = &copy->emulator->switches[node];
	struct switch_copy *old_sw = &copy->switches[node];
	const unsigned positions =
		copy->emulator->fabric->nodes[node].n_ports / POSITION_PORTS + 1u;
	uint32_t end = now->mft_size > old_sw->mft_size ? now->mft_size : old_sw->mft_size;

	for (uint32_t mlid = 0; mlid < end; mlid++)
		for (unsigned position = 0; position < positions; position++) {
			unsigned old = mask(old_sw->mft, old_sw->mft_size, position, mlid);
			unsigned new = mask(now->mft, now->mft_size, position, mlid);

			if (old != new)
				fprintf(change(copy, changes, node), "mft 0x%x %u 0x%04x 0x%04x\n",
					FIRST_MLID + mlid, position, old, new);
		}
	if (now->mft_size != old_sw->mft_size &&
	    !resize((void **)&old_sw->mft, positions * sizeof(*old_sw->mft), old_sw->mft_size,
		    now->mft_size, 0))
		return false;
	old_sw->mft_size = now->mft_size;
	if (now->mft_size)
		memcpy(old_sw->mft, now->mft,
		       positions * (size_t)now->mft_size * sizeof(*old_sw->mft));
	return true;
}

/* SL2VL tables */

/* Whether all @n rows are alike, before as after. */
static bool is_alike(const hd_sl2vl_row *old, const hd_sl2vl_row *new, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (old[i] != old[0] || new[i] != new[0])
			return false;
	return true;
}

static void tell_row(const struct hd_fabric_state_copy *copy, struct hd_copy_changes *changes,
		     uint32_t node, const char *out, const char *in, hd_sl2vl_row old,
		     hd_sl2vl_row new)
{
	fprintf(change(copy, changes, node), "sl2vl %s %s %016" PRIx64 " %016" PRIx64 "\n", out, in,
		old, new);
}

static void compare_rows(struct hd_fabric_state_copy *copy, uint32_t node,
			 struct hd_copy_changes *changes)
{
	const struct hd_fabric *fabric = copy->emulator->fabric;
	const size_t first = copy->emulator->sl2vl_first[node];
	const size_t n = copy->emulator->sl2vl_first[node + 1] - first;
	const hd_sl2vl_row *new = copy->emulator->sl2vl + first;
	hd_sl2vl_row *old = copy->rows + first;
	const size_t ins = hd_is_switch(fabric, node) ? fabric->nodes[node].n_ports + (size_t)1 : 1;
	char out_text[24], in_text[24];

	if (memcmp(old, new, n * sizeof(*old)) == 0)
		return;
	if (is_alike(old, new, n)) {
		tell_row(copy, changes, node, "*", "*", old[0], new[0]);
	} else {
		for (size_t out = 0; out < n / ins; out++) {
			const size_t at = out * ins;
			const bool all = is_alike(old + at, new + at, ins);

			snprintf(out_text, sizeof(out_text), "%zu", out);
			for (size_t in = 0; in < (all ? 1 : ins); in++) {
				if (old[at + in] == new[at + in])
					continue;
				snprintf(in_text, sizeof(in_text), "%zu", in);
				tell_row(copy, changes, node, out_text, all ? "*" : in_text,
					 old[at + in], new[at + in]);
			}
		}
	}
	memcpy(old, new, n * sizeof(*old));
}

/* Ports */

static struct port_copy take_port(const struct hd_emulator *emulator, uint32_t p)
{
	const struct hd_emulator_port *port = &emulator->ports[p];

	return (struct port_copy){
		.peer = hd_link_is_up(emulator, p) ? port->peer : HD_NONE,
		.lid = port->lid,
		.lmc = port->lmc,
		.state = port->state,
		.vls = (uint8_t)hd_vlcap_vls(port->operational_vls),
	};
}

static const char *far_end(const struct hd_fabric_state_copy *copy, uint32_t peer, char *buffer,
			   size_t size)
{
	const struct hd_fabric *fabric = copy->emulator->fabric;

	if (peer == HD_NONE)
		return "-";
	snprintf(buffer, size, "0x%016" PRIx64 ":%u", guid_of(copy, fabric->ports[peer].node),
		 fabric->ports[peer].number);
	return buffer;
}

static void tell_number(const struct hd_fabric_state_copy *copy, struct hd_copy_changes *changes,
			uint32_t p, const char *what, unsigned old, unsigned new)
{
	const struct hd_port *port = &copy->emulator->fabric->ports[p];

	if (old != new)
		fprintf(change(copy, changes, port->node), "port %u %s %u %u\n", port->number, what,
			old, new);
}

static void compare_port(struct hd_fabric_state_copy *copy, uint32_t p,
			 struct hd_copy_changes *changes)
{
	const struct hd_port *port = &copy->emulator->fabric->ports[p];
	const struct port_copy new = take_port(copy->emulator, p);
	struct port_copy *old = &copy->ports[p];
	char before[40], after[40];

	if (old->peer != new.peer)
		fprintf(change(copy, changes, port->node), "port %u link %s %s\n", port->number,
			far_end(copy, old->peer, before, sizeof(before)),
			far_end(copy, new.peer, after, sizeof(after)));
	tell_number(copy, changes, p, "lid", old->lid, new.lid);
	tell_number(copy, changes, p, "lmc", old->lmc, new.lmc);
	tell_number(copy, changes, p, "vls", old->vls, new.vls);
	tell_number(copy, changes, p, "state", old->state, new.state);
	*old = new;
}

/* VL arbitration */

static void tell_entries(FILE *stream, const struct hd_vlarb_entry *entries, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(stream, "%s%u:%u", i ? "," : "", entries[i].vl, entries[i].weight);
	if (!n)
		fputc('-', stream);
}

/* "LIMIT/HIGH/LOW" */
static void tell_vlarb(FILE *stream, const struct hd_vlarb *vlarb)
{
	fprintf(stream, " %u/", vlarb->high_limit);
	tell_entries(stream, vlarb->high, vlarb->n_high);
	fputc('/', stream);
	tell_entries(stream, vlarb->low, vlarb->n_low);
}

static void compare_vlarb(struct hd_fabric_state_copy *copy, uint32_t p,
			  struct hd_copy_changes *changes)
{
	const struct hd_port *port = &copy->emulator->fabric->ports[p];
	struct hd_vlarb *old = &copy->vlarbs[p], new;
	FILE *stream;

	memset(&new, 0, sizeof(new));
	hd_emulator_vlarb(copy->emulator, p, &new);
	if (memcmp(old, &new, sizeof(new)) == 0)
		return;
	stream = change(copy, changes, port->node);
	fprintf(stream, "vlarb %u", port->number);
	tell_vlarb(stream, old);
	tell_vlarb(stream, &new);
	fputc('\n', stream);
	*old = new;
}

/* Adaptive routing */

/* Where the lines of a switch go. */
struct ar_place {
	const struct hd_fabric_state_copy *copy;
	struct hd_copy_changes *changes;
	uint32_t node;
};

static FILE *ar_line(void *context)
{
	const struct ar_place *place = context;

	return change(place->copy, place->changes, place->node);
}

static bool compare_ar(struct hd_fabric_state_copy *copy, uint32_t node,
		       struct hd_copy_changes *changes)
{
	struct ar_place place = { copy, changes, node };

	return hd_copy_ar_compare(&copy->switches[node].ar, copy->emulator->switches[node].ar,
				  copy->emulator->fabric->nodes[node].n_ports, ar_line, &place);
}

bool hd_copy_compare(struct hd_fabric_state_copy *copy, uint32_t n, unsigned parts,
		     struct hd_copy_changes *changes)
{
	const struct hd_node *node = &copy->emulator->fabric->nodes[n];
	const bool is_switch = hd_is_switch(copy->emulator->fabric, n);
	bool ok = true;

	if (is_switch && parts & HD_COPY_LFT)
		ok = compare_lft(copy, n, changes);
	if (ok && is_switch && parts & HD_COPY_MFT)
		ok = compare_mft(copy, n, changes);
	if (ok && is_switch && parts & HD_COPY_AR && copy->emulator->options.ar)
		ok = compare_ar(copy, n, changes);
	if (parts & HD_COPY_ROWS)
		compare_rows(copy, n, changes);
	for (unsigned number = is_switch ? 0 : 1; number <= node->n_ports; number++) {
		if (parts & HD_COPY_PORTS)
			compare_port(copy, node->first_port + number, changes);
		if (parts & HD_COPY_VLARB)
			compare_vlarb(copy, node->first_port + number, changes);
	}
	return ok;
}
