/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libheddle: routes and lanes for InfiniBand fabrics, and the proof that they are free of credit
 * loops, for programs. docs/library.md has an introduction, libheddle(3) a page.
 *
 * Fabrics and tables are opaque and do not change: a function that changes a fabric makes another
 * one. They are counted references. Tables keep their fabric, so you may free them in any order.
 * Threads may use the same fabric or tables at the same time, and free their own references. Free a
 * reference once.
 *
 * Functions that can fail return an enum heddle_status, 0 for success, and give the reason of a
 * failure in a struct heddle_error, which may be NULL. They store results through a pointer, and
 * NULL if they fail. The library prints nothing, ends no program and catches no signal.
 *
 * A later release may add members to the end of structs that begin with `size`. Callers begin with
 * the initialiser of the struct, which sets `size` and zeroes the rest: 0 and NULL are defaults. An
 * older library refuses a request in which members that it does not know are not 0. A struct
 * without `size` never changes. If a request may be NULL, NULL means all defaults.
 *
 * Nodes and ports are numbers: nodes from 0, switches first, in ascending order of GUIDs; ports
 * from 0 over all nodes, where port n of a node is node.first_port + n. The same fabric has the
 * same numbers, from whatever file it was read.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_API __attribute__((visibility("default")))

#define HEDDLE_NONE       UINT32_MAX /* no node, no port */
#define HEDDLE_NO_PATH    255u       /* LFT entry that leads nowhere */
#define HEDDLE_NO_SL      255u       /* no path SL: hosts get no path record */
#define HEDDLE_PATH_SL    255u       /* stands for the SL of path records */
#define HEDDLE_MAX_ROUNDS 64         /* most rounds of a change */

/* Statuses. Later releases may have more. */
enum heddle_status {
	HEDDLE_OK = 0,
	HEDDLE_NO = 1,        /* the answer is no: not sound, different, not recognised, no more
				 items */
	HEDDLE_BAD_INPUT = 2, /* a file, spec, option or argument is invalid */
	HEDDLE_NO_MEMORY = 3,
	HEDDLE_IO = 4,        /* a file or directory cannot be read or written */
	HEDDLE_NOT_FOUND = 5, /* a named thing does not exist */
	HEDDLE_REFUSED = 6,   /* an engine does not serve the fabric, or there are too few lanes */
	HEDDLE_RANGE = 7      /* a number is outside what InfiniBand or this library can have */
};

/* Why a function failed. The struct never changes. */
struct heddle_error {
	enum heddle_status status;
	uint32_t line;   /* of the file; 0: none */
	char file[256];  /* "": none */
	char text[1272]; /* "FILE:LINE: what is wrong": one printable line without full stop */
};

/* The version of the library, "0.3.0". */
HEDDLE_API const char *heddle_version(void);

/* What @status means, in a few words. */
HEDDLE_API const char *heddle_status_text(enum heddle_status status);

/* ---- Fabrics: nodes, ports, links and LIDs ---- */

struct heddle_fabric;

/* How files are read. */
struct heddle_open_request {
	size_t size;
	int strict; /* 1: refuse files with oddities; 0: read what is readable, with notes */
	const char *node_name_map; /* file of names by GUID, as infiniband-diags have; or NULL */
	const char *netfile;       /* of heddle_tables_open(): the fabric; NULL: fabric.net */
};
#define HEDDLE_OPEN_REQUEST_INIT                                  \
	{                                                         \
		sizeof(struct heddle_open_request), 0, NULL, NULL \
	}

/*
 * Reads the fabric in @path: a netfile (the output of ibnetdiscover), lists of ibdiagnet or OpenSM,
 * or a snapshot directory; also packed files; "-" is standard input. If @path is no file and looks
 * like a spec, it is built as by heddle_fabric_build(). @request may be NULL. Free with
 * heddle_fabric_free(). HEDDLE_IO, HEDDLE_BAD_INPUT with file and line, HEDDLE_RANGE,
 * HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_fabric_open(const char *path,
						 const struct heddle_open_request *request,
						 struct heddle_fabric **fabric,
						 struct heddle_error *error);

/*
 * Builds the topology @spec, "dragonfly:a=4,p=2,h=2" (docs/topologies.md), without LIDs. Free with
 * heddle_fabric_free(). HEDDLE_BAD_INPUT, HEDDLE_RANGE, HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_fabric_build(const char *spec, struct heddle_fabric **fabric,
						  struct heddle_error *error);

enum heddle_node_type { HEDDLE_SWITCH, HEDDLE_HOST, HEDDLE_ROUTER };

/* Signalling rate of a lane. */
enum heddle_speed {
	HEDDLE_SPEED_UNKNOWN,
	HEDDLE_SDR,
	HEDDLE_DDR,
	HEDDLE_QDR,
	HEDDLE_FDR10,
	HEDDLE_FDR,
	HEDDLE_EDR,
	HEDDLE_HDR,
	HEDDLE_NDR,
	HEDDLE_XDR
};

/* A node to make. The struct never changes. */
struct heddle_new_node {
	const char *name;  /* at most 255 bytes; NULL: "" */
	uint64_t guid;     /* unique; 0: it follows from the node's place in the array */
	uint32_t type;     /* enum heddle_node_type */
	uint32_t n_ports;  /* 0: as many as its links need; at most 254 */
	uint32_t lid;      /* base LID; 0: none */
	uint32_t reserved; /* 0 */
};

/* A link to make. Nodes are places in the array. The struct never changes. */
struct heddle_new_link {
	uint32_t node, peer;
	uint8_t port, peer_port; /* 0: the next number above all given ones */
	uint8_t width;           /* lanes: 1, 2, 4, 8 or 12; 0: 4 */
	uint8_t speed;           /* enum heddle_speed; 0: HEDDLE_HDR */
	uint8_t vls;             /* data VLs, 1-15; 0: 8 */
	uint8_t reserved[3];     /* 0 */
};

/*
 * Makes a fabric of @n_nodes nodes and @n_links links, in any order. Free with
 * heddle_fabric_free(). HEDDLE_BAD_INPUT: a GUID, LID or port that is used twice, or a link to
 * no node; HEDDLE_RANGE; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_fabric_make(const struct heddle_new_node *nodes,
						 size_t n_nodes,
						 const struct heddle_new_link *links,
						 size_t n_links, struct heddle_fabric **fabric,
						 struct heddle_error *error);

struct heddle_lid_request {
	size_t size;
	const char *sm; /* node on which the subnet manager runs; NULL: the first host by name */
	unsigned lmc;   /* hosts get 2^lmc LIDs: 0-7 */
};
#define HEDDLE_LID_REQUEST_INIT                            \
	{                                                  \
		sizeof(struct heddle_lid_request), NULL, 0 \
	}

/*
 * Makes @fabric with LIDs assigned anew, as OpenSM does on a fresh fabric. @request may be NULL.
 * Free *@result with heddle_fabric_free(). HEDDLE_NOT_FOUND: no such node; HEDDLE_RANGE: too few
 * LIDs; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_fabric_assign_lids(const struct heddle_fabric *fabric,
							const struct heddle_lid_request *request,
							struct heddle_fabric **result,
							struct heddle_error *error);

/* Links and switches that fail. Arrays stay the caller's. */
struct heddle_fail_request {
	size_t size;
	const uint32_t *links; /* ports, either end of each link */
	size_t n_links;
	const uint32_t *switches; /* nodes */
	size_t n_switches;
};
#define HEDDLE_FAIL_REQUEST_INIT                                     \
	{                                                            \
		sizeof(struct heddle_fail_request), NULL, 0, NULL, 0 \
	}

/*
 * Makes @fabric without some links and switches; hosts that lose their last link are left out, too.
 * GUIDs and LIDs stay, numbers of nodes and ports do not. Free *@result with heddle_fabric_free().
 * HEDDLE_BAD_INPUT: a port without a link, a node that is no switch; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_fabric_fail(const struct heddle_fabric *fabric,
						 const struct heddle_fail_request *request,
						 struct heddle_fabric **result,
						 struct heddle_error *error);

/*
 * Writes @fabric to @path ("-": standard output) as a netfile, whole or not at all. HEDDLE_IO;
 * HEDDLE_BAD_INPUT: a port has a number of data VLs that netfiles cannot express; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_fabric_write(const struct heddle_fabric *fabric,
						  const char *path, struct heddle_error *error);

/* Gives up a reference; NULL is fine. */
HEDDLE_API void heddle_fabric_free(struct heddle_fabric *fabric);

struct heddle_fabric_info {
	size_t size;
	uint32_t n_nodes, n_switches; /* nodes 0 .. n_switches - 1 are the switches */
	uint32_t n_ports;             /* of all nodes, also port 0 of each */
	uint32_t n_links;
	uint32_t top_lid;  /* highest LID in use; 0: none */
	const char *notes; /* lines about oddities of the file; "": none. The string is the
			      fabric's */
};
#define HEDDLE_FABRIC_INFO_INIT                                        \
	{                                                              \
		sizeof(struct heddle_fabric_info), 0, 0, 0, 0, 0, NULL \
	}

/* HEDDLE_BAD_INPUT: @info has no size. */
HEDDLE_API enum heddle_status heddle_fabric_info(const struct heddle_fabric *fabric,
						 struct heddle_fabric_info *info,
						 struct heddle_error *error);

struct heddle_node {
	size_t size;
	uint64_t guid;
	const char *name; /* bytes as in the file, maybe not printable. The string is the
			     fabric's */
	uint32_t type;    /* enum heddle_node_type */
	uint32_t first_port;
	uint32_t n_ports; /* the highest port number */
	uint32_t lid;     /* base LID of a switch, or of a host's first port with a link; 0: none */
};
#define HEDDLE_NODE_INIT                                        \
	{                                                       \
		sizeof(struct heddle_node), 0, NULL, 0, 0, 0, 0 \
	}

/* Node @number of @fabric. HEDDLE_RANGE: there is no such node. */
HEDDLE_API enum heddle_status heddle_fabric_node(const struct heddle_fabric *fabric,
						 uint32_t number, struct heddle_node *node,
						 struct heddle_error *error);

struct heddle_port {
	size_t size;
	uint64_t guid; /* 0: none, as of switch ports other than port 0 */
	uint32_t node;
	uint32_t number; /* 0: a switch's own port; unused on a host */
	uint32_t peer;   /* port at the other end of the link; HEDDLE_NONE: no link */
	uint32_t lid;    /* base LID; 0: none */
	uint8_t lmc;
	uint8_t width; /* lanes; 0: not known */
	uint8_t speed; /* enum heddle_speed */
	uint8_t vls;   /* data VLs */
};
#define HEDDLE_PORT_INIT                                              \
	{                                                             \
		sizeof(struct heddle_port), 0, 0, 0, 0, 0, 0, 0, 0, 0 \
	}

/*
 * Port @number of all ports of @fabric. A link joins two ports, and each is the other's peer.
 * HEDDLE_RANGE: there is no such port.
 */
HEDDLE_API enum heddle_status heddle_fabric_port(const struct heddle_fabric *fabric,
						 uint32_t number, struct heddle_port *port,
						 struct heddle_error *error);

/*
 * The node that @what names: its name, GUID ("0x..."), LID, or the first words of its name.
 * HEDDLE_NOT_FOUND: no node, or several, which the error lists.
 */
HEDDLE_API enum heddle_status heddle_fabric_find(const struct heddle_fabric *fabric,
						 const char *what, uint32_t *node,
						 struct heddle_error *error);

enum heddle_shape_kind {
	HEDDLE_SHAPE_NONE,
	HEDDLE_SHAPE_TRIVIAL,        /* one switch, or two */
	HEDDLE_SHAPE_DRAGONFLY,      /* sizes: a, p, h, groups */
	HEDDLE_SHAPE_DRAGONFLY_PLUS, /* leaves, spines, hosts, h, groups */
	HEDDLE_SHAPE_FAT_TREE,       /* switches of each level, leaves first */
	HEDDLE_SHAPE_GRID,           /* of each dimension: meshes, tori, HyperX, KNS */
	HEDDLE_SHAPE_SLIM_FLY,       /* q, p */
	HEDDLE_SHAPE_POLARFLY        /* q, p */
};

struct heddle_shape {
	size_t size;
	uint32_t kind;       /* enum heddle_shape_kind */
	uint32_t is_perfect; /* nothing is missing or odd */
	uint32_t n_sizes;
	uint32_t sizes[16];
	char text[256]; /* "torus 8x8" */
};
#define HEDDLE_SHAPE_INIT                                    \
	{                                                    \
		sizeof(struct heddle_shape), 0, 0, 0, { 0 }, \
		{                                            \
			0                                    \
		}                                            \
	}

/*
 * The topology of @fabric, from its links alone. HEDDLE_NO: it has none of these, with the reason;
 * HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_shape_find(const struct heddle_fabric *fabric,
						struct heddle_shape *shape,
						struct heddle_error *error);

/* ---- Tables: LFTs, SL2VL tables, path SLs, VL arbitration ---- */

struct heddle_tables;

struct heddle_engine {
	size_t size;
	const char *name; /* NULL: before the first. Strings are the library's and stay */
	const char *summary;
	const char *layers; /* its default layer rule */
	uint32_t lmc;       /* LMC that its routes use */
};
#define HEDDLE_ENGINE_INIT                                        \
	{                                                         \
		sizeof(struct heddle_engine), NULL, NULL, NULL, 0 \
	}

/*
 * The engine after @engine->name, by name; begin with the initialiser. HEDDLE_NO: there are no
 * more, and @engine is as at the beginning.
 */
HEDDLE_API enum heddle_status heddle_engine_next(struct heddle_engine *engine,
						 struct heddle_error *error);

struct heddle_route_request {
	size_t size;
	const char *engine;  /* heddle_engine_next() has the names; NULL: "heddle" chooses */
	const char *options; /* of the engine, "key=value key=value"; or NULL */
	const char *layers;  /* layer rule; NULL: the engine's */
	const char *queues;  /* queue rule and number of queues, "xordet:4"; NULL: one queue */
	const char *classes; /* file of service classes (heddle-classes(5)); or NULL */
	const char *vlarb;   /* how lanes share links: "layers", "equal", "flows"; NULL: layers */
	unsigned vlarb_cap;  /* entries of a VL arbitration table, 1-64; 0: 8 */
	unsigned max_vls;    /* most data VLs to use, 1-15; 0: those that links have */
	/*
	 * tables before a change of the fabric, whose path SLs and lanes stay where they serve; or
	 * NULL
	 */
	const struct heddle_tables *previous;
};
#define HEDDLE_ROUTE_REQUEST_INIT                                                              \
	{                                                                                      \
		sizeof(struct heddle_route_request), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, \
			NULL                                                                   \
	}

/*
 * Computes tables for @fabric. If @fabric has no LIDs, the tables' fabric is a copy with LIDs
 * (heddle_tables_fabric()). Deterministic, for any number of threads. The tables are not proved:
 * call heddle_check(). Free with heddle_tables_free(). HEDDLE_REFUSED: the engine or the lanes
 * refuse, with the reason; HEDDLE_BAD_INPUT: no such engine, option or rule; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_route(const struct heddle_fabric *fabric,
					   const struct heddle_route_request *request,
					   struct heddle_tables **tables,
					   struct heddle_error *error);

/*
 * Reads a snapshot, or the directory of OpenSM's dumps. @request may be NULL. Free with
 * heddle_tables_free(). HEDDLE_IO, HEDDLE_BAD_INPUT with file and line, HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_tables_open(const char *directory,
						 const struct heddle_open_request *request,
						 struct heddle_tables **tables,
						 struct heddle_error *error);

/*
 * Writes a snapshot, which heddle_tables_open() and the heddle command read, whole or not at all. A
 * directory that exists has to be empty or a snapshot. Dumps of more than 2,097,152 lines are
 * packed ("heddle convert --opensm" makes plain ones for other programs). HEDDLE_IO,
 * HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_tables_write(const struct heddle_tables *tables,
						  const char *directory,
						  struct heddle_error *error);

/* Another reference to the fabric of @tables. Free it with heddle_fabric_free(). */
HEDDLE_API struct heddle_fabric *heddle_tables_fabric(const struct heddle_tables *tables);

struct heddle_tables_info {
	size_t size;
	/* How the tables were made; NULL: not known. Strings are the tables' */
	const char *engine, *layers, *queues, *options;
	const char *notes;       /* lines about oddities, missing files and kept lanes; "": none */
	uint32_t top_lid;        /* highest LID in use */
	uint32_t n_switches;     /* switches with an LFT */
	uint32_t lanes_are_kept; /* heddle_route() with `previous`: hosts may keep their path SLs */
};
#define HEDDLE_TABLES_INFO_INIT                                                          \
	{                                                                                \
		sizeof(struct heddle_tables_info), NULL, NULL, NULL, NULL, NULL, 0, 0, 0 \
	}

/* HEDDLE_BAD_INPUT: @info has no size. */
HEDDLE_API enum heddle_status heddle_tables_info(const struct heddle_tables *tables,
						 struct heddle_tables_info *info,
						 struct heddle_error *error);

/* The tables that heddle_tables_get() reads. */
enum heddle_table {
	HEDDLE_TABLE_LFT,   /* out-port of switch `node` for `lid`; HEDDLE_NO_PATH: nowhere */
	HEDDLE_TABLE_SL2VL, /* VL at switch `node` from port `in` to port `out` for `sl`; at a host,
			       of its port `out`. 15: packets are dropped */
	HEDDLE_TABLE_PATH_SL /* SL of path records from host or switch port `port` (of all ports)
				to `lid`; HEDDLE_NO_SL: there is none */
};

struct heddle_table_query {
	size_t size;
	uint32_t table; /* enum heddle_table */
	uint32_t node, lid, in, out, sl, port;
};
#define HEDDLE_TABLE_QUERY_INIT                                        \
	{                                                              \
		sizeof(struct heddle_table_query), 0, 0, 0, 0, 0, 0, 0 \
	}

/* HEDDLE_RANGE: no such node, port, LID or SL. */
HEDDLE_API enum heddle_status heddle_tables_get(const struct heddle_tables *tables,
						const struct heddle_table_query *query,
						uint32_t *value, struct heddle_error *error);

/*
 * The LFT of switch @node: @ports[LID], for LIDs below @n, is an out-port or HEDDLE_NO_PATH. Above
 * the highest LID in use it is HEDDLE_NO_PATH. HEDDLE_RANGE: no switch.
 */
HEDDLE_API enum heddle_status heddle_tables_lft(const struct heddle_tables *tables, uint32_t node,
						uint8_t *ports, size_t n,
						struct heddle_error *error);

/* Gives up a reference; NULL is fine. */
HEDDLE_API void heddle_tables_free(struct heddle_tables *tables);

/* A node on the path of a packet. The struct never changes. */
struct heddle_hop {
	uint32_t node;
	uint8_t in;  /* port number; 0 at the source */
	uint8_t out; /* 0 at the destination; if the packet is lost there, the LFT entry */
	uint8_t vl;  /* on the link that leaves by `out` */
	uint8_t reserved;
};

/*
 * The path from the port with LID @source to LID @destination with SL @sl (HEDDLE_PATH_SL: that of
 * path records). *@n gets the number of hops, both ends included; @hops gets the first @capacity of
 * them. HEDDLE_NO: packets are lost at the last hop, with the reason; HEDDLE_RANGE: no such LID or
 * SL; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_path(const struct heddle_tables *tables, uint32_t source,
					  uint32_t destination, uint32_t sl,
					  struct heddle_hop *hops, size_t capacity, size_t *n,
					  struct heddle_error *error);

/* ---- Questions to tables ---- */

struct heddle_check_request {
	size_t size;
	int hosts_only;   /* 1: only flows of hosts; 0: also flows from and to switches */
	int all_sls;      /* 1: a flow may use any SL; 0: its path SL */
	int reversed_sl;  /* 1: also the SL of the opposite direction */
	unsigned max_vls; /* a VL at or above this is a failure; 0: the links' own VLs */
	/* old tables, which nodes may still hold: all mixtures are proved, also of packets to end
	 * ports that have failed since; or NULL */
	const struct heddle_tables *before;
};
#define HEDDLE_CHECK_REQUEST_INIT                                     \
	{                                                             \
		sizeof(struct heddle_check_request), 0, 0, 0, 0, NULL \
	}

enum heddle_failure {
	HEDDLE_SOUND,
	HEDDLE_NO_ROUTE,     /* an entry is missing, or its port has no link */
	HEDDLE_FORWARD_LOOP, /* LFTs send packets round in a circle: a forwarding loop */
	HEDDLE_DROPPED,      /* SL2VL tables drop packets */
	HEDDLE_STARVED,      /* VL arbitration never serves a VL in use */
	HEDDLE_CREDIT_LOOP,  /* packets wait for one another in a circle */
	HEDDLE_NOT_COVERED   /* none of these, but LFTs of some switches are not known */
};

/*
 * A channel of a credit loop, and a flow that holds it and waits for the next. The struct never
 * changes.
 */
struct heddle_channel {
	uint32_t port; /* that sends into it */
	uint32_t vl;
	uint32_t source; /* port of the flow */
	uint32_t lid;    /* destination */
	uint32_t sl;
	uint32_t reserved;
};

struct heddle_check_result {
	size_t size;
	uint32_t failure;                /* enum heddle_failure: the first that was found */
	uint32_t sls, vls;               /* SLs in use; the highest VL in use + 1 */
	uint32_t max_hops;               /* links between switches on the longest path */
	uint64_t channels, dependencies; /* of the channel dependency graph */
	struct heddle_channel
		*cycle;        /* in: the caller's array for a shortest credit loop, or NULL */
	size_t cycle_capacity; /* in: its length */
	size_t n_cycle;        /* channels of the loop, even if the array is shorter */
	char text[1024];       /* one printable line about all failures */
};
#define HEDDLE_CHECK_RESULT_INIT                                                  \
	{                                                                         \
		sizeof(struct heddle_check_result), 0, 0, 0, 0, 0, 0, NULL, 0, 0, \
		{                                                                 \
			0                                                         \
		}                                                                 \
	}

/*
 * Proves that every flow arrives and that no packets can wait for one another in a circle. @request
 * and @result may be NULL. HEDDLE_NO: the tables are not sound, as @result and @error say;
 * HEDDLE_BAD_INPUT: no port has a LID, or options do not go together; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_check(const struct heddle_tables *tables,
					   const struct heddle_check_request *request,
					   struct heddle_check_result *result,
					   struct heddle_error *error);

struct heddle_load_result {
	size_t size;
	uint64_t n_flows;    /* pairs of hosts with a flow that arrives */
	uint64_t n_lost;     /* pairs of hosts with a flow that does not arrive */
	uint64_t total_hops; /* links between switches, over all flows that arrive */
	uint32_t max_hops;
	uint32_t busiest;      /* most flows on a link between switches, in one direction */
	uint32_t busiest_port; /* port that sends into this link; HEDDLE_NONE: there is none */
};
#define HEDDLE_LOAD_RESULT_INIT                                     \
	{                                                           \
		sizeof(struct heddle_load_result), 0, 0, 0, 0, 0, 0 \
	}

/*
 * Counts the flows that leave by each port, one flow for every ordered pair of hosts' ports (base
 * LIDs). @flows[port] is set for the first @n ports; @flows may be NULL if @n is 0. @result may be
 * NULL. HEDDLE_BAD_INPUT: no port has a LID; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_load(const struct heddle_tables *tables, uint32_t *flows,
					  size_t n, struct heddle_load_result *result,
					  struct heddle_error *error);

struct heddle_diff_result {
	size_t size;
	uint32_t nodes_added, nodes_removed, links_added, links_removed, lids_changed;
	uint32_t vlarb_ports;             /* ports with another VL arbitration */
	uint64_t pairs;                   /* ordered pairs of hosts' ports that both fabrics have */
	uint64_t pairs_path, pairs_sl;    /* of them: with another path; with another SL */
	uint64_t pairs_vl, pairs_changed; /* another VL on the same path; any of these */
	uint64_t pairs_lost, pairs_gained;
	uint64_t lft_entries, lft_blocks, sl2vl_rows; /* that differ */
};
#define HEDDLE_DIFF_RESULT_INIT                                                                   \
	{                                                                                         \
		sizeof(struct heddle_diff_result), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 \
	}

/*
 * Compares two tables. Their fabrics may differ, too: GUIDs identify nodes. @result may be NULL.
 * HEDDLE_OK: they are equal; HEDDLE_NO: they differ; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_diff(const struct heddle_tables *before,
					  const struct heddle_tables *after,
					  struct heddle_diff_result *result,
					  struct heddle_error *error);

/* A round of a change: parts that change in any order. The struct never changes. */
struct heddle_round {
	uint64_t entries, rows;                 /* LFT entries, SL2VL rows that get new values */
	uint64_t dropped_entries, dropped_rows; /* LFT entries that lead nowhere, rows that drop,
						   from this round on */
	uint64_t pairs_lost;                    /* pairs of hosts without a path after this round */
	uint32_t nodes;                         /* nodes with any change */
	uint32_t path_sls;                      /* 1: hosts may take new path SLs */
};

/* What a round changes of tables for adaptive routing. */
struct heddle_round_sets {
	uint64_t port_sets;            /* entries that lose or get port sets */
	uint64_t private_entries;      /* entries of private LFTs */
	uint64_t map_rows, vl2vl_rows; /* rows of maps to private LFTs, of VL2VL */
};

struct heddle_change_result {
	size_t size;
	struct heddle_round *rounds; /* in: the caller's array, or NULL */
	size_t rounds_capacity;      /* in: its length; HEDDLE_MAX_ROUNDS always suffices */
	size_t n_rounds;             /* 0: nothing changes */
	uint32_t is_at_once;         /* every mixture is sound: the order does not matter */
	uint32_t old_loops;          /* the old tables have a loop: round 1 is not proved */
	uint64_t pairs_lost;         /* of the worst round */
	/* in: an array of the caller's of rounds_capacity, for the same rounds; or NULL */
	struct heddle_round_sets *round_sets;
};
#define HEDDLE_CHANGE_RESULT_INIT                                              \
	{                                                                      \
		sizeof(struct heddle_change_result), NULL, 0, 0, 0, 0, 0, NULL \
	}

/*
 * Plans rounds in which nodes can get from @before to @after without a forwarding loop or a credit
 * loop on the way; every round is proved. @result may be NULL. HEDDLE_NO: there are no such rounds,
 * with the reason; HEDDLE_BAD_INPUT: LIDs were renumbered, or LFTs are not known; HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_change_plan(const struct heddle_tables *before,
						 const struct heddle_tables *after,
						 struct heddle_change_result *result,
						 struct heddle_error *error);

/* ---- The performance model ---- */

/* The rows of a simulation. */
struct heddle_sim;

struct heddle_sim_request {
	size_t size;
	const char *scenario; /* text of heddle-scenario(5), "[traffic]\nload = 0.1:1:0.1" */
	/* tables for the simulated switches; NULL: those of the scenario's fabric and engine */
	const struct heddle_tables *tables;
	unsigned jobs; /* threads: for runs side by side, then within runs; 0: 1 */
};
#define HEDDLE_SIM_REQUEST_INIT                                  \
	{                                                        \
		sizeof(struct heddle_sim_request), NULL, NULL, 0 \
	}

/*
 * Runs the scenario: a row for every combination of values and every seed. A deadlock is a result,
 * not an error: column `deadlock` is 1. Free *@sim with heddle_sim_free(). HEDDLE_BAD_INPUT with
 * the line of the scenario; HEDDLE_REFUSED: an engine refuses, or adaptive routing is not proved;
 * HEDDLE_NO_MEMORY.
 */
HEDDLE_API enum heddle_status heddle_sim_run(const struct heddle_sim_request *request,
					     struct heddle_sim **sim, struct heddle_error *error);

struct heddle_column {
	size_t size;
	const char *name; /* "traffic.load", "seed", "accepted". Strings are the result's */
	const char *unit; /* "": none */
	const char *help; /* one line */
	uint32_t is_text; /* a value as the scenario has it */
	uint32_t is_flag; /* 0 or 1 */
	size_t n_rows;    /* of every column */
};
#define HEDDLE_COLUMN_INIT                                              \
	{                                                               \
		sizeof(struct heddle_column), NULL, NULL, NULL, 0, 0, 0 \
	}

/*
 * Column @number, from 0: first the keys with several values in the scenario, then `seed`, then
 * results (heddle list results). HEDDLE_NO: there is no such column.
 */
HEDDLE_API enum heddle_status heddle_sim_column(const struct heddle_sim *sim, uint32_t number,
						struct heddle_column *column,
						struct heddle_error *error);

/*
 * The text of a cell, or "". *@value (or NULL) gets its number, or NaN if it is no number or was
 * not measured. Returns NULL if there is no such cell. The text belongs to @sim.
 */
HEDDLE_API const char *heddle_sim_cell(const struct heddle_sim *sim, size_t row, uint32_t column,
				       double *value);

/*
 * Lines that a user should read: credit loops, starved lanes. "": none. The text belongs to @sim.
 */
HEDDLE_API const char *heddle_sim_notes(const struct heddle_sim *sim);

/* NULL is fine. */
HEDDLE_API void heddle_sim_free(struct heddle_sim *sim);

#ifdef __cplusplus
}
#endif

#endif
