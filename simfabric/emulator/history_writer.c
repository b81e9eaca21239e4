// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/history_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/netfile.h"
#include "simfabric/emulator/copy.h"
#include "simfabric/emulator/watch.h"
#include "support/error.h"

#define NS_PER_S UINT64_C(1000000000)

struct hd_history {
	struct hd_emulator *emulator;
	struct hd_watcher watcher;
	FILE *file;
	char *path;
	struct hd_error err; /* the first that occurred; nothing is written any more */

	struct hd_fabric_state_copy *copy;

	uint32_t *touched; /* nodes */
	uint32_t n_touched;
	bool *is_touched;
};

/* What a Set of @attribute may change. */
static unsigned parts_of(unsigned attribute)
{
	switch (attribute) {
	case HD_ATTRIBUTE_SWITCH_INFO:
		return HD_COPY_LFT;
	case HD_ATTRIBUTE_LINEAR_TABLE: /* switches adaptive routing off */
	case HD_ATTRIBUTE_AR_LINEAR_TABLE:
		return HD_COPY_LFT | HD_COPY_AR;
	case HD_ATTRIBUTE_AR_INFO:
	case HD_ATTRIBUTE_AR_GROUP_TABLE:
	case HD_ATTRIBUTE_HBF_CONFIG:
	case HD_ATTRIBUTE_EXTENDED_NODE_INFO:
	case HD_ATTRIBUTE_EXTENDED_SWITCH_INFO:
	case HD_ATTRIBUTE_HIERARCHY_INFO:
		return HD_COPY_AR;
	case HD_ATTRIBUTE_MULTICAST_TABLE:
		return HD_COPY_MFT;
	case HD_ATTRIBUTE_SL2VL_TABLE:
		return HD_COPY_ROWS;
	case HD_ATTRIBUTE_VLARB_TABLE:
		return HD_COPY_VLARB;
	case HD_ATTRIBUTE_PORT_INFO:
	case HD_ATTRIBUTE_EXTENDED_PORT_INFO:
		return HD_COPY_PORTS | HD_COPY_VLARB;
	default:
		return 0;
	}
}

static const char *attribute_name(unsigned attribute, char *buffer, size_t size)
{
	switch (attribute) {
	case HD_ATTRIBUTE_LINEAR_TABLE:
		return "LinearForwardingTable";
	case HD_ATTRIBUTE_SWITCH_INFO:
		return "SwitchInfo";
	case HD_ATTRIBUTE_AR_LINEAR_TABLE:
		return "ARLinearForwardingTable";
	case HD_ATTRIBUTE_AR_INFO:
		return "AdaptiveRoutingInfo";
	case HD_ATTRIBUTE_AR_GROUP_TABLE:
		return "ARGroupTable";
	case HD_ATTRIBUTE_HBF_CONFIG:
		return "HBFConfig";
	case HD_ATTRIBUTE_EXTENDED_NODE_INFO:
		return "ExtendedNodeInfo";
	case HD_ATTRIBUTE_EXTENDED_SWITCH_INFO:
		return "ExtendedSwitchInfo";
	case HD_ATTRIBUTE_HIERARCHY_INFO:
		return "HierarchyInfo";
	case HD_ATTRIBUTE_MULTICAST_TABLE:
		return "MulticastForwardingTable";
	case HD_ATTRIBUTE_SL2VL_TABLE:
		return "SLtoVLMappingTable";
	case HD_ATTRIBUTE_VLARB_TABLE:
		return "VLArbitrationTable";
	case HD_ATTRIBUTE_PORT_INFO:
		return "PortInfo";
	case HD_ATTRIBUTE_PKEY_TABLE:
		return "P_KeyTable";
	case HD_ATTRIBUTE_GUID_INFO:
		return "GUIDInfo";
	default:
		snprintf(buffer, size, "0x%04x", attribute);
		return buffer;
	}
}

static void tell_occurrence(const struct hd_history *history, const struct hd_occurrence *what)
{
	static const char *const names[] = {
		[HD_OCCURRED_SET] = "set",       [HD_OCCURRED_PLUG] = "plug",
		[HD_OCCURRED_UNPLUG] = "unplug", [HD_OCCURRED_ON] = "on",
		[HD_OCCURRED_OFF] = "off",       [HD_OCCURRED_CONSOLE] = "console",
	};
	const struct hd_emulator *emulator = history->emulator;
	char name[8];

	fprintf(history->file, "%s %" PRIu64 ".%09" PRIu64 " 0x%016" PRIx64, names[what->kind],
		emulator->now / NS_PER_S, emulator->now % NS_PER_S,
		emulator->fabric->nodes[what->node].guid);
	if (what->port != HD_NONE)
		fprintf(history->file, " %u", emulator->fabric->ports[what->port].number);
	if (what->kind == HD_OCCURRED_SET)
		fprintf(history->file, " %s 0x%x 0x%x",
			attribute_name(what->attribute, name, sizeof(name)), what->modifier,
			what->status);
}

static void touched(void *context, uint32_t node)
{
	struct hd_history *history = context;

	if (history->is_touched[node])
		return;
	history->is_touched[node] = true;
	history->touched[history->n_touched++] = node;
}

static void note_failure(struct hd_history *history, int error)
{
	if (history->err.code)
		return;
	if (error == ENOMEM)
		hd_error_nomem(&history->err);
	else
		hd_error_at(&history->err, HD_EIO, history->path, 0, "%s", strerror(error));
}

/*
 * Writes a record: what happened, or @what NULL: what there was at first. Nodes that were touched
 * are compared.
 */
static void write_record(struct hd_history *history, const struct hd_occurrence *what)
{
	struct hd_copy_changes changes = { .node = HD_NONE };
	char *text = NULL;
	size_t size;
	bool ok = true;

	changes.stream = open_memstream(&text, &size);
	if (!changes.stream) {
		note_failure(history, ENOMEM);
		return;
	}
	if (what && what->kind == HD_OCCURRED_SET)
		changes.node = what->node; /* the first line names it */
	for (uint32_t i = 0; i < history->n_touched; i++) {
		const uint32_t node = history->touched[i];
		const bool is_set = what && what->kind == HD_OCCURRED_SET && node == what->node;

		ok = hd_copy_compare(history->copy, node,
				     is_set ? parts_of(what->attribute) : HD_COPY_ALL, &changes) &&
		     ok;
		history->is_touched[node] = false;
	}
	history->n_touched = 0;
	if (fclose(changes.stream) || !ok) {
		note_failure(history, ENOMEM);
	} else {
		if (what)
			tell_occurrence(history, what);
		else
			fprintf(history->file, "begin %" PRIu64 ".%09" PRIu64,
				history->emulator->now / NS_PER_S,
				history->emulator->now % NS_PER_S);
		fprintf(history->file, " %lu\n", changes.n);
		if (size)
			fwrite(text, 1, size, history->file);
		if (fflush(history->file))
			note_failure(history, errno);
	}
	free(text);
}

static void happened(void *context, const struct hd_occurrence *what)
{
	struct hd_history *history = context;

	if (history->err.code) {
		for (uint32_t i = 0; i < history->n_touched; i++)
			history->is_touched[history->touched[i]] = false;
		history->n_touched = 0;
		return;
	}
	write_record(history, what);
}

/* The fabric, as a netfile between two lines. */
static int write_fabric(struct hd_history *history, struct hd_error *err)
{
	size_t size, n = 0;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &size);
	int ret;

	if (!stream)
		return hd_error_nomem(err);
	ret = hd_netfile_write(history->emulator->fabric, stream, err);
	if (fclose(stream) && !ret)
		ret = hd_error_nomem(err);
	for (size_t i = 0; !ret && i < size; i++)
		n += text[i] == '\n';
	if (!ret)
		fprintf(history->file, "heddle-history 1\nfabric %zu\n%s", n, text);
	free(text);
	return ret;
}

static bool allocate(struct hd_history *history)
{
	const size_t n_nodes = history->emulator->fabric->n_nodes;

	history->copy = hd_copy_new(history->emulator);
	history->touched = calloc(n_nodes + 1, sizeof(*history->touched));
	history->is_touched = calloc(n_nodes + 1, sizeof(*history->is_touched));
	return history->copy && history->touched && history->is_touched;
}

static void destroy(struct hd_history *history)
{
	hd_copy_free(history->copy);
	free(history->touched);
	free(history->is_touched);
	free(history->path);
	free(history);
}

int hd_history_start(struct hd_emulator *emulator, const char *path, struct hd_history **result,
		     struct hd_error *err)
{
	struct hd_history *history = calloc(1, sizeof(*history));
	int ret;

	*result = NULL;
	if (!history)
		return hd_error_nomem(err);
	history->emulator = emulator;
	history->watcher =
		(struct hd_watcher){ .touched = touched, .happened = happened, .context = history };
	history->path = strdup(path);
	if (!history->path || !allocate(history)) {
		destroy(history);
		return hd_error_nomem(err);
	}
	history->file = fopen(path, "we");
	if (!history->file) {
		ret = hd_error_at(err, HD_EIO, path, 0, "%s", strerror(errno));
		destroy(history);
		return ret;
	}
	ret = write_fabric(history, err);
	for (uint32_t n = 0; !ret && n < emulator->fabric->n_nodes; n++)
		touched(history, n);
	if (!ret)
		write_record(history, NULL);
	hd_watch(emulator, &history->watcher);
	if (!ret && !history->err.code) {
		*result = history;
		return 0;
	}
	return ret ? (hd_history_end(history, NULL), ret) : hd_history_end(history, err);
}

int hd_history_end(struct hd_history *history, struct hd_error *err)
{
	int ret;

	if (!history)
		return 0;
	hd_watch_leave(history->emulator, &history->watcher);
	if (fclose(history->file))
		note_failure(history, errno);
	ret = history->err.code;
	if (err && ret)
		*err = history->err;
	destroy(history);
	return ret;
}
