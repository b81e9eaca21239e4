// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/saturation.h"

#include <string.h>

#include "vlarb/vlarb.h"

/* Packets after which a server that has not come back to where it began is taken as it is. */
#define MOST_PACKETS (1u << 18)

/* Which entry of a table has its turn, and what is left of its weight. */
struct turn {
	unsigned entry;
	int left;
};

struct server {
	const struct hd_vlarb *vlarb;
	uint16_t vls;
	const uint8_t *packet;
	struct turn low, high;
	int high_left;
};

/* Whether the table has an entry for the server. */
static bool serves(const struct server *server, const struct hd_vlarb_entry *entries, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (entries[i].weight && server->vls >> entries[i].vl & 1)
			return true;
	return false;
}

/* The VL of the next packet from a table that has an entry for the server. */
static unsigned take(const struct server *server, const struct hd_vlarb_entry *entries, unsigned n,
		     struct turn *turn)
{
	unsigned vl;

	while (!turn->left) {
		turn->entry = (turn->entry + 1) % n;
		if (server->vls >> entries[turn->entry].vl & 1)
			turn->left = entries[turn->entry].weight;
	}
	vl = entries[turn->entry].vl;
	/* a packet is sent whole, though the weight ends within it */
	turn->left = turn->left > server->packet[vl] ? turn->left - server->packet[vl] : 0;
	return vl;
}

static int allowance(const struct hd_vlarb *vlarb)
{
	return vlarb->high_limit ? vlarb->high_limit * HD_VLARB_LIMIT_UNITS : 1;
}

static unsigned next_packet(struct server *server, bool has_low, bool has_high)
{
	const struct hd_vlarb *vlarb = server->vlarb;
	unsigned vl;

	if (has_high &&
	    (!has_low || vlarb->high_limit == HD_VLARB_NO_LIMIT || server->high_left > 0)) {
		vl = take(server, vlarb->high, vlarb->n_high, &server->high);
		server->high_left = server->high_left > server->packet[vl]
					    ? server->high_left - server->packet[vl]
					    : 0;
		return vl;
	}
	server->high_left = allowance(vlarb);
	return take(server, vlarb->low, vlarb->n_low, &server->low);
}

/* Whether both servers will do the same from now on. */
static bool is_same(const struct server *one, const struct server *other, bool has_low,
		    bool has_high)
{
	if (has_low && (one->low.entry != other->low.entry || one->low.left != other->low.left))
		return false;
	if (has_high &&
	    (one->high.entry != other->high.entry || one->high.left != other->high.left))
		return false;
	return !has_low || !has_high || one->vlarb->high_limit == HD_VLARB_NO_LIMIT ||
	       one->high_left == other->high_left;
}

void hd_vlarb_backlog(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet,
		      struct hd_backlog *backlog)
{
	struct server server = { .vlarb = vlarb, .vls = vls, .packet = packet }, begin;
	const bool has_low = serves(&server, vlarb->low, vlarb->n_low);
	const bool has_high = serves(&server, vlarb->high, vlarb->n_high);
	uint64_t ended[HD_MAX_VLS], sent[HD_MAX_VLS] = { 0 }, now = 0, all = 0;
	unsigned rounds = 0, last = HD_MAX_VLS;
	uint16_t seen = 0;

	memset(backlog, 0, sizeof(*backlog));
	memset(backlog->gap, 0xff, sizeof(backlog->gap));
	if (!has_low && !has_high)
		return;
	server.low.entry = vlarb->n_low - 1u;
	server.high.entry = vlarb->n_high - 1u;
	server.high_left = allowance(vlarb);
	begin = server;
	/* shares are those of the first round, gaps those of two: every lane has sent before */
	for (unsigned n = 0; n < MOST_PACKETS && rounds < 2; n++) {
		const unsigned vl = next_packet(&server, has_low, has_high);
		const bool is_turn = vl != last;

		if (is_turn && seen >> vl & 1 &&
		    (backlog->gap[vl] == UINT32_MAX || now - ended[vl] > backlog->gap[vl]))
			backlog->gap[vl] = (uint32_t)(now - ended[vl]);
		now += packet[vl];
		ended[vl] = now;
		seen |= (uint16_t)(1u << vl);
		last = vl;
		if (!rounds) {
			sent[vl] += packet[vl];
			all += packet[vl];
		}
		/* the first packets may be those of a way into the round */
		if (n == MOST_PACKETS / 4 && !rounds) {
			begin = server;
			memset(sent, 0, sizeof(sent));
			all = 0;
		} else if (is_same(&server, &begin, has_low, has_high)) {
			rounds++;
		}
	}
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
		backlog->share[vl] = all ? (double)sent[vl] / (double)all : 0;
		if (seen >> vl & 1 && backlog->gap[vl] == UINT32_MAX)
			backlog->gap[vl] = 0; /* it sends alone */
	}
}
