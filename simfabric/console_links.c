// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands that break and mend links and switches, and lose or delay MADs. */
#include <inttypes.h>

#include "simfabric/console_command.h"
#include "simfabric/emulator/mad_faults.h"
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/power.h"
#include "simfabric/emulator/watch.h"
#include "support/error.h"

static int link_ports(struct hd_console *console, const struct hd_order *order, FILE *out,
		      struct hd_error *err)
{
	char a[HD_LABEL_SIZE], b[HD_LABEL_SIZE];

	hd_console_label(console, &order->place, a, sizeof(a));
	hd_console_label(console, &order->other, b, sizeof(b));
	if (!hd_link_plug(console->emulator, order->place.port, order->other.port))
		return hd_error_set(err, HD_EINVAL,
				    "%s and %s cannot be linked: one has a link, or is no physical "
				    "port",
				    a, b);
	fprintf(out, "linked %s and %s\n", a, b);
	return 0;
}

/* Applies @change to the ports of an order, and tells how many were changed. */
static int change_links(struct hd_console *console, const struct hd_order *order, FILE *out,
			bool (*change)(struct hd_emulator *emulator, uint32_t port),
			const char *done, const char *why_not, struct hd_error *err)
{
	uint32_t end, n = 0;
	char label[HD_LABEL_SIZE];

	for (uint32_t port = hd_console_ports(console, &order->place, &end); port < end; port++)
		n += change(console->emulator, port);
	hd_console_label(console, &order->place, label, sizeof(label));
	if (!n)
		return hd_error_set(err, HD_EINVAL, "%s %s", label, why_not);
	if (order->place.port != HD_NONE)
		fprintf(out, "%s %s\n", done, label);
	else
		fprintf(out, "%s %s: %" PRIu32 " links\n", done, label, n);
	return 0;
}

static int unlink_ports(struct hd_console *console, const struct hd_order *order, FILE *out,
			struct hd_error *err)
{
	return change_links(console, order, out, hd_link_unplug, "unlinked", "has no link", err);
}

static int relink_ports(struct hd_console *console, const struct hd_order *order, FILE *out,
			struct hd_error *err)
{
	return change_links(console, order, out, hd_link_replug, "linked again",
			    "has no link that was taken away, or its other end is in use", err);
}

static bool clear(struct hd_emulator *emulator, uint32_t port)
{
	struct hd_emulator_port *state = &emulator->ports[port];
	const uint32_t node = emulator->fabric->ports[port].node;

	hd_watch_begin(emulator);
	state->lid = 0;
	state->lmc = 0;
	state->sm_lid = 0;
	state->sm_sl = 0;
	state->mkey = 0;
	state->mkey_protect = 0;
	memset(&emulator->errors[port], 0, sizeof(emulator->errors[port]));
	memset(&emulator->counters[port * (size_t)HD_EMULATOR_VLS], 0,
	       HD_EMULATOR_VLS * sizeof(*emulator->counters));
	emulator->xmit_waits[port] = 0;
	hd_watch_touch(emulator, node);
	hd_link_unplug(emulator, port);
	hd_watch_end(emulator, &(struct hd_occurrence){
				       .kind = HD_OCCURRED_CONSOLE, .node = node, .port = port });
	return true;
}

static int clear_ports(struct hd_console *console, const struct hd_order *order, FILE *out,
		       struct hd_error *err)
{
	/* port 0 of a switch has its LID and key */
	if (order->place.port == HD_NONE &&
	    hd_is_switch(console->emulator->fabric, order->place.node))
		clear(console->emulator,
		      hd_port_index(console->emulator->fabric, order->place.node, 0));
	return change_links(console, order, out, clear, "cleared", "has no port", err);
}

static int turn_off(struct hd_console *console, const struct hd_order *order, FILE *out,
		    struct hd_error *err)
{
	char label[HD_LABEL_SIZE];

	if (order->place.port != HD_NONE)
		return unlink_ports(console, order, out, err);
	hd_console_label(console, &order->place, label, sizeof(label));
	if (!hd_node_off(console->emulator, order->place.node))
		return hd_error_set(err, HD_EINVAL, "%s is down already", label);
	fprintf(out, "%s is down\n", label);
	return 0;
}

static int turn_on(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err)
{
	char label[HD_LABEL_SIZE];

	if (order->place.port != HD_NONE)
		return relink_ports(console, order, out, err);
	hd_console_label(console, &order->place, label, sizeof(label));
	if (!hd_node_on(console->emulator, order->place.node))
		return hd_error_set(err, HD_EINVAL, "%s is up already", label);
	fprintf(out, "%s is up\n", label);
	return 0;
}

static int flap(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err)
{
	char label[HD_LABEL_SIZE];
	int ret =
		hd_fault_flap(console->emulator, order->place.port, order->time, order->time2, err);

	if (ret)
		return ret;
	hd_console_label(console, &order->place, label, sizeof(label));
	if (!order->time && !order->time2)
		fprintf(out, "%s flaps no more\n", label);
	else
		fprintf(out, "%s flaps: %g s up, %g s down\n", label, (double)order->time / 1e9,
			(double)order->time2 / 1e9);
	return 0;
}

static int drop(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err)
{
	const struct hd_console_place *place = &order->place;
	char label[HD_LABEL_SIZE] = "every port";
	uint32_t port, end;
	int ret = 0;

	if (place->node == HD_NONE) {
		ret = hd_fault_drop(console->emulator, HD_NONE, order->share, err);
	} else {
		hd_console_label(console, place, label, sizeof(label));
		for (port = hd_console_ports(console, place, &end); port < end && !ret; port++)
			ret = hd_fault_drop(console->emulator, port, order->share, err);
	}
	if (!ret)
		fprintf(out, "%s loses %g%% of the MADs that it sends\n", label,
			100 * order->share);
	return ret;
}

static int delay(struct hd_console *console, const struct hd_order *order, FILE *out,
		 struct hd_error *err)
{
	const bool is_of_node = order->place.node != HD_NONE;
	char label[HD_LABEL_SIZE];
	int ret;

	if (order->place.port != HD_NONE)
		return hd_error_set(err, HD_EINVAL, "a node is slow, not a port of it");
	ret = is_of_node ? hd_fault_slow(console->emulator, order->place.node, order->time, err)
			 : hd_fault_delay(console->emulator, order->time, err);
	if (ret)
		return ret;
	if (is_of_node)
		fprintf(out, "%s acts on SMPs %g ms after they come\n",
			hd_console_label(console, &order->place, label, sizeof(label)),
			(double)order->time / 1e6);
	else
		fprintf(out, "MADs of clients arrive %g ms later\n", (double)order->time / 1e6);
	return 0;
}

static int refuse(struct hd_console *console, const struct hd_order *order, FILE *out,
		  struct hd_error *err)
{
	char label[HD_LABEL_SIZE];
	int ret;

	if (order->place.port != HD_NONE)
		return hd_error_set(err, HD_EINVAL, "a node refuses Sets, not a port of it");
	if (order->number > UINT32_MAX)
		return hd_error_set(err, HD_ERANGE, "so many Sets never come");
	ret = hd_fault_refuse(console->emulator, order->place.node, (uint32_t)order->number, err);
	if (!ret)
		fprintf(out, "%s refuses the next %" PRIu64 " Sets of LFTs and SL2VL tables\n",
			hd_console_label(console, &order->place, label, sizeof(label)),
			order->number);
	return ret;
}

static int shuffle(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err)
{
	const uint64_t seed = order->number == HD_CONSOLE_ABSENT ? console->emulator->options.seed
								 : order->number;
	int ret = hd_fault_shuffle(console->emulator, order->time, seed, err);

	if (ret)
		return ret;
	if (order->time)
		fprintf(out,
			"switches act on each SMP within %g ms, in any order, by seed %" PRIu64
			"\n",
			(double)order->time / 1e6, seed);
	else
		fputs("switches act on SMPs in order\n", out);
	return 0;
}

static int error_rate(struct hd_console *console, const struct hd_order *order, FILE *out,
		      struct hd_error *err)
{
	if (order->number != HD_CONSOLE_ABSENT)
		return hd_error_set(err, HD_EINVAL, "losses by attribute are not emulated");
	return drop(console, order, out, err);
}

const struct hd_console_command hd_console_link_commands[] = {
	{ "Link", "pp", "\"node\"[port] \"other\"[port]", "plug a cable between two free ports",
	  link_ports },
	{ "ReLink", "n", "\"node\"[port] | \"node\"", "plug back what was wired there",
	  relink_ports },
	{ "Unlink", "n", "\"node\"[port] | \"node\"", "take away the link, or all of the node's",
	  unlink_ports },
	{ "Clear", "n", "\"node\"[port] | \"node\"",
	  "take away links, and forget LIDs, keys and counters", clear_ports },
	{ "Error", "ncU", "\"node\"[port] | \"node\" PERCENT",
	  "lose a share of the MADs that the port sends", error_rate },
	{ "Down", "n", "\"node\" | \"node\"[port]", "turn a node off, or break a link", turn_off },
	{ "Up", "n", "\"node\" | \"node\"[port]",
	  "turn it on again as after power-up, or mend the link", turn_on },
	{ "Flap", "ptt", "\"node\"[port] UP DOWN",
	  "up for a time, down for a time, for ever; 0 0: no more", flap },
	{ "Drop", "Ns", "[\"node\"[port] | \"node\"] SHARE",
	  "lose a share (0.01 or 1%) of the MADs that the port, or every port, sends", drop },
	{ "Delay", "Nt", "[\"node\"] TIME",
	  "let MADs of clients arrive later, or a node act later on SMPs; 0: at once", delay },
	{ "Shuffle", "tU", "TIME [SEED]",
	  "let each SMP wait at its switch for a random time, so that they overtake one another; "
	  "0: they do not",
	  shuffle },
	{ "Refuse", "nu", "\"node\" COUNT",
	  "let the node refuse the next Sets of LFTs and SL2VL tables; 0: it does not", refuse },
	{ 0 }
};
