// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands that show: nodes with their ports, routes, clients. */
#include <inttypes.h>

#include "simfabric/console_command.h"
#include "simfabric/emulator/link_state.h"
#include "support/error.h"

static const char *width_name(unsigned width)
{
	return width & 16 ? "2x" : width & 8 ? "12x" : width & 4 ? "8x" : width & 2 ? "4x" : "1x";
}

static const char *speed_name(const struct hd_emulator_port *state)
{
	unsigned ext = state->speed_ext_active, speed = state->speed_active;

	if (state->speed_ext2_active)
		return "212.5G";
	if (ext)
		return ext & 8 ? "106.25G" : ext & 4 ? "53.125G" : ext & 2 ? "25.8G" : "14.1G";
	return speed & 4 ? "10.0G" : speed & 2 ? "5.0G" : "2.5G";
}

static const char *state_name(unsigned state)
{
	static const char *const names[] = { "NoChange", "Down", "Init", "Armed", "Active" };

	return state < sizeof(names) / sizeof(*names) ? names[state] : "?";
}

static const char *physical_name(unsigned state)
{
	static const char *const names[] = { "NoChange",     "Sleep",  "Polling",      "Disabled",
					     "ConfTraining", "LinkUp", "ErrorRecovery" };

	return state < sizeof(names) / sizeof(*names) ? names[state] : "?";
}

static void dump_port(const struct hd_console *console, uint32_t port, FILE *out)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	const struct hd_emulator_port *state = &console->emulator->ports[port];
	const struct hd_port *wired = &fabric->ports[port];
	char label[HD_LABEL_SIZE] = "\t";

	if (!wired->number) {
		snprintf(label, sizeof(label), "\"Sma Port\"[0]");
	} else if (state->peer != HD_NONE) {
		struct hd_console_place peer = { fabric->ports[state->peer].node, state->peer };

		hd_console_label(console, &peer, label, sizeof(label));
	}
	fprintf(out, "%" PRIx64 "\t[%u]\t%s\t",
		wired->guid ? wired->guid : fabric->nodes[wired->node].guid, wired->number, label);
	if (!wired->number || !hd_is_switch(fabric, wired->node))
		fprintf(out, " lid %u lmc %u smlid %u", state->lid, state->lmc, state->sm_lid);
	fprintf(out, "  %s  %s %s/%s", width_name(state->width_active), speed_name(state),
		state_name(state->state), physical_name(state->physical));
	fputs(state->broken ? "\t# unlinked\n" : "\n", out);
}

static void dump_node(const struct hd_console *console, uint32_t node, FILE *out)
{
	static const char *const types[] = { "Switch", "Ca", "Rt" };
	const struct hd_fabric *fabric = console->emulator->fabric;
	const struct hd_node *of = &fabric->nodes[node];
	bool is_switch = hd_is_switch(fabric, node);
	char label[HD_LABEL_SIZE];

	fprintf(out, "\n%s %u \"%s\"\tnodeguid %" PRIx64 "\tsysimgguid %" PRIx64 "\n",
		types[of->type], of->n_ports, hd_node_label(fabric, node, label, sizeof(label)),
		of->guid, of->sysimg_guid ? of->sysimg_guid : of->guid);
	if (is_switch) {
		const struct hd_emulator_switch *state = &console->emulator->switches[node];

		fprintf(out, "#\tlinearcap %u FDBtop %u portchange %d%s\n",
			console->emulator->options.linear_fdb_cap, state->linear_fdb_top,
			state->port_state_change, state->down ? " down" : "");
	}
	for (unsigned number = !is_switch; number <= of->n_ports; number++)
		dump_port(console, hd_port_index(fabric, node, number), out);
}

static int dump(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err)
{
	uint32_t n = 1;

	(void)err;
	if (order->place.node != HD_NONE) {
		dump_node(console, order->place.node, out);
	} else {
		n = console->emulator->fabric->n_nodes;
		for (uint32_t node = 0; node < n; node++)
			dump_node(console, node, out);
	}
	fprintf(out, "#  dumped %" PRIu32 " nodes\n", n);
	return 0;
}

/* The port by which the node of @port sends packets to @lid; 0: there is none. */
static unsigned way_out(const struct hd_emulator *emulator, uint32_t port, uint64_t lid)
{
	uint32_t node = emulator->fabric->ports[port].node;
	const struct hd_emulator_switch *state;

	if (!hd_is_switch(emulator->fabric, node))
		return emulator->fabric->ports[port].number;
	state = &emulator->switches[node];
	if (lid >= state->lft_size || lid > state->linear_fdb_top ||
	    state->lft[lid] > emulator->fabric->nodes[node].n_ports)
		return 0;
	return state->lft[lid];
}

static int route(struct hd_console *console, const struct hd_order *order, FILE *out,
		 struct hd_error *err)
{
	const struct hd_emulator *emulator = console->emulator;
	const struct hd_fabric *fabric = emulator->fabric;
	uint32_t port = hd_console_port_of_lid(emulator, order->number);
	uint32_t to = hd_console_port_of_lid(emulator, order->number2);
	char label[HD_LABEL_SIZE];

	if (port == HD_NONE || to == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "no port has LID %" PRIu64,
				    port == HD_NONE ? order->number : order->number2);
	fprintf(out, "From node \"%s\" port %u lid %" PRIu64 "\n",
		hd_node_label(fabric, fabric->ports[port].node, label, sizeof(label)),
		fabric->ports[port].number, order->number);
	for (uint32_t hops = 0; fabric->ports[port].node != fabric->ports[to].node; hops++) {
		struct hd_console_place place = { fabric->ports[port].node, HD_NONE };
		unsigned out_port = way_out(emulator, port, order->number2);
		uint32_t link = hd_port_index(fabric, place.node, out_port);

		if (!out_port || !hd_link_is_up(emulator, link) || hops > fabric->n_switches) {
			hd_console_label(console, &place, label, sizeof(label));
			fprintf(out, "no route: %s %s\n", label,
				hops > fabric->n_switches ? "is on a loop"
				: out_port                ? "sends it to a link that is down"
							  : "has no entry for it");
			return 0;
		}
		port = emulator->ports[link].peer;
		place = (struct hd_console_place){ fabric->ports[port].node, port };
		fprintf(out, "[%u] -> %s\n", out_port,
			hd_console_label(console, &place, label, sizeof(label)));
	}
	fprintf(out, "To node \"%s\" port %u lid %" PRIu64 "\n",
		hd_node_label(fabric, fabric->ports[to].node, label, sizeof(label)),
		fabric->ports[to].number, order->number2);
	return 0;
}

struct listing {
	const struct hd_console *console;
	FILE *out;
	unsigned n;
};

static void list_client(void *context, const struct hd_client_info *info)
{
	struct listing *listing = context;
	const struct hd_fabric *fabric = listing->console->emulator->fabric;
	struct hd_console_place place = { fabric->ports[info->port].node, info->port };
	char label[HD_LABEL_SIZE];

	fprintf(listing->out,
		"Client %" PRIu32 ": at %s, lid %u, %" PRIu64 " MADs sent, %" PRIu64 " received",
		info->id, hd_console_label(listing->console, &place, label, sizeof(label)),
		listing->console->emulator->ports[info->port].lid, info->sent, info->received);
	if (info->refused)
		fprintf(listing->out, ", %" PRIu64 " lost", info->refused);
	fputs(info->issm ? " SM\n" : "\n", listing->out);
	listing->n++;
}

static int attached(struct hd_console *console, const struct hd_order *order, FILE *out,
		    struct hd_error *err)
{
	struct listing listing = { .console = console, .out = out };

	(void)order;
	(void)err;
	hd_clients_each(console->clients, list_client, &listing);
	fprintf(out, "#  %u clients\n", listing.n);
	return 0;
}

const struct hd_console_command hd_console_show_commands[] = {
	{ "Dump", "N", "[\"node\"]", "show a node, or all, with the state of their ports", dump },
	{ "Route", "ii", "FROM-LID TO-LID", "follow the LFTs; nodes' names are taken for LIDs",
	  route },
	{ "Attached", "", "", "list the clients", attached },
	{ 0 }
};
