// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/netfile_line.h"

#include <string.h>

#include "fabric/link_rate.h"
#include "support/error.h"
#include "support/text.h"

/* Where parsing stands. Functions return false after they have set the error. */
struct cursor {
	const char *at;
	const char *end;
	const struct hd_lines *lines;
	struct hd_error *err;
	const char *odd;
};

static bool fail(const struct cursor *cursor, const char *text)
{
	hd_error_at(cursor->err, HD_EPARSE, cursor->lines->file, cursor->lines->number, "%s", text);
	return false;
}

static bool at_char(const struct cursor *cursor, char wanted)
{
	return cursor->at < cursor->end && *cursor->at == wanted;
}

static bool take_char(struct cursor *cursor, char wanted)
{
	if (!at_char(cursor, wanted))
		return false;
	cursor->at++;
	return true;
}

static bool take_word(struct cursor *cursor, const char *word)
{
	return hd_scan_word(&cursor->at, cursor->end, word);
}

static void skip_blanks(struct cursor *cursor)
{
	hd_scan_blanks(&cursor->at, cursor->end);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool at_word_end(const struct cursor *cursor)
{
	return cursor->at == cursor->end || is_blank(*cursor->at);
}

/* A number as strtoul with base 0 reads them in ibsim, decimal or 0x. */
static bool take_number(struct cursor *cursor, uint64_t max, uint64_t *value)
{
	unsigned base = take_word(cursor, "0x") || take_word(cursor, "0X") ? 16 : 10;

	return hd_scan_number(&cursor->at, cursor->end, base, max, value);
}

/* "(2c90200412ab1)": a port GUID, where there is one. */
static bool take_guid(struct cursor *cursor, uint64_t *guid)
{
	*guid = 0;
	if (!take_char(cursor, '('))
		return true;
	if (!hd_scan_number(&cursor->at, cursor->end, 16, UINT64_MAX, guid) ||
	    !take_char(cursor, ')') || *guid == 0)
		return fail(cursor, "expected a port GUID in hexadecimal and ')'");
	return true;
}

/* "name" up to the next quote. */
static bool take_quoted(struct cursor *cursor, struct hd_span *span)
{
	const char *close;

	skip_blanks(cursor);
	if (!take_char(cursor, '"'))
		return fail(cursor, "expected a node id in quotes");
	close = memchr(cursor->at, '"', (size_t)(cursor->end - cursor->at));
	if (!close)
		return fail(cursor, "a quote is not closed");
	*span = (struct hd_span){ cursor->at, close };
	cursor->at = close + 1;
	if (span->begin == span->end)
		return fail(cursor, "an empty node id");
	if (span->end - span->begin > HD_MAX_NAME)
		return fail(cursor, "a node id longer than 255 bytes");
	return true;
}

/* "name" in a comment: the name may have quotes in it, so the last quote on the line closes it. */
static bool take_name(struct cursor *cursor, struct hd_span *span)
{
	const char *close = cursor->end;

	cursor->at++;
	while (close > cursor->at && close[-1] != '"')
		close--;
	if (close == cursor->at)
		return fail(cursor, "the quote of a name is not closed");
	*span = (struct hd_span){ cursor->at, close - 1 };
	cursor->at = close;
	if (span->end - span->begin > HD_MAX_NAME)
		return fail(cursor, "a name longer than 255 bytes");
	return true;
}

/* Whether what follows "lid" is what would follow the number: "lmc 0", "4xEDR", or nothing. */
static bool lid_is_empty(const struct cursor *cursor)
{
	const char *at = cursor->at;
	uint64_t lanes;

	return at_word_end(cursor) || hd_scan_word(&at, cursor->end, "lmc ") ||
	       (hd_scan_number(&at, cursor->end, 10, UINT8_MAX, &lanes) && at < cursor->end &&
		*at == 'x');
}

/* "lid 5"; 65535 is what ports show that never had a LID. Another LID is odd, and none. */
static void take_lid(struct cursor *cursor, uint16_t *lid)
{
	uint64_t value;

	skip_blanks(cursor);
	if (lid_is_empty(cursor)) {
		cursor->odd = "expected a number after 'lid'";
		return;
	}
	if (!hd_scan_number(&cursor->at, cursor->end, 10, UINT16_MAX, &value) ||
	    !at_word_end(cursor)) {
		cursor->odd = "expected a number after 'lid'";
		while (!at_word_end(cursor))
			cursor->at++;
		return;
	}
	if (value > HD_MAX_LID && value != UINT16_MAX)
		cursor->odd = "a LID that is no unicast LID (1..49151)";
	else
		*lid = value == UINT16_MAX ? 0 : (uint16_t)value;
}

static bool take_lmc(struct cursor *cursor, uint8_t *lmc)
{
	uint64_t value;

	skip_blanks(cursor);
	if (!hd_scan_number(&cursor->at, cursor->end, 10, HD_MAX_LMC, &value) ||
	    !at_word_end(cursor))
		return fail(cursor, "expected a number in 0..7 after 'lmc'");
	*lmc = (uint8_t)value;
	return true;
}

/* Where "[base|enhanced] port 0 lid 3 lmc 0", or some of it, begins: at the end if nowhere. */
static const char *find_switch_facts(const char *begin, const char *end)
{
	static const char *const starts[] = { "base port 0", "enhanced port 0", "port 0", "lid ",
					      "lmc " };

	for (const char *at = begin; at < end; at++) {
		if (at > begin && !is_blank(at[-1]))
			continue;
		for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
			const char *after = at;

			if (hd_scan_word(&after, end, starts[i]))
				return at;
		}
	}
	return end;
}

static bool take_switch_facts(struct cursor *cursor, struct hd_netfile_node *node)
{
	skip_blanks(cursor);
	node->enhanced_port0 = take_word(cursor, "enhanced port 0");
	if (!node->enhanced_port0 && !take_word(cursor, "base port 0"))
		take_word(cursor, "port 0");
	skip_blanks(cursor);
	if (take_word(cursor, "lid "))
		take_lid(cursor, &node->lid);
	skip_blanks(cursor);
	return !take_word(cursor, "lmc ") || take_lmc(cursor, &node->lmc);
}

/* The comment of a node: its name, quoted since OFED 1.2, and for switches what port 0 is. */
static bool parse_node_comment(struct cursor *cursor, struct hd_netfile_node *node)
{
	skip_blanks(cursor);
	if (at_char(cursor, '"')) {
		if (!take_name(cursor, &node->name))
			return false;
	} else {
		const char *facts = find_switch_facts(cursor->at, cursor->end);

		node->name = (struct hd_span){ cursor->at, facts };
		while (node->name.end > node->name.begin && is_blank(node->name.end[-1]))
			node->name.end--;
		cursor->at = facts;
		if (node->name.end - node->name.begin > HD_MAX_NAME)
			return fail(cursor, "a name longer than 255 bytes");
	}
	return node->type != HD_SWITCH || take_switch_facts(cursor, node);
}

/* The GUID in an id of ibnetdiscover, "S-0002c90200412ab0"; 0 when the id is a name. */
static uint64_t guid_of_id(struct hd_span id)
{
	const char *digits = id.begin + 2;
	uint64_t guid;

	if (id.end - id.begin != 18 || !strchr("SHR", id.begin[0]) || id.begin[1] != '-')
		return 0;
	if (!hd_scan_number(&digits, id.end, 16, UINT64_MAX, &guid) || digits != id.end)
		return 0;
	return guid;
}

static bool parse_node(struct cursor *cursor, enum hd_node_type type, struct hd_netfile_node *node)
{
	uint64_t n_ports;

	*node = (struct hd_netfile_node){ .type = type };
	skip_blanks(cursor);
	if (!hd_scan_number(&cursor->at, cursor->end, 10, HD_MAX_PORTS, &n_ports) ||
	    (n_ports == 0 && type != HD_SWITCH))
		return fail(cursor, "expected a number of ports in 1..254");
	node->n_ports = (unsigned)n_ports;
	if (!take_quoted(cursor, &node->id))
		return false;
	node->id_guid = guid_of_id(node->id);
	node->name = (struct hd_span){ cursor->at, cursor->at };
	skip_blanks(cursor);
	if (take_char(cursor, '#'))
		return parse_node_comment(cursor, node);
	return cursor->at == cursor->end ||
	       fail(cursor, "expected nothing or a comment after the node id");
}

/* PortInfo's codes, which ibsim takes as masks of what is enabled: the highest one counts. */
static uint8_t width_of_mask(uint64_t mask)
{
	return mask & 8 ? 12 : mask & 4 ? 8 : mask & 2 ? 4 : mask & 16 ? 2 : mask & 1;
}

static uint8_t speed_of_mask(uint64_t mask)
{
	return mask & 4 ? HD_QDR : mask & 2 ? HD_DDR : mask & 1 ? HD_SDR : HD_SPEED_UNKNOWN;
}

static uint8_t extended_speed_of_mask(uint64_t mask)
{
	return mask & 8   ? HD_NDR
	       : mask & 4 ? HD_HDR
	       : mask & 2 ? HD_EDR
	       : mask & 1 ? HD_FDR
			  : HD_SPEED_UNKNOWN;
}

/*
 * "4xQDR", "12xSDR", "?????"; false at anything else, which is a remark whose meaning is not known.
 */
static bool parse_rate(struct cursor *cursor, struct hd_netfile_port *port)
{
	const char *at = cursor->at;
	uint64_t lanes = 0;

	if (!hd_scan_word(&at, cursor->end, "??") &&
	    (!hd_scan_number(&at, cursor->end, 10, UINT8_MAX, &lanes) ||
	     !hd_scan_word(&at, cursor->end, "x")))
		return false;
	cursor->at = at;
	port->width = hd_is_width(lanes) ? (uint8_t)lanes : 0;
	while (!at_word_end(cursor))
		cursor->at++;
	for (unsigned speed = HD_SDR; speed <= HD_XDR; speed++)
		if (strlen(hd_speed_names[speed]) == (size_t)(cursor->at - at) &&
		    memcmp(hd_speed_names[speed], at, (size_t)(cursor->at - at)) == 0)
			port->speed = (uint8_t)speed;
	return true;
}

static bool is_option(const struct cursor *cursor)
{
	return cursor->end - cursor->at > 2 && cursor->at[1] == '=' && cursor->at[0] >= 'a' &&
	       cursor->at[0] <= 'z';
}

/*
 * "s=4 w=2 v=4", as ibnetdiscover --full prints and ibsim reads; e= is the extended speed. A rate
 * in words ("4xQDR") counts more, as in ibsim.
 */
static bool parse_options(struct cursor *cursor, struct hd_netfile_port *port, bool has_rate)
{
	for (skip_blanks(cursor); cursor->at < cursor->end && *cursor->at != '#';
	     skip_blanks(cursor)) {
		char key = *cursor->at;
		uint64_t value;

		if (!is_option(cursor)) {
			while (!at_word_end(cursor))
				cursor->at++;
			continue;
		}
		cursor->at += 2;
		if (!take_number(cursor, 31, &value) || !at_word_end(cursor))
			return fail(cursor, "expected a number in 0..31 after '='");
		if (key == 'w' && !has_rate)
			port->width = width_of_mask(value);
		else if (key == 's' && !has_rate && !port->speed)
			port->speed = speed_of_mask(value);
		else if (key == 'e' && !has_rate && value)
			port->speed = extended_speed_of_mask(value);
		else if (key == 'v')
			port->vls = (uint8_t)hd_vlcap_vls((unsigned)value);
	}
	return true;
}

static bool parse_port_comment(struct cursor *cursor, struct hd_netfile_port *port)
{
	struct hd_span name;
	bool has_rate;

	skip_blanks(cursor);
	if (take_word(cursor, "lid "))
		take_lid(cursor, &port->lid);
	skip_blanks(cursor);
	if (take_word(cursor, "lmc ") && !take_lmc(cursor, &port->lmc))
		return false;
	skip_blanks(cursor);
	if (!at_char(cursor, '"'))
		return true; /* before OFED 1.2, or a remark */
	if (!take_name(cursor, &name))
		return false;
	skip_blanks(cursor);
	if (take_word(cursor, "lid "))
		take_lid(cursor, &port->peer_lid);
	skip_blanks(cursor);
	has_rate = parse_rate(cursor, port);
	return parse_options(cursor, port, has_rate);
}

/* "[7]", and "[ext 12]" after it on chassis that number their ports on the outside. */
static bool take_port_number(struct cursor *cursor, uint8_t *number)
{
	const char *rest;
	uint64_t value;

	cursor->at++;
	if (!hd_scan_number(&cursor->at, cursor->end, 10, HD_MAX_PORTS, &value) || value == 0 ||
	    !take_char(cursor, ']'))
		return fail(cursor, "expected a port number in 1..254 and ']'");
	*number = (uint8_t)value;
	rest = cursor->at;
	if (hd_scan_word(&rest, cursor->end, "[ext ") &&
	    hd_scan_number(&rest, cursor->end, 10, UINT32_MAX, &value) &&
	    hd_scan_word(&rest, cursor->end, "]"))
		cursor->at = rest;
	return true;
}

static bool parse_port(struct cursor *cursor, struct hd_netfile_port *port)
{
	*port = (struct hd_netfile_port){ .peer_number = 1 };
	if (!take_port_number(cursor, &port->number) || !take_guid(cursor, &port->guid) ||
	    !take_quoted(cursor, &port->peer_id))
		return false;
	if (at_char(cursor, '[') && !take_port_number(cursor, &port->peer_number))
		return false;
	skip_blanks(cursor);
	if (!take_guid(cursor, &port->peer_guid))
		return false;
	skip_blanks(cursor);
	if (cursor->at < cursor->end && *cursor->at != '#' && !is_option(cursor))
		return fail(cursor, "expected nothing, an option or a comment after the link");
	if (!parse_options(cursor, port, false))
		return false;
	return !take_char(cursor, '#') || parse_port_comment(cursor, port);
}

struct field_word {
	const char *word;
	enum hd_netfile_key key;
	enum hd_node_type type;
};

/* clang-format off */
static const struct field_word field_words[] = {
	{ "vendid", HD_FIELD_VENDOR, HD_SWITCH },
	{ "devid", HD_FIELD_DEVICE, HD_SWITCH },
	{ "sysimgguid", HD_FIELD_SYSIMG, HD_SWITCH },
	{ "switchguid", HD_FIELD_GUID, HD_SWITCH },
	{ "caguid", HD_FIELD_GUID, HD_CA },
	{ "hcaguid", HD_FIELD_GUID, HD_CA },
	{ "hcaguids", HD_FIELD_GUID, HD_CA }, /* ibsim's */
	{ "rtguid", HD_FIELD_GUID, HD_ROUTER },
	{ "width", HD_FIELD_WIDTH, HD_SWITCH },
	{ "speed", HD_FIELD_SPEED, HD_SWITCH },
	{ "extspeed", HD_FIELD_SPEED, HD_SWITCH },
	{ "module", HD_FIELD_MODULE, HD_SWITCH },
};
/* clang-format on */

static bool parse_module(struct cursor *cursor, struct hd_netfile_field *field)
{
	const char *close;

	skip_blanks(cursor);
	if (!take_char(cursor, '"'))
		return fail(cursor, "expected a module name in quotes");
	close = memchr(cursor->at, '"', (size_t)(cursor->end - cursor->at));
	if (!close || close - cursor->at >= HD_MAX_NAME)
		return fail(cursor, "the module name is too long or its quote is not closed");
	field->text = (struct hd_span){ cursor->at, close };
	return true;
}

static bool parse_field(struct cursor *cursor, const struct field_word *word,
			struct hd_netfile_field *field)
{
	uint64_t max = word->key == HD_FIELD_SYSIMG || word->key == HD_FIELD_GUID ? UINT64_MAX
										  : UINT32_MAX;

	*field = (struct hd_netfile_field){ .key = word->key, .type = word->type };
	field->is_relative = *cursor->at++ == '+';
	if (word->key == HD_FIELD_MODULE)
		return parse_module(cursor, field);
	if (field->is_relative && word->key != HD_FIELD_GUID)
		return fail(cursor, "expected '=' here");
	skip_blanks(cursor);
	if (!take_number(cursor, max, &field->value))
		return fail(cursor, "expected a number after '='");
	if (word->key == HD_FIELD_WIDTH)
		field->value = width_of_mask(field->value);
	else if (word->key == HD_FIELD_SPEED && word->word[0] == 'e')
		field->value = extended_speed_of_mask(field->value);
	else if (word->key == HD_FIELD_SPEED)
		field->value = speed_of_mask(field->value);
	if (word->key == HD_FIELD_GUID && !take_guid(cursor, &field->port_guid))
		return false;
	skip_blanks(cursor);
	return cursor->at == cursor->end || *cursor->at == '#' ||
	       fail(cursor, "expected nothing or a comment after the value");
}

static bool is_word(struct hd_span word, const char *wanted)
{
	size_t length = (size_t)(word.end - word.begin);

	return strlen(wanted) == length && memcmp(word.begin, wanted, length) == 0;
}

/* Everything that is neither a port nor a comment begins with a word. */
static bool parse_other(struct cursor *cursor, struct hd_netfile_line *line)
{
	static const struct {
		const char *word;
		enum hd_node_type type;
	} nodes[] = { { "Switch", HD_SWITCH },
		      { "Ca", HD_CA },
		      { "Hca", HD_CA },
		      { "Rt", HD_ROUTER },
		      { "Router", HD_ROUTER } };
	static const char *const titles[] = { "Chassis", "Non-Chassis", "Spine", "Line", "DR" };
	struct hd_span word = { cursor->at, cursor->at };

	while (word.end < cursor->end && !is_blank(*word.end) && !strchr("=+:\"", *word.end))
		word.end++;
	cursor->at = word.end;
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		if (is_word(word, nodes[i].word)) {
			line->kind = HD_LINE_NODE;
			return parse_node(cursor, nodes[i].type, &line->node);
		}
	if (at_char(cursor, '=') || at_char(cursor, '+'))
		for (size_t i = 0; i < sizeof(field_words) / sizeof(field_words[0]); i++)
			if (is_word(word, field_words[i].word)) {
				line->kind = HD_LINE_FIELD;
				return parse_field(cursor, &field_words[i], &line->field);
			}
	line->kind = HD_LINE_OTHER;
	if (is_word(word, "include") || is_word(word, "do"))
		return fail(cursor, "ibsim's 'include' and 'do' are not supported");
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (is_word(word, titles[i]))
			return true;
	/* "Hostname: x", "pdebug=1", warnings of tools */
	if (word.end > word.begin && (at_char(cursor, '=') || at_char(cursor, ':')))
		return true;
	line->kind = HD_LINE_FOREIGN;
	return fail(cursor, "not a line of a netfile");
}

/* A shell's prompt, "[root@node ~]# ibnetdiscover", is no malformed port. */
static bool is_prompt(const struct cursor *cursor)
{
	size_t length = (size_t)(cursor->end - cursor->at);

	return length > 1 && !(cursor->at[1] >= '0' && cursor->at[1] <= '9') &&
	       !memchr(cursor->at, '"', length);
}

int hd_netfile_parse_line(const struct hd_lines *lines, struct hd_netfile_line *line,
			  struct hd_error *err)
{
	struct cursor cursor = { lines->begin, lines->end, lines, err, NULL };
	bool parsed;

	skip_blanks(&cursor);
	line->kind = HD_LINE_OTHER;
	line->odd = NULL;
	if (cursor.at == cursor.end || *cursor.at == '#')
		return 0;
	if (*cursor.at == '[' && is_prompt(&cursor)) {
		line->kind = HD_LINE_FOREIGN;
		parsed = fail(&cursor, "expected a port number in 1..254 and ']'");
	} else if (*cursor.at == '[') {
		line->kind = HD_LINE_PORT;
		parsed = parse_port(&cursor, &line->port);
	} else if (*cursor.at == '@') {
		parsed = fail(&cursor, "ibsim's port aliases are not supported");
	} else {
		parsed = parse_other(&cursor, line);
	}
	line->odd = cursor.odd;
	return parsed ? 0 : HD_EPARSE;
}
