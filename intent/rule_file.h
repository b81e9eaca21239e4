/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rule files (heddle-rules(5)): what an administrator wants of the paths of a fabric. A file has
 * sets of nodes and rules about the paths between two sets. A rule makes several demands, each of
 * which has a verdict of its own. The reader knows no fabric; intent/rule_sets.h finds the nodes.
 */
#ifndef HD_INTENT_RULE_FILE_H
#define HD_INTENT_RULE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;

#define HD_RULE_NAME 44 /* with its NUL; with "rule " before it, what support/ini.h keeps */

/* What a line of a set says. */
enum hd_term_kind {
	HD_TERM_NODES,   /* a pattern of names, or a GUID */
	HD_TERM_SETS,    /* another set */
	HD_TERM_KIND,    /* low: enum hd_node_type */
	HD_TERM_RAIL,    /* low to high, and so are the following */
	HD_TERM_GROUP,   /* of a dragonfly or Dragonfly+ */
	HD_TERM_LEVEL,   /* of the switch */
	HD_TERM_PORT,    /* port number of the end port */
	HD_TERM_LEAF,    /* a pattern of the switch's name */
	HD_TERM_EXCEPT,  /* a pattern of names, or a GUID */
	HD_TERM_WITHOUT, /* another set */
	HD_N_TERMS
};

struct hd_term {
	enum hd_term_kind kind;
	unsigned line;
	uint32_t low, high;
	uint32_t set; /* index in sets[] */
	char *text;   /* pattern; NULL: none */
};

/* The sets that every file has. */
enum { HD_SET_HOSTS, HD_SET_SWITCHES, HD_SET_ALL, HD_N_OWN_SETS };

struct hd_rule_set {
	char name[HD_RULE_NAME];
	unsigned line; /* 0: one of those that every file has */
	uint32_t first_term, n_terms;
	uint32_t at_least; /* nodes */
};

enum hd_demand_kind {
	HD_DEMAND_REACHABLE, /* every path arrives; every rule has this one or the next, first */
	HD_DEMAND_ISOLATED,  /* no path arrives */
	HD_DEMAND_MAX_HOPS,  /* number */
	HD_DEMAND_MIN_HOPS,
	HD_DEMAND_AVOID,         /* set */
	HD_DEMAND_VIA,           /* set */
	HD_DEMAND_STAY_IN_RAIL,  /* of pairs of ports of one rail */
	HD_DEMAND_STAY_IN_GROUP, /* of pairs of ports of one group */
	HD_DEMAND_STAY_IN_SET,   /* set */
	HD_DEMAND_SLS,           /* number: a mask */
	HD_DEMAND_DISJOINT,      /* the LIDs of a port; shares */
	HD_DEMAND_REDUNDANT,     /* number of spines, fails */
	HD_DEMAND_MAX_LOAD,      /* factor */
	HD_DEMAND_MAX_FLOWS,     /* number */
	HD_N_DEMANDS
};

/* Parts of a fabric that fail, or that paths share: a mask. */
enum { HD_PART_LINKS = 1, HD_PART_SWITCHES = 2 };

struct hd_demand {
	enum hd_demand_kind kind;
	unsigned line;
	uint32_t rule;
	uint32_t set;
	uint32_t number;
	double factor;
	unsigned parts; /* that fail, or may not be shared; 0: none fails */
};

struct hd_rule {
	char name[HD_RULE_NAME];
	unsigned line;
	uint32_t from, to; /* sets */
	uint32_t spines;   /* a set; HD_NONE: the highest switch of a path is its spine */
	unsigned spines_line;
	bool base_lids; /* of the LIDs of a port, only the lowest counts */
	bool together;  /* redundancy is that of all ports of `to` together */
	uint32_t first_demand, n_demands;
};

struct hd_rules {
	char *file;
	uint32_t n_sets, n_terms, n_rules, n_demands;
	struct hd_rule_set *sets;
	struct hd_term *terms;
	struct hd_rule *rules;
	struct hd_demand *demands; /* by rule */
};

/*
 * Reads @text, the contents of the file @name. Free with hd_rules_free(). HD_EPARSE with file and
 * line; HD_ENOMEM.
 */
int hd_rules_parse(const char *name, const char *text, size_t size, struct hd_rules **rules,
		   struct hd_error *err);

/* The same of a file. HD_EIO too. */
int hd_rules_read(const char *path, struct hd_rules **rules, struct hd_error *err);
void hd_rules_free(struct hd_rules *rules);

/* The word of a demand in rule files: "max_hops". */
const char *hd_demand_word(const struct hd_demand *demand);

#endif
