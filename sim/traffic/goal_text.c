// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* GOAL as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/goal.h"
#include "support/error.h"
#include "support/text.h"

/* A label of the rank that is read. */
struct label {
	uint32_t begin, length; /* in the text */
	uint32_t op;
	uint32_t rank_number; /* the rank's number in the file, from 1; another's: unused */
};

struct parser {
	const char *file, *begin, *at, *end;
	unsigned line;
	uint32_t most;
	struct hd_goal *goal;
	bool *seen; /* [rank] */
	uint32_t rank, rank_number;
	struct label *labels; /* a table by hash, with at least half of it unused */
	uint32_t n_labels, size;
	struct hd_error *err;
};

static int refuse(struct parser *p, const char *what)
{
	return hd_error_at(p->err, HD_EPARSE, p->file, p->line, "%s", what);
}

static void skip_blanks(struct parser *p)
{
	while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r'))
		p->at++;
}

/* Passes a comment, if one begins here. */
static int skip_comment(struct parser *p, bool *is)
{
	*is = hd_scan_word(&p->at, p->end, "//");
	if (*is) {
		while (p->at < p->end && *p->at != '\n')
			p->at++;
		return 0;
	}
	*is = hd_scan_word(&p->at, p->end, "/*");
	if (!*is)
		return 0;
	for (; p->at < p->end; p->at++) {
		if (hd_scan_word(&p->at, p->end, "*/"))
			return 0;
		p->line += *p->at == '\n';
	}
	return refuse(p, "a comment does not end");
}

/* To the next statement, past lines' ends and comments. */
static int skip_to_statement(struct parser *p)
{
	bool is_comment = true;
	int ret = 0;

	while (!ret && is_comment) {
		for (skip_blanks(p); p->at < p->end && *p->at == '\n'; skip_blanks(p)) {
			p->at++;
			p->line++;
		}
		ret = skip_comment(p, &is_comment);
	}
	return ret;
}

/* A statement's end is that of its line, or the rank's. */
static int end_statement(struct parser *p)
{
	bool is_comment = true;
	int ret = 0;

	while (!ret && is_comment) {
		skip_blanks(p);
		ret = skip_comment(p, &is_comment);
	}
	if (!ret && p->at < p->end && *p->at != '\n' && *p->at != '}')
		return refuse(p, "more than a statement on a line");
	return ret;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_of_word(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/* The next word; its length is 0 if there is none. */
static struct hd_span scan_word(struct parser *p)
{
	struct hd_span word;

	skip_blanks(p);
	word.begin = p->at;
	if (p->at < p->end && is_letter(*p->at))
		while (p->at < p->end && is_of_word(*p->at))
			p->at++;
	word.end = p->at;
	return word;
}

static bool is_word(struct hd_span word, const char *text)
{
	const size_t length = strlen(text);

	return (size_t)(word.end - word.begin) == length && memcmp(word.begin, text, length) == 0;
}

static int scan_number(struct parser *p, const char *what, uint64_t max, uint64_t *value)
{
	skip_blanks(p);
	if (hd_scan_number(&p->at, p->end, 10, max, value))
		return 0;
	return hd_error_at(p->err, HD_EPARSE, p->file, p->line, "%s is no number up to %" PRIu64,
			   what, max);
}

static uint32_t hash(const char *text, uint32_t length)
{
	uint32_t h = 2166136261u;

	for (uint32_t i = 0; i < length; i++)
		h = (h ^ (uint8_t)text[i]) * 16777619u;
	return h ^ h >> 15;
}

/* The place of a label in the table: where it is, or where it may go. */
static struct label *find_label(const struct parser *p, const char *text, uint32_t length)
{
	for (uint32_t i = hash(text, length);; i++) {
		struct label *label = &p->labels[i & (p->size - 1)];

		if (label->rank_number != p->rank_number ||
		    (label->length == length && memcmp(p->begin + label->begin, text, length) == 0))
			return label;
	}
}

static int grow_labels(struct parser *p)
{
	struct label *old = p->labels;
	const uint32_t old_size = p->size;

	p->size = old_size ? 2 * old_size : 1024;
	p->labels = calloc(p->size, sizeof(*p->labels));
	for (uint32_t i = 0; p->labels && i < old_size; i++)
		if (old[i].rank_number == p->rank_number)
			*find_label(p, p->begin + old[i].begin, old[i].length) = old[i];
	free(old);
	return p->labels ? 0 : hd_error_nomem(p->err);
}

static int add_label(struct parser *p, struct hd_span word, uint32_t op)
{
	const uint32_t length = (uint32_t)(word.end - word.begin);
	struct label *label;

	if (2 * p->n_labels >= p->size && grow_labels(p))
		return HD_ENOMEM;
	label = find_label(p, word.begin, length);
	if (label->rank_number == p->rank_number)
		return refuse(p, "the rank has this label twice");
	*label = (struct label){ (uint32_t)(word.begin - p->begin), length, op, p->rank_number };
	p->n_labels++;
	return 0;
}

static int scan_label(struct parser *p, struct hd_span word, uint32_t *op)
{
	const struct label *label;

	if (word.begin == word.end)
		return refuse(p, "a label is missing");
	label = p->size ? find_label(p, word.begin, (uint32_t)(word.end - word.begin)) : NULL;
	if (!label || label->rank_number != p->rank_number)
		return refuse(p, "the rank has no such label before this line");
	*op = label->op;
	return 0;
}

/* "L1 requires L2", after L1. */
static int parse_wait(struct parser *p, struct hd_span label, struct hd_span word)
{
	const bool for_start = is_word(word, "irequires");
	uint32_t op, on;
	int ret;

	if (!for_start && !is_word(word, "requires"))
		return refuse(p, "neither ':' nor \"requires\" nor \"irequires\" follows a label");
	ret = scan_label(p, label, &op);
	if (!ret)
		ret = scan_label(p, scan_word(p), &on);
	return ret ? ret : hd_goal_wait(p->goal, op, on, for_start, p->err);
}

/* "tag T", "cpu C", "nic N", as many as there are. */
static int parse_options(struct parser *p, struct hd_goal_op *op)
{
	for (;;) {
		struct hd_span word = scan_word(p);
		const bool has_peer = op->type != HD_GOAL_CALC;
		uint64_t value = 0;
		int ret;

		if (word.begin == word.end)
			return 0;
		if (has_peer && is_word(word, "tag")) {
			skip_blanks(p);
			if (hd_scan_word(&p->at, p->end, "-1")) {
				op->tag = HD_GOAL_ANY;
				continue;
			}
			ret = scan_number(p, "the tag", HD_GOAL_ANY - 1, &value);
			op->tag = (uint32_t)value;
		} else if (is_word(word, "cpu")) {
			ret = scan_number(p, "the cpu", UINT8_MAX - 1, &value);
			op->cpu = (uint8_t)value;
		} else if (has_peer && is_word(word, "nic")) {
			ret = scan_number(p, "the nic", UINT8_MAX - 1, &value);
			op->nic = (uint8_t)value;
		} else {
			ret = refuse(p, has_peer ? "after the peer comes none of tag, cpu, nic"
						 : "after the time comes no cpu");
		}
		if (ret)
			return ret;
	}
}

/* "SIZEb to PEER", "SIZEb from PEER" */
static int parse_message(struct parser *p, struct hd_goal_op *op)
{
	const char *way = op->type == HD_GOAL_SEND ? "to" : "from";
	uint64_t peer = HD_GOAL_ANY;
	int ret = scan_number(p, "the size", HD_GOAL_BYTES, &op->size);

	skip_blanks(p);
	if (!ret && !hd_scan_word(&p->at, p->end, "b"))
		ret = refuse(p, "the size does not end with 'b'");
	skip_blanks(p);
	if (!ret && !hd_scan_word(&p->at, p->end, way))
		ret = refuse(p, op->type == HD_GOAL_SEND ? "\"to\" does not follow the size"
							 : "\"from\" does not follow the size");
	skip_blanks(p);
	if (!ret && (op->type == HD_GOAL_SEND || !hd_scan_word(&p->at, p->end, "-1")))
		ret = scan_number(p, "the peer, a rank,", p->goal->n_ranks - 1, &peer);
	op->peer = (uint32_t)peer;
	return ret;
}

/* "send ...", "recv ..." or "calc ...", after this word. */
static int parse_op(struct parser *p, enum hd_goal_type type)
{
	struct hd_goal_op op = { .type = (uint8_t)type, .rank = p->rank, .line = p->line };
	int ret = type == HD_GOAL_CALC ? scan_number(p, "the time", HD_GOAL_TIME, &op.size)
				       : parse_message(p, &op);

	if (!ret)
		ret = parse_options(p, &op);
	return ret ? ret : hd_goal_add(p->goal, &op, p->err);
}

static bool type_of(struct hd_span word, enum hd_goal_type *type)
{
	if (is_word(word, "send"))
		*type = HD_GOAL_SEND;
	else if (is_word(word, "recv"))
		*type = HD_GOAL_RECV;
	else if (is_word(word, "calc"))
		*type = HD_GOAL_CALC;
	else
		return false;
	return true;
}

static int parse_statement(struct parser *p)
{
	struct hd_span label = scan_word(p), word;
	enum hd_goal_type type;
	int ret;

	if (type_of(label, &type))
		return parse_op(p, type);
	if (label.begin == label.end)
		return refuse(p, "a statement begins with none of send, recv, calc, a label, '}'");
	skip_blanks(p);
	if (!hd_scan_word(&p->at, p->end, ":"))
		return parse_wait(p, label, scan_word(p));
	word = scan_word(p);
	if (!type_of(word, &type))
		return refuse(p, "after a label comes none of send, recv, calc");
	ret = parse_op(p, type);
	return ret ? ret : add_label(p, label, p->goal->n - 1);
}

/* "rank R { ... }", after "rank". */
static int parse_rank(struct parser *p)
{
	uint64_t rank;
	int ret = scan_number(p, "the rank", p->goal->n_ranks - 1, &rank);

	skip_blanks(p);
	if (!ret && !hd_scan_word(&p->at, p->end, "{"))
		ret = refuse(p, "'{' does not follow the rank");
	if (!ret && p->seen[rank])
		ret = refuse(p, "the rank is there twice");
	if (ret)
		return ret;
	p->seen[rank] = true;
	p->rank = (uint32_t)rank;
	p->rank_number++;
	p->n_labels = 0;
	for (;;) {
		ret = skip_to_statement(p);
		if (ret || hd_scan_word(&p->at, p->end, "}"))
			return ret;
		if (p->at == p->end)
			return refuse(p, "the rank does not end with '}'");
		ret = parse_statement(p);
		if (!ret)
			ret = end_statement(p);
		if (ret)
			return ret;
	}
}

/* "num_ranks N", before all ranks. */
static int parse_header(struct parser *p)
{
	uint64_t n = 0;
	int ret = skip_to_statement(p);

	if (!ret && !is_word(scan_word(p), "num_ranks"))
		ret = refuse(p, "the text does not begin with num_ranks");
	if (!ret)
		ret = scan_number(p, "num_ranks", UINT32_MAX - 1, &n);
	if (!ret && !n)
		ret = refuse(p, "there are no ranks");
	if (!ret && n > p->most)
		ret = hd_error_at(p->err, HD_EPARSE, p->file, p->line,
				  "there are %" PRIu64 " ranks, but room for %u", n, p->most);
	if (ret)
		return ret;
	p->seen = calloc(n, sizeof(*p->seen));
	ret = hd_goal_init(p->goal, (uint32_t)n, p->err);
	p->goal->has_lines = true;
	return p->seen ? ret : hd_error_nomem(p->err);
}

static int parse(struct parser *p)
{
	int ret = parse_header(p);

	while (!ret) {
		ret = skip_to_statement(p);
		if (ret || p->at == p->end)
			break;
		if (!is_word(scan_word(p), "rank"))
			return refuse(p, "\"rank\" is missing");
		ret = parse_rank(p);
	}
	return ret;
}

int hd_goal_parse_text(const char *file, const char *data, size_t size, uint32_t most,
		       struct hd_goal *goal, struct hd_error *err)
{
	struct parser p = { .file = file,
			    .begin = data,
			    .at = data,
			    .end = data + size,
			    .line = 1,
			    .most = most,
			    .goal = goal,
			    .err = err };
	int ret;

	*goal = (struct hd_goal){ 0 };
	ret = size > HD_GOAL_FILE_MAX ? hd_error_at(err, HD_EPARSE, file, 0, "more than 1 GiB")
				      : parse(&p);
	free(p.seen);
	free(p.labels);
	return ret ? ret : hd_goal_done(goal, file, err);
}

static void write_op(const struct hd_goal_op *op, uint32_t number, FILE *file)
{
	fprintf(file, "l%u: ", number);
	if (op->type == HD_GOAL_CALC) {
		fprintf(file, "calc %" PRIu64, op->size);
	} else {
		fprintf(file, "%s %" PRIu64 "b %s ", op->type == HD_GOAL_SEND ? "send" : "recv",
			op->size, op->type == HD_GOAL_SEND ? "to" : "from");
		fprintf(file, op->peer == HD_GOAL_ANY ? "-1" : "%u", op->peer);
		if (op->tag)
			fprintf(file, op->tag == HD_GOAL_ANY ? " tag -1" : " tag %u", op->tag);
	}
	if (op->cpu)
		fprintf(file, " cpu %u", op->cpu);
	if (op->nic && op->type != HD_GOAL_CALC)
		fprintf(file, " nic %u", op->nic);
	fputc('\n', file);
}

void hd_goal_write_text(const struct hd_goal *goal, FILE *file)
{
	fprintf(file, "num_ranks %u\n", goal->n_ranks);
	for (uint32_t rank = 0; rank < goal->n_ranks; rank++) {
		const uint32_t first = goal->first[rank], end = goal->end[rank];

		fprintf(file, "\nrank %u {\n", rank);
		for (uint32_t i = first; i < end; i++)
			write_op(&goal->ops[i], i - first + 1, file);
		for (size_t i = end ? goal->first_wait[first] : 0; end && i < goal->first_wait[end];
		     i++) {
			const struct hd_goal_wait *wait = &goal->waits[i];

			fprintf(file, "l%u %s l%u\n", (wait->op & ~HD_GOAL_START) - first + 1,
				wait->op & HD_GOAL_START ? "irequires" : "requires",
				wait->on - first + 1);
		}
		fputs("}\n", file);
	}
}
