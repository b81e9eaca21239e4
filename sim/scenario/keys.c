// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/keys.h"

#include <string.h>

#include "sim/adaptive/selection.h"
#include "sim/model/model.h"

static const struct hd_word vlarb_policies[] = {
	{ "layers", "the lanes in use of a link share it as the layer rule prefers: most equally" },
	{ "equal", "they share it equally" },
	{ "flows", "they share it by the flows that each carries" },
	{ 0 },
};

static const struct hd_word clocks[] = {
	{ "time", "times are in picoseconds, sizes in units of 64 bytes" },
	{ "cycles", "times are in cycles, sizes in flits" },
	{ 0 },
};

static const struct hd_word rates[] = {
	{ "file", "links run at the widths and speeds that the fabric's file has" },
	{ "same", "all links of a class are alike" },
	{ 0 },
};

#define KEY(section_, key_, default_, unit_, help_, ...)                                  \
	{                                                                                 \
		.name = section_ "." key_, .option[0] = { key_, default_, unit_, help_ }, \
		__VA_ARGS__                                                               \
	}

/* The same key where run.clock is cycles. */
#define CYCLES(key_, default_, unit_) \
	.option[1] = { key_, default_, unit_, "the same where run.clock is cycles" }

/* Buffers of a port, a VC each, by the class of its link. */
#define VCS(class_, where_)                                                                    \
	KEY("switch", "vcs_" class_, "", "VCs",                                                \
	    "buffers of a port " where_ ", which damq shares; empty: as many as VLs are used", \
	    .kind = HD_VALUE_COUNT, .min = 1, .max = HD_MAX_VCS, .may_be_empty = true)

const struct hd_scenario_key hd_scenario_keys[HD_N_KEYS] = {
	[HD_FABRIC_TOPOLOGY] =
		KEY("fabric", "topology", "dragonfly:a=4,p=2,h=2", "",
		    "spec of the fabric (heddle list topologies)", .kind = HD_VALUE_TEXT),
	[HD_FABRIC_FILE] =
		KEY("fabric", "file", "", "",
		    "netfile of the fabric, or a snapshot for its fabric.net; instead of "
		    "topology",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_FABRIC_STRICT] =
		KEY("fabric", "strict", "no", "",
		    "whether an odd file is refused, instead of read as far as possible",
		    .kind = HD_VALUE_BOOL),
	[HD_FABRIC_NODE_NAME_MAP] =
		KEY("fabric", "node_name_map", "", "",
		    "file that names nodes by GUID, as infiniband-diags have them; empty: none",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_ROUTING_ENGINE] = KEY("routing", "engine", "dla", "",
				  "routing engine (heddle list engines)", .kind = HD_VALUE_NAME),
	[HD_ROUTING_OPTIONS] =
		KEY("routing", "options", "", "", "options of the engine, \"key=value key=value\"",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_ROUTING_LAYERS] =
		KEY("routing", "layers", "", "", "layer rule; empty: the engine's first",
		    .kind = HD_VALUE_NAME, .may_be_empty = true),
	[HD_ROUTING_QUEUES] = KEY("routing", "queues", "single:1", "",
				  "queue rule and number of queues", .kind = HD_VALUE_NAME),
	[HD_ROUTING_VLARB] = KEY("routing", "vlarb", "layers", "",
				 "how lanes share a link: layers (as the layer rule prefers), "
				 "equal, flows (by the flows of each)",
				 .kind = HD_VALUE_WORD, .words = vlarb_policies),
	[HD_ROUTING_MAX_VLS] = KEY("routing", "max_vls", "0", "VLs",
				   "data VLs to use at most; 0: what the links have",
				   .kind = HD_VALUE_COUNT, .max = 15),
	[HD_ROUTING_LMC] =
		KEY("routing", "lmc", "", "",
		    "2^lmc LIDs for each host; above 0, new LIDs are assigned; empty: as many as "
		    "the engine uses, unless a file has LIDs",
		    .kind = HD_VALUE_COUNT, .max = 7, .may_be_empty = true),
	[HD_ROUTING_SNAPSHOT] =
		KEY("routing", "snapshot", "", "",
		    "snapshot with the tables and their fabric; instead of an engine",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_ROUTING_CLASSES] =
		KEY("routing", "classes", "", "",
		    "class file: shares of every link for service classes (heddle-classes(5)); "
		    "empty: no service classes, or the snapshot's",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_ROUTING_ADAPTIVE] =
		KEY("routing", "adaptive", "", "",
		    "adaptive routing on top of the tables (heddle list adaptive); empty: "
		    "packets follow the tables, on the VCs of routing.vcs if these are groups",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_ROUTING_TRIGGER] =
		KEY("routing", "trigger", "", "",
		    "when packets leave the minimal path (heddle list triggers); empty: the "
		    "routing's",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_ROUTING_VCS] =
		KEY("routing", "vcs", "", "",
		    "VCs of adaptive routing (heddle list vcs): hop:L/G, of L local and G global "
		    "ones, or their order on the longest path, \"hop:l g l\"; flexvc:L/G, any of "
		    "them from which the rest of the path embeds; with those of replies, "
		    "hop:2/1+2/1, flexvc:4/2+2/1; flexvc, any VL up to the tables' (minimal "
		    "alone), flexvc:vcs=V, the same with V, of which the tables' are the last "
		    "ones; groups:FUNCTION,G, the VCs of the group that a queue rule says, then "
		    "vcs=V, escape, escape=stay or hop=L/G; tables, the VLs that the SL2VL "
		    "tables say (ar alone); empty: the routing's",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_ROUTING_SELECT] =
		KEY("routing", "select", "jsq", "",
		    "which of the open ports and VCs that routing.adaptive offers a packet takes "
		    "(heddle list selections)",
		    .kind = HD_VALUE_POLICY, .registry = &hd_selections),
	[HD_ROUTING_PROOF] =
		KEY("routing", "proof", "yes", "",
		    "whether routing.adaptive must be proved free of deadlock before a run",
		    .kind = HD_VALUE_BOOL),
	[HD_LINK_BANDWIDTH] =
		KEY("link", "bandwidth", "32Gbps", "bit/s", "data that a link carries",
		    .kind = HD_VALUE_BANDWIDTH, CYCLES("bandwidth", "1", "flits per cycle")),
	[HD_LINK_BANDWIDTH_TERMINAL] =
		KEY("link", "bandwidth_terminal", "", "bit/s",
		    "the same for hosts' links; loads are shares of it; empty: as link.bandwidth",
		    .kind = HD_VALUE_BANDWIDTH, CYCLES("bandwidth_terminal", "", "flits per cycle"),
		    .may_be_empty = true),
	[HD_LINK_BANDWIDTH_LOCAL] =
		KEY("link", "bandwidth_local", "", "bit/s",
		    "the same between switches, within groups; empty: as link.bandwidth",
		    .kind = HD_VALUE_BANDWIDTH, CYCLES("bandwidth_local", "", "flits per cycle"),
		    .may_be_empty = true),
	[HD_LINK_BANDWIDTH_GLOBAL] =
		KEY("link", "bandwidth_global", "", "bit/s",
		    "the same between groups; empty: as link.bandwidth", .kind = HD_VALUE_BANDWIDTH,
		    CYCLES("bandwidth_global", "", "flits per cycle"), .may_be_empty = true),
	[HD_LINK_RATES] =
		KEY("link", "rates", "file", "",
		    "file: links run at the widths and speeds of the fabric's file; "
		    "link.bandwidth is the rate of most hosts' links, bandwidth_local and the "
		    "like of most links of their class; same: all links of a class are alike",
		    .kind = HD_VALUE_WORD, .words = rates),
	[HD_LINK_PROPAGATION] = KEY("link", "propagation", "6ns", "time",
				    "from the start of sending to the arrival of the head",
				    .kind = HD_VALUE_TIME, CYCLES("propagation", "1", "cycles")),
	[HD_LINK_PROPAGATION_TERMINAL] =
		KEY("link", "propagation_terminal", "", "time",
		    "the same for hosts' links; empty: as link.propagation", .kind = HD_VALUE_TIME,
		    CYCLES("propagation_terminal", "", "cycles"), .may_be_empty = true),
	[HD_LINK_PROPAGATION_LOCAL] =
		KEY("link", "propagation_local", "", "time",
		    "the same between switches, within groups; empty: as link.propagation",
		    .kind = HD_VALUE_TIME, CYCLES("propagation_local", "", "cycles"),
		    .may_be_empty = true),
	[HD_LINK_PROPAGATION_GLOBAL] =
		KEY("link", "propagation_global", "", "time",
		    "the same between groups; empty: as link.propagation", .kind = HD_VALUE_TIME,
		    CYCLES("propagation_global", "", "cycles"), .may_be_empty = true),
	[HD_SWITCH_MODEL] = KEY("switch", "model", "iq", "", "switch model (heddle list switches)",
				.kind = HD_VALUE_POLICY, .registry = &hd_switch_models),
	[HD_SWITCH_SPEEDUP] = KEY("switch", "speedup", "1", "",
				  "cioq: how much faster than the links the crossbar is",
				  .kind = HD_VALUE_COUNT, .min = 1, .max = 64),
	[HD_SWITCH_VOQ] = KEY("switch", "voq", "no", "", "whether buffers have a queue per output",
			      .kind = HD_VALUE_BOOL),
	[HD_SWITCH_BUFFERING] =
		KEY("switch", "buffering", "", "",
		    "queues of a buffer (heddle list bufferings); empty: as switch.voq says",
		    .kind = HD_VALUE_POLICY, .registry = &hd_bufferings, .may_be_empty = true),
	[HD_SWITCH_BUFFER] =
		KEY("switch", "buffer", "16 packets", "packets or bytes",
		    "room of an input buffer, per VL; \"128 KiB per port\": of all VLs "
		    "that hosts' packets are on, equal parts in whole packets",
		    .kind = HD_VALUE_BUFFER, CYCLES("buffer", "16 packets", "packets or flits"),
		    .may_be_of_port = true),
	[HD_SWITCH_BUFFER_TERMINAL] =
		KEY("switch", "buffer_terminal", "", "packets or bytes",
		    "the same behind hosts' links; empty: as switch.buffer",
		    .kind = HD_VALUE_BUFFER, CYCLES("buffer_terminal", "", "packets or flits"),
		    .may_be_empty = true, .may_be_of_port = true),
	[HD_SWITCH_BUFFER_LOCAL] = KEY(
		"switch", "buffer_local", "", "packets or bytes",
		"the same behind links between switches, within groups; empty: as switch.buffer",
		.kind = HD_VALUE_BUFFER, CYCLES("buffer_local", "", "packets or flits"),
		.may_be_empty = true, .may_be_of_port = true),
	[HD_SWITCH_BUFFER_GLOBAL] =
		KEY("switch", "buffer_global", "", "packets or bytes",
		    "the same behind links between groups; empty: as switch.buffer",
		    .kind = HD_VALUE_BUFFER, CYCLES("buffer_global", "", "packets or flits"),
		    .may_be_empty = true, .may_be_of_port = true),
	[HD_SWITCH_PORT_BUFFER] = KEY(
		"switch", "port_buffer", "", "packets or bytes",
		"room of a port's input buffer, for all its VLs together; empty: switch.buffer for "
		"each VL, with hierarchical 64KiB where that is not given",
		.kind = HD_VALUE_BUFFER, CYCLES("port_buffer", "", "packets or flits"),
		.may_be_empty = true),
	[HD_SWITCH_VCS_TERMINAL] = VCS("terminal", "behind hosts' links"),
	[HD_SWITCH_VCS_LOCAL] = VCS("local", "behind links between switches, within groups"),
	[HD_SWITCH_VCS_GLOBAL] = VCS("global", "behind links between groups"),
	[HD_SWITCH_OUTPUT] = KEY(
		"switch", "output", "", "packets or bytes",
		"cioq: room of an output buffer, empty: 4 packets; hierarchical: for all its VLs "
		"together, empty: 64KiB",
		.kind = HD_VALUE_BUFFER, CYCLES("output", "", "packets or flits"),
		.may_be_empty = true),
	[HD_SWITCH_CENTRAL] =
		KEY("switch", "central", "", "packets or bytes",
		    "hierarchical: room of the central buffer of an MPort; empty: 128KiB",
		    .kind = HD_VALUE_BUFFER, CYCLES("central", "", "packets or flits"),
		    .may_be_empty = true),
	[HD_SWITCH_DAMQ] =
		KEY("switch", "damq", "", "",
		    "whether the VLs of a port share its buffers' room dynamically; empty: with "
		    "hierarchical, each with a packet at least",
		    .kind = HD_VALUE_BOOL, .may_be_empty = true),
	[HD_SWITCH_DAMQ_RESERVED] =
		KEY("switch", "damq_reserved", "0.25", "share",
		    "of what each VL would have alone, what is its own with damq",
		    .kind = HD_VALUE_SHARE, .max = 1),
	[HD_SWITCH_DAMQ_MAX] =
		KEY("switch", "damq_max", "", "share",
		    "of a port's buffer, what a VL has at most with damq; empty: 1, with "
		    "hierarchical 0.5",
		    .kind = HD_VALUE_SHARE, .min = 0x1p-20, .max = 1, .may_be_empty = true),
	[HD_SWITCH_BUBBLE] =
		KEY("switch", "bubble", "no", "",
		    "whether packets enter a ring of a torus only if there is room for two",
		    .kind = HD_VALUE_BOOL),
	[HD_SWITCH_LATENCY] = KEY("switch", "latency", "100ns", "time",
				  "from a head's arrival at a switch until it can leave",
				  .kind = HD_VALUE_TIME, CYCLES("latency", "10", "cycles")),
	[HD_SWITCH_CROSSBAR_LATENCY] =
		KEY("switch", "crossbar_latency", "0", "time",
		    "cioq: from there to the output buffer; hierarchical: through each of its "
		    "crossbars",
		    .kind = HD_VALUE_TIME, CYCLES("crossbar_latency", "0", "cycles")),
	[HD_SWITCH_ALLOCATOR] =
		KEY("switch", "allocator", "output", "",
		    "who asks first: output (outputs grant, inputs accept), input (inputs "
		    "propose, outputs choose)",
		    .kind = HD_VALUE_POLICY, .registry = &hd_allocators),
	[HD_SWITCH_ITERATIONS] = KEY("switch", "iterations", "0", "",
				     "iterations of a matching; 0: until it is maximal",
				     .kind = HD_VALUE_COUNT, .max = 255),
	[HD_SWITCH_CYCLE] =
		KEY("switch", "cycle", "", "time",
		    "from one matching to the next; empty: one unit of a link",
		    .kind = HD_VALUE_TIME, CYCLES("cycle", "", "cycles"), .may_be_empty = true),
	[HD_SWITCH_SCHEDULER] =
		KEY("switch", "scheduler", "", "",
		    "which VL leaves a port next (heddle list schedulers); empty: what the arbiter "
		    "comes with, or what the engine needs, or vlarb with service classes, or rr",
		    .kind = HD_VALUE_POLICY, .registry = &hd_schedulers, .may_be_empty = true),
	[HD_SWITCH_DTABLE] =
		KEY("switch", "dtable", "", "",
		    "the form of scheduler dtable, \"N,GMTU,w,k\" as in heddle qos plan --dtable: "
		    "entries, the greatest MTU in units of 64 bytes or flits, w and k; empty: the "
		    "least that has the shares of the service classes",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_SWITCH_WEIGHTS] =
		KEY("switch", "weights", "", "packets",
		    "of schedulers sbt and sbt-literal, \"10 30 50 5 5\": what each service class "
		    "sends in a turn, or each VL where there are no classes; empty: what has the "
		    "classes' shares, with sbt-literal 100 in all by shares",
		    .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_SWITCH_ARBITER] = KEY("switch", "arbiter", "roundrobin", "",
				  "which packets are served first (heddle list arbiters)",
				  .kind = HD_VALUE_POLICY, .registry = &hd_arbiters),
	[HD_SWITCH_TRANSIT] =
		KEY("switch", "transit", "no", "",
		    "whether packets from switches go before packets from hosts, with any arbiter",
		    .kind = HD_VALUE_BOOL),
	[HD_HOST_ADMITTANCE] =
		KEY("host", "admittance", "vl", "",
		    "queues of a host: vl, one per VL; fifo, a single one; destination, one per "
		    "destination before the injection queues, one per VL",
		    .kind = HD_VALUE_POLICY, .registry = &hd_admittances),
	[HD_HOST_INJECTION] = KEY(
		"host", "injection", "16", "packets or bytes",
		"room of an injection queue with destination; \"128 KiB per port\": of all that "
		"packets are on, equal parts in whole packets",
		.kind = HD_VALUE_BUFFER, CYCLES("injection", "16", "packets or flits"),
		.may_be_of_port = true),
	[HD_HOST_POLICY] = KEY(
		"host", "policy", "", "",
		"which of a destination's LIDs to send to: first, roundrobin and random (OSHA), "
		"leastoccupied:ties=turn (SASHA), xmitwait:interval=T (SASHA on InfiniBand), "
		"outstanding:delay=T (by what was posted); empty: what the engine is made for",
		.kind = HD_VALUE_POLICY, .registry = &hd_host_policies, .may_be_empty = true),
	[HD_HOST_VC] = KEY("host", "vc", "jsq", "",
			   "with routing.adaptive, on which VC a packet leaves its host: random, "
			   "destination (by ranges), jsq (the shortest queue), tables (those of "
			   "the tables' layer)",
			   .kind = HD_VALUE_POLICY, .registry = &hd_host_vcs),
	[HD_HOST_QUEUE] =
		KEY("host", "queue", "", "packets",
		    "that may wait at a host, which generates none meanwhile; empty: any number",
		    .kind = HD_VALUE_BUFFER, CYCLES("queue", "", "packets"), .may_be_empty = true),
	[HD_HOST_REPLIES] =
		KEY("host", "replies", "0", "packets",
		    "replies that wait at a host; while there are as many, requests wait in "
		    "the host's buffer; 0: any number",
		    .kind = HD_VALUE_COUNT, .min = 0, .max = 1000000),
	[HD_HOST_CONSUMPTION] = KEY("host", "consumption", "1", "share of a host's link",
				    "what hosts take in; the rest waits in their buffers",
				    .kind = HD_VALUE_SHARE, .min = 1e-6, .max = 1),
	[HD_HOST_SLOW] = KEY("host", "slow", "", "",
			     "hosts that host.consumption is for, \"0,5,8..12\"; empty: all",
			     .kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_TRAFFIC_PATTERN] =
		KEY("traffic", "pattern", "uniform", "", "who sends to whom (heddle list patterns)",
		    .kind = HD_VALUE_TEXT),
	[HD_TRAFFIC_LOAD] = KEY("traffic", "load", "0.5", "share of a host's link",
				"what hosts offer", .kind = HD_VALUE_SHARE, .max = 1),
	[HD_TRAFFIC_PACKET] = KEY("traffic", "packet", "4KiB", "bytes", "length of packets",
				  .kind = HD_VALUE_SIZE, CYCLES("packet", "16", "flits")),
	[HD_TRAFFIC_ARRIVAL] =
		KEY("traffic", "arrival", "poisson", "",
		    "when hosts generate packets (heddle list arrivals)", .kind = HD_VALUE_TEXT),
	[HD_TRAFFIC_REPLY] = KEY("traffic", "reply", "no", "",
				 "whether a packet that arrives makes its destination reply",
				 .kind = HD_VALUE_BOOL),
	[HD_TRAFFIC_PHASES] = KEY(
		"traffic", "phases", "", "",
		"phases: \"[PATTERN] [load=L] [packet=SIZE] [arrival=A] [until=END]\" joined by "
		"\" then \"; END is a time, or delivered:N[:CLASS], when so many packets of a "
		"class of the "
		"pattern (or any) have arrived; what a phase does not say is as above; empty: one "
		"phase",
		.kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_TRAFFIC_CLASSES] = KEY(
		"traffic", "classes", "", "",
		"classes that hosts send at once: \"NAME [share=S] [load=L] [pattern=P] "
		"[packet=SIZE] [arrival=A] [class=SERVICE]\" joined by \" then \", or a "
		"section [traffic NAME] for each; SERVICE is a class of routing.classes, or the "
		"one of the same name; what a class does not say is as above; none: there are "
		"none; empty: those of routing.classes or of the snapshot",
		.kind = HD_VALUE_TEXT, .may_be_empty = true),
	[HD_RUN_CLOCK] = KEY("run", "clock", "time", "",
			     "time: picoseconds and 64-byte units; cycles: cycles and flits",
			     .kind = HD_VALUE_WORD, .words = clocks, .single = true),
	[HD_RUN_WARMUP] =
		KEY("run", "warmup", "200us", "time", "simulated before the window of measurement",
		    .kind = HD_VALUE_TIME, CYCLES("warmup", "10000", "cycles")),
	[HD_RUN_MEASURE] = KEY(
		"run", "measure", "1ms", "time",
		"the window of measurement; auto: from T to 2T, with T doubled from run.warmup "
		"on until the window is steady",
		.kind = HD_VALUE_TIME, CYCLES("measure", "50000", "cycles"), .may_be_auto = true),
	[HD_RUN_LONGEST] = KEY("run", "longest", "64ms", "time",
			       "the latest end of a run if run.measure is auto",
			       .kind = HD_VALUE_TIME, CYCLES("longest", "3200000", "cycles")),
	[HD_RUN_SLICES] = KEY("run", "slices", "10", "", "parts of the window in the time series",
			      .kind = HD_VALUE_COUNT, .min = 2, .max = 100000),
	[HD_RUN_BUFFERS] = KEY("run", "buffers", "no", "",
			       "whether to measure how full buffers are, which takes some time",
			       .kind = HD_VALUE_BOOL),
	[HD_RUN_PARTS] = KEY("run", "parts", "no", "",
			     "whether to measure the parts of latencies, which takes some time",
			     .kind = HD_VALUE_BOOL),
	[HD_RUN_SEEDS] =
		KEY("run", "seeds", "1", "",
		    "seeds of random numbers, a run each; several give confidence intervals",
		    .kind = HD_VALUE_COUNT, .max = 0x1p53),
	[HD_RUN_SERIES] =
		KEY("run", "series", "", "time",
		    "length of the steps of heddle sim --series; one step begins with the last "
		    "phase of traffic; empty: no series",
		    .kind = HD_VALUE_TIME, CYCLES("series", "", "cycles"), .may_be_empty = true,
		    .single = true),
	[HD_PLOT_X] = KEY("plot", "x", "traffic.load", "", "key on the x axis",
			  .kind = HD_VALUE_NAME, .single = true),
	[HD_PLOT_Y] = KEY("plot", "y", "accepted, latency_mean", "",
			  "columns of results to draw, a panel each", .kind = HD_VALUE_NAME),
	[HD_PLOT_SERIES] =
		KEY("plot", "series", "", "",
		    "keys that tell curves apart; empty: every key that has several values",
		    .kind = HD_VALUE_NAME, .may_be_empty = true),
};

enum hd_key hd_scenario_key_find(const char *name)
{
	unsigned found = HD_N_KEYS;

	for (unsigned i = 0; i < HD_N_KEYS; i++) {
		if (strcmp(hd_scenario_keys[i].name, name) == 0)
			return i;
		if (strcmp(hd_scenario_keys[i].option[0].key, name) != 0)
			continue;
		if (found != HD_N_KEYS)
			return HD_N_KEYS;
		found = i;
	}
	return found;
}

int hd_word_index(const struct hd_word *words, const char *word)
{
	for (int i = 0; words[i].name; i++)
		if (strcmp(words[i].name, word) == 0)
			return i;
	return -1;
}
