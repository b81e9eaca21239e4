// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/fabric.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"

void hd_fabric_free(struct hd_fabric *fabric)
{
	if (!fabric)
		return;
	free(fabric->nodes);
	free(fabric->ports);
	free(fabric->lids);
	free(fabric->endports);
	free(fabric->names);
	free(fabric);
}

uint32_t hd_fabric_find_node(const struct hd_fabric *fabric, uint64_t guid)
{
	const uint32_t parts[] = { 0, fabric->n_switches, fabric->n_nodes };

	for (int part = 0; part < 2; part++) {
		uint32_t low = parts[part], high = parts[part + 1];

		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (fabric->nodes[middle].guid < guid)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < parts[part + 1] && fabric->nodes[low].guid == guid)
			return low;
	}
	return HD_NONE;
}

uint32_t hd_fabric_find_port(const struct hd_fabric *fabric, uint64_t guid)
{
	uint32_t low = 0, high = fabric->n_endports;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (fabric->ports[fabric->endports[middle]].guid < guid)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < fabric->n_endports && fabric->ports[fabric->endports[low]].guid == guid)
		return fabric->endports[low];
	return HD_NONE;
}

static int find_number(const struct hd_fabric *fabric, const char *what, uint32_t *node,
		       struct hd_error *err)
{
	uint64_t number;
	uint32_t port;
	int ret;

	ret = hd_parse_number(what, "node", 0, UINT64_MAX, &number, err);
	if (ret)
		return ret;
	if (number <= HD_MAX_LID) {
		if (number <= fabric->top_lid && fabric->lids[number].port != HD_NONE) {
			*node = fabric->ports[fabric->lids[number].port].node;
			return 0;
		}
		return hd_error_set(err, HD_ENOTFOUND, "no port has LID %" PRIu64, number);
	}
	*node = hd_fabric_find_node(fabric, number);
	if (*node != HD_NONE)
		return 0;
	port = hd_fabric_find_port(fabric, number);
	if (port == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "no node or port has GUID 0x%016" PRIx64,
				    number);
	*node = fabric->ports[port].node;
	return 0;
}

/*
 * The node that ibnetdiscover's name in quotes, "S-0002c90200400001", means; HD_NONE: @what is no
 * such name.
 */
static uint32_t find_id(const struct hd_fabric *fabric, const char *what)
{
	static const char letters[] = { [HD_SWITCH] = 'S', [HD_CA] = 'H', [HD_ROUTER] = 'R' };
	uint64_t guid;
	uint32_t node;

	if (!what[0] || what[1] != '-' || strlen(what) != 18 ||
	    strspn(what + 2, "0123456789abcdefABCDEF") != 16)
		return HD_NONE;
	guid = strtoull(what + 2, NULL, 16);
	node = hd_fabric_find_node(fabric, guid);
	return node != HD_NONE && letters[fabric->nodes[node].type] == what[0] ? node : HD_NONE;
}

/* How much of a node's name a user has given. */
enum name_match {
	MATCH_START, /* "lassen3" of "lassen30 HCA-1" */
	MATCH_WORDS, /* "lassen30" of it, as hosts are called everywhere else */
	MATCH_ALL,
};

static bool is_in_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '-' || c == '_' || (unsigned char)c >= 0x80;
}

static bool matches(const char *name, const char *what, size_t length, enum name_match match)
{
	if (strncmp(name, what, length) != 0)
		return false;
	if (match == MATCH_START)
		return true;
	return match == MATCH_ALL ? !name[length] : !is_in_word(name[length]);
}

/* The number of nodes that @what means by @match; the first one goes to @first. */
static uint32_t count_matches(const struct hd_fabric *fabric, const char *what,
			      enum name_match match, uint32_t *first)
{
	size_t length = strlen(what);
	uint32_t n_found = 0;

	*first = HD_NONE;
	hd_for_each_node(n, fabric) {
		if (!length || !matches(hd_node_name(fabric, n), what, length, match))
			continue;
		if (!n_found++)
			*first = n;
	}
	return n_found;
}

#define N_CANDIDATES 4

/* "'lassen30 HCA-1' (0x0002c903004e26b0), ... and 3 more": those that @what may mean. */
static void list_candidates(const struct hd_fabric *fabric, const char *what, enum name_match match,
			    uint32_t n_found, char *text, size_t size)
{
	size_t used = 0;
	unsigned n_told = 0;

	hd_for_each_node(n, fabric) {
		if (n_told == N_CANDIDATES || used >= size)
			break;
		if (!matches(hd_node_name(fabric, n), what, strlen(what), match))
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s'%.60s' (0x%016" PRIx64 ")",
					 n_told ? ", " : "", hd_node_name(fabric, n),
					 fabric->nodes[n].guid);
		n_told++;
	}
	if (n_found > n_told && used < size)
		snprintf(text + used, size - used, " and %" PRIu32 " more", n_found - n_told);
}

int hd_fabric_find(const struct hd_fabric *fabric, const char *what, uint32_t *node,
		   struct hd_error *err)
{
	enum name_match match = MATCH_ALL;
	uint32_t n_found = count_matches(fabric, what, match, node);
	char candidates[512];

	if (!n_found) {
		uint64_t number;

		*node = find_id(fabric, what);
		if (*node != HD_NONE)
			return 0;
		if (hd_parse_number(what, "node", 0, UINT64_MAX, &number, NULL) != HD_EINVAL)
			return find_number(fabric, what, node, err);
		match = MATCH_WORDS;
		n_found = count_matches(fabric, what, match, node);
	}
	if (n_found == 1)
		return 0;
	if (!n_found) {
		match = MATCH_START;
		n_found = count_matches(fabric, what, match, node);
	}
	*node = HD_NONE;
	if (!n_found)
		return hd_error_set(err, HD_ENOTFOUND, "no node is named '%s'", what);
	list_candidates(fabric, what, match, n_found, candidates, sizeof(candidates));
	if (match == MATCH_ALL)
		return hd_error_set(err, HD_ENOTFOUND,
				    "several nodes are named '%.60s': give a GUID or LID: %s", what,
				    candidates);
	return hd_error_set(err, HD_ENOTFOUND, "no node is named '%.60s'; there %s %s", what,
			    n_found == 1 ? "is" : "are", candidates);
}

/* The LID of a switch, or of the first port of another node that has one; 0: there is none. */
static unsigned lid_of(const struct hd_fabric *fabric, uint32_t node)
{
	for (unsigned number = 0; number <= fabric->nodes[node].n_ports; number++) {
		unsigned lid = fabric->ports[hd_port_index(fabric, node, number)].lid;

		if (lid)
			return lid;
	}
	return 0;
}

const char *hd_ports_label(const struct hd_fabric *fabric, uint32_t n, const char *port,
			   char *buffer, size_t size)
{
	const struct hd_node *node = &fabric->nodes[n];
	const char *name = hd_node_name(fabric, n);
	unsigned lid = node->shares_name ? lid_of(fabric, n) : 0;

	if (!*name)
		snprintf(buffer, size, "0x%016" PRIx64 "%s", node->guid, port);
	else if (!node->shares_name)
		snprintf(buffer, size, "%s%s", name, port);
	else if (lid)
		snprintf(buffer, size, "%s%s (0x%016" PRIx64 ", LID %u)", name, port, node->guid,
			 lid);
	else
		snprintf(buffer, size, "%s%s (0x%016" PRIx64 ")", name, port, node->guid);
	return hd_make_printable(buffer);
}

const char *hd_node_label(const struct hd_fabric *fabric, uint32_t node, char *buffer, size_t size)
{
	return hd_ports_label(fabric, node, "", buffer, size);
}

const char *hd_port_label(const struct hd_fabric *fabric, uint32_t port, char *buffer, size_t size)
{
	char number[16];

	snprintf(number, sizeof(number), "[%u]", fabric->ports[port].number);
	return hd_ports_label(fabric, fabric->ports[port].node, number, buffer, size);
}
