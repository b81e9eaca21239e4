// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/history.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/netfile.h"
#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"
#include "tables/tables.h"

#define MOST_WORDS   8
#define MOST_CHANGES ((uint64_t)1 << 32)
#define NS_DIGITS    9
#define NS_PER_S     UINT64_C(1000000000)
#define MOST_SECONDS (UINT64_MAX / NS_PER_S - 1)
#define MOST_FIELD   UINT16_MAX
#define MOST_TEXT    HD_TEXT_MAX
#define STATE_LEAST  1
#define STATE_MOST   4

struct hd_history_reader {
	FILE *stream;
	char *name;
	char *line; /* without its end */
	size_t size, length;
	unsigned number; /* of the line */
	bool has_end;    /* the line ended; the last one may not */
	bool has_begun;
	unsigned cut;
	struct hd_fabric *fabric;
	struct hd_history_record record;
	size_t capacity; /* of its changes */
};

static const char *const kind_names[HD_HISTORY_KINDS] = {
	[HD_HISTORY_BEGIN] = "begin",     [HD_HISTORY_SET] = "set", [HD_HISTORY_PLUG] = "plug",
	[HD_HISTORY_UNPLUG] = "unplug",   [HD_HISTORY_ON] = "on",   [HD_HISTORY_OFF] = "off",
	[HD_HISTORY_CONSOLE] = "console",
};

const char *hd_history_kind_name(enum hd_history_kind kind)
{
	return kind_names[kind];
}

#define bad_line(reader, err, ...) \
	hd_error_at((err), HD_EPARSE, (reader)->name, (reader)->number, __VA_ARGS__)

/* 1: a line; 0: the end; else an error. */
static int read_line(struct hd_history_reader *reader, struct hd_error *err)
{
	ssize_t n;

	errno = 0;
	n = getline(&reader->line, &reader->size, reader->stream);
	if (n < 0 && errno == ENOMEM)
		return hd_error_nomem(err);
	if (n < 0 && ferror(reader->stream))
		return hd_error_at(err, HD_EIO, reader->name, 0, "%s", strerror(errno));
	if (n < 0)
		return 0;
	reader->number++;
	reader->has_end = n > 0 && reader->line[n - 1] == '\n';
	reader->length = (size_t)n - reader->has_end;
	reader->line[reader->length] = '\0';
	return 1;
}

/* Cuts the line into words at blanks; MOST_WORDS + 1: there are more. */
static size_t cut_line(struct hd_history_reader *reader, char *words[MOST_WORDS])
{
	char *rest = reader->line, *word;
	size_t n = 0;

	while ((word = strsep(&rest, " "))) {
		if (!*word)
			continue;
		if (n == MOST_WORDS)
			return MOST_WORDS + 1;
		words[n++] = word;
	}
	return n;
}

static bool parse_number(const char *word, uint64_t max, uint64_t *value)
{
	return hd_parse_number(word, "", 0, max, value, NULL) == 0;
}

/* "SECONDS.NANOSECONDS" */
static bool parse_time(const char *word, uint64_t *ns)
{
	const char *at = word, *end = word + strlen(word);
	uint64_t seconds, rest;

	if (!hd_scan_number(&at, end, 10, MOST_SECONDS, &seconds) || *at++ != '.' ||
	    end - at != NS_DIGITS || !hd_scan_number(&at, end, 10, NS_PER_S - 1, &rest) ||
	    at != end)
		return false;
	*ns = seconds * NS_PER_S + rest;
	return true;
}

static int parse_node(const struct hd_history_reader *reader, const char *word, uint32_t *node,
		      struct hd_error *err)
{
	uint64_t guid;

	if (!parse_number(word, UINT64_MAX, &guid))
		return bad_line(reader, err, "'%.40s' is no GUID", word);
	*node = hd_fabric_find_node(reader->fabric, guid);
	return *node != HD_NONE
		       ? 0
		       : bad_line(reader, err, "the fabric has no node 0x%016" PRIx64, guid);
}

/* A port number of @node; *@port is an index in ports[]. */
static int parse_port(const struct hd_history_reader *reader, uint32_t node, const char *word,
		      uint32_t *port, struct hd_error *err)
{
	uint64_t number;

	if (!parse_number(word, reader->fabric->nodes[node].n_ports, &number))
		return bad_line(reader, err, "'%.40s' is no port of the node", word);
	*port = hd_port_index(reader->fabric, node, (unsigned)number);
	return 0;
}

/* The fabric */

static int read_fabric(struct hd_history_reader *reader, struct hd_error *err)
{
	char *words[MOST_WORDS], *text = NULL;
	uint64_t n_lines;
	size_t size = 0;
	FILE *stream;
	int ret = read_line(reader, err);

	if (ret < 0)
		return ret;
	if (!ret || strcmp(reader->line, "heddle-history 1") != 0)
		return hd_error_at(err, HD_EPARSE, reader->name, 1,
				   "no history: it begins with 'heddle-history 1'");
	ret = read_line(reader, err);
	if (ret < 0)
		return ret;
	if (!ret || cut_line(reader, words) != 2 || strcmp(words[0], "fabric") != 0 ||
	    !parse_number(words[1], MOST_TEXT, &n_lines))
		return hd_error_at(err, HD_EPARSE, reader->name, 2,
				   "here is 'fabric N', and N lines of a netfile follow");
	stream = open_memstream(&text, &size);
	if (!stream)
		return hd_error_nomem(err);
	for (uint64_t i = 0; i < n_lines; i++) {
		ret = read_line(reader, err);
		if (ret == 0)
			ret = bad_line(reader, err,
				       "the fabric ends after %" PRIu64 " of %" PRIu64 " lines", i,
				       n_lines);
		if (ret < 0)
			break;
		fwrite(reader->line, 1, reader->length, stream);
		fputc('\n', stream);
	}
	if (fclose(stream) && ret >= 0)
		ret = hd_error_nomem(err);
	if (ret >= 0)
		ret = hd_netfile_parse(reader->name, text, size, NULL, &reader->fabric, err);
	/* the netfile begins at line 3 */
	if (ret == HD_EPARSE && err && err->line)
		err->line += 2;
	free(text);
	return ret < 0 ? ret : 0;
}

int hd_history_open(FILE *stream, const char *name, struct hd_history_reader **result,
		    struct hd_error *err)
{
	struct hd_history_reader *reader = calloc(1, sizeof(*reader));

	*result = reader;
	if (!reader) {
		fclose(stream);
		return hd_error_nomem(err);
	}
	reader->stream = stream;
	reader->name = strdup(name);
	return reader->name ? read_fabric(reader, err) : hd_error_nomem(err);
}

void hd_history_close(struct hd_history_reader *reader)
{
	if (!reader)
		return;
	fclose(reader->stream);
	hd_fabric_free(reader->fabric);
	free(reader->record.changes);
	free(reader->name);
	free(reader->line);
	free(reader);
}

const struct hd_fabric *hd_history_fabric(const struct hd_history_reader *reader)
{
	return reader->fabric;
}

unsigned hd_history_cut(const struct hd_history_reader *reader)
{
	return reader->cut;
}

/* Changes */

static int add_change(struct hd_history_reader *reader, const struct hd_change *change,
		      struct hd_error *err)
{
	struct hd_history_record *record = &reader->record;

	if (record->n_changes == reader->capacity) {
		size_t capacity = reader->capacity * 2 + 64;
		struct hd_change *grown =
			realloc(record->changes, capacity * sizeof(*record->changes));

		if (!grown)
			return hd_error_nomem(err);
		record->changes = grown;
		reader->capacity = capacity;
	}
	record->changes[record->n_changes++] = *change;
	return 0;
}

static bool parse_row(const char *word, uint64_t *row)
{
	const char *at = word, *end = word + strlen(word);

	return end - at == HD_MAX_SLS && hd_scan_number(&at, end, 16, UINT64_MAX, row) && at == end;
}

/* A port number, or "*". */
static bool parse_side(const struct hd_history_reader *reader, uint32_t node, const char *word,
		       uint16_t *side)
{
	uint64_t number = HD_CHANGE_ALL;

	if (strcmp(word, "*") != 0 &&
	    !parse_number(word, reader->fabric->nodes[node].n_ports, &number))
		return false;
	*side = (uint16_t)number;
	return true;
}

/* "-", or the GUID of a node and the number of its port: "0x...:3". */
static bool parse_far_end(const struct hd_history_reader *reader, char *word, uint64_t *port)
{
	char *colon = strchr(word, ':');
	uint64_t guid, number;
	uint32_t node;

	*port = HD_NONE;
	if (strcmp(word, "-") == 0)
		return true;
	if (!colon)
		return false;
	*colon = '\0';
	if (!parse_number(word, UINT64_MAX, &guid))
		return false;
	node = hd_fabric_find_node(reader->fabric, guid);
	if (node == HD_NONE ||
	    !parse_number(colon + 1, reader->fabric->nodes[node].n_ports, &number) || !number)
		return false;
	*port = hd_port_index(reader->fabric, node, (unsigned)number);
	return true;
}

static bool parse_values(char *const *words, uint64_t least, uint64_t most,
			 struct hd_change *change)
{
	return parse_number(words[0], most, &change->old) &&
	       parse_number(words[1], most, &change->new) && change->old >= least &&
	       change->new >= least;
}

/* "port NUMBER WHAT OLD NEW" */
static int parse_port_change(struct hd_history_reader *reader, char **words,
			     struct hd_change *change, struct hd_error *err)
{
	static const struct {
		const char *name;
		enum hd_change_kind kind;
		uint64_t least, most;
	} fields[] = {
		{ "lid", HD_CHANGE_LID, 0, MOST_FIELD },
		{ "lmc", HD_CHANGE_LMC, 0, HD_MAX_LMC },
		{ "vls", HD_CHANGE_VLS, 0, HD_MAX_VLS },
		{ "state", HD_CHANGE_STATE, STATE_LEAST, STATE_MOST },
	};
	int ret = parse_port(reader, change->node, words[1], &change->port, err);

	if (ret)
		return ret;
	if (strcmp(words[2], "link") == 0) {
		change->kind = HD_CHANGE_LINK;
		if (parse_far_end(reader, words[3], &change->old) &&
		    parse_far_end(reader, words[4], &change->new) && change->new != change->port)
			return add_change(reader, change, err);
		return bad_line(reader, err, "a link leads to GUID:PORT, or to none (-)");
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (strcmp(words[2], fields[i].name) != 0)
			continue;
		change->kind = fields[i].kind;
		if (parse_values(words + 3, fields[i].least, fields[i].most, change))
			return add_change(reader, change, err);
		return bad_line(reader, err, "%s is %" PRIu64 " to %" PRIu64, fields[i].name,
				fields[i].least, fields[i].most);
	}
	return bad_line(reader, err, "a port has no '%.40s'", words[2]);
}

/* "ar on 0 1", "ar vl2vl 0 1", or something else of adaptive routing. */
static void note_sets(struct hd_history_reader *reader, char **words, uint32_t node)
{
	struct hd_history_record *record = &reader->record;

	record->changes_sets = true;
	if (record->chooses_line ||
	    (strcmp(words[1], "on") != 0 && strcmp(words[1], "vl2vl") != 0) ||
	    strcmp(words[3], "0") == 0)
		return;
	record->chooses_line = reader->number;
	record->chooses_node = node;
}

static int parse_change(struct hd_history_reader *reader, char **words, size_t n, uint32_t *node,
			struct hd_error *err)
{
	struct hd_change change = { .node = *node, .port = HD_NONE, .line = reader->number };
	uint64_t lid;

	if (n == 2 && strcmp(words[0], "of") == 0)
		return parse_node(reader, words[1], node, err);
	if (*node == HD_NONE)
		return bad_line(reader, err, "whose change? Here is 'of GUID'");
	if (n == 5 && strcmp(words[0], "port") == 0)
		return parse_port_change(reader, words, &change, err);
	if (n == 4 && strcmp(words[0], "vlarb") == 0)
		return 0;
	if (n == 5 && strcmp(words[0], "sl2vl") == 0) {
		change.kind = HD_CHANGE_SL2VL;
		if (!parse_side(reader, *node, words[1], &change.out) ||
		    !parse_side(reader, *node, words[2], &change.in) ||
		    !parse_row(words[3], &change.old) || !parse_row(words[4], &change.new))
			return bad_line(reader, err,
					"an SL2VL row is OUT IN and two rows of 16 digits");
		return add_change(reader, &change, err);
	}
	if (!hd_is_switch(reader->fabric, *node))
		return bad_line(reader, err, "an adapter has no '%.40s'", n ? words[0] : "");
	if (n == 5 && strcmp(words[0], "mft") == 0)
		return 0;
	if ((n == 4 || n == 5) && strcmp(words[0], "ar") == 0) {
		note_sets(reader, words, *node);
		return 0;
	}
	if (n == 4 && strcmp(words[0], "lft") == 0) {
		change.kind = HD_CHANGE_LFT;
		if (!parse_number(words[1], HD_MAX_LID, &lid) ||
		    !parse_values(words + 2, 0, HD_NO_PATH, &change))
			return bad_line(reader, err, "an LFT entry is LID and two ports");
		change.lid = (uint16_t)lid;
		return add_change(reader, &change, err);
	}
	if (n == 3 && strcmp(words[0], "top") == 0) {
		change.kind = HD_CHANGE_TOP;
		if (!parse_values(words + 1, 0, MOST_FIELD, &change))
			return bad_line(reader, err, "LinearFDBTop is at most %u", MOST_FIELD);
		return add_change(reader, &change, err);
	}
	return bad_line(reader, err, "no change is '%.40s' with %zu words", n ? words[0] : "", n);
}

/* Records */

static int find_kind(const char *word, enum hd_history_kind *kind)
{
	for (int k = 0; k < HD_HISTORY_KINDS; k++)
		if (strcmp(word, kind_names[k]) == 0) {
			*kind = k;
			return 0;
		}
	return -1;
}

/*
 * "begin TIME N"; "set TIME GUID ATTRIBUTE MODIFIER STATUS N"; "plug TIME GUID PORT N"; "on TIME
 * GUID N". @n_changes gets N.
 */
static int parse_record(struct hd_history_reader *reader, char **words, size_t n,
			uint64_t *n_changes, struct hd_error *err)
{
	struct hd_history_record *record = &reader->record;
	const uint64_t before = record->time;
	uint64_t status = 0;
	int ret = 0;

	record->node = HD_NONE;
	record->n_changes = 0;
	record->changes_sets = false;
	record->chooses_line = 0;
	record->what[0] = '\0';
	record->line = reader->number;
	if (n < 3 || n > MOST_WORDS || find_kind(words[0], &record->kind) ||
	    !parse_time(words[1], &record->time) ||
	    !parse_number(words[n - 1], MOST_CHANGES, n_changes))
		return bad_line(reader, err, "no record: it is KIND TIME ... CHANGES");
	if (reader->has_begun != (record->kind != HD_HISTORY_BEGIN))
		return bad_line(reader, err, "the first record is 'begin', and no other is");
	if (reader->has_begun && record->time < before)
		return bad_line(reader, err, "earlier than the record before");
	reader->has_begun = true;
	if (record->kind != HD_HISTORY_BEGIN) {
		if (n < 4)
			return bad_line(reader, err, "%s of which node?", words[0]);
		ret = parse_node(reader, words[2], &record->node, err);
	}
	if (!ret && record->kind == HD_HISTORY_SET) {
		if (n != 7 || !parse_number(words[5], UINT16_MAX, &status))
			return bad_line(reader, err,
					"a Set is GUID ATTRIBUTE MODIFIER STATUS CHANGES");
		snprintf(record->what, sizeof(record->what), "%.40s %.20s", words[3], words[4]);
	} else if (!ret && n == 5) {
		snprintf(record->what, sizeof(record->what), "port %.20s", words[3]);
	}
	hd_make_printable(record->what);
	record->status = (unsigned)status;
	return ret;
}

int hd_history_next(struct hd_history_reader *reader, const struct hd_history_record **record,
		    struct hd_error *err)
{
	char *words[MOST_WORDS + 1];
	uint64_t n_changes = 0;
	uint32_t node;
	int ret;

	*record = NULL;
	if (reader->cut)
		return 0;
	ret = read_line(reader, err);
	if (ret <= 0)
		return ret;
	if (!reader->has_end) {
		reader->cut = reader->number;
		return 0;
	}
	ret = parse_record(reader, words, cut_line(reader, words), &n_changes, err);
	node = reader->record.kind == HD_HISTORY_SET ? reader->record.node : HD_NONE;
	for (uint64_t i = 0; !ret && i < n_changes; i++) {
		ret = read_line(reader, err);
		if (ret < 0)
			return ret;
		if (!ret || !reader->has_end) {
			reader->cut = reader->record.line;
			return 0;
		}
		ret = parse_change(reader, words, cut_line(reader, words), &node, err);
	}
	if (!ret)
		*record = &reader->record;
	return ret;
}
