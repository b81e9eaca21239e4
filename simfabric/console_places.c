// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Places of the fabric as users name them: nodes, ports, LIDs. */
#include <inttypes.h>

#include "simfabric/console_command.h"
#include "support/error.h"
#include "support/text.h"

const char *hd_console_label(const struct hd_console *console, const struct hd_console_place *place,
			     char *buffer, size_t size)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	char name[HD_LABEL_SIZE];

	hd_node_label(fabric, place->node, name, sizeof(name));
	if (place->port == HD_NONE)
		snprintf(buffer, size, "\"%s\"", name);
	else
		snprintf(buffer, size, "\"%s\"[%u]", name, fabric->ports[place->port].number);
	return buffer;
}

uint32_t hd_console_ports(const struct hd_console *console, const struct hd_console_place *place,
			  uint32_t *end)
{
	const struct hd_node *node = &console->emulator->fabric->nodes[place->node];

	if (place->port != HD_NONE) {
		*end = place->port + 1;
		return place->port;
	}
	*end = node->first_port + node->n_ports + 1;
	return node->first_port + 1;
}

uint32_t hd_console_port_of_lid(const struct hd_emulator *emulator, uint64_t lid)
{
	const struct hd_fabric *fabric = emulator->fabric;

	for (uint32_t i = 0; lid && i < fabric->n_endports; i++) {
		const struct hd_emulator_port *state = &emulator->ports[fabric->endports[i]];

		if (state->lid && lid >> state->lmc == (uint64_t)state->lid >> state->lmc)
			return fabric->endports[i];
	}
	return HD_NONE;
}

static int find_node(const struct hd_console *console, const char *name, uint32_t *node,
		     struct hd_error *err)
{
	uint64_t number;
	uint32_t port;
	int ret = hd_fabric_find(console->emulator->fabric, name, node, err);

	/* the LID is looked up in the running fabric, not in the file */
	if ((!ret && strcmp(hd_node_name(console->emulator->fabric, *node), name) == 0) ||
	    hd_parse_number(name, "node", 0, HD_MAX_LID, &number, NULL))
		return ret;
	port = hd_console_port_of_lid(console->emulator, number);
	if (port == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "no port has LID %" PRIu64, number);
	*node = console->emulator->fabric->ports[port].node;
	return 0;
}

int hd_console_parse_place(const struct hd_console *console, char *token, bool with_port,
			   struct hd_console_place *place, struct hd_error *err)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	char *bracket = NULL, *name = token;
	uint64_t number;
	int ret;

	if (*token == '"') {
		char *quote = strrchr(++name, '"');

		if (!quote)
			return hd_error_set(err, HD_EINVAL, "%s lacks its second \"", token);
		if (quote[1] == '[')
			bracket = quote + 1;
		else if (quote[1])
			return hd_error_set(err, HD_EINVAL, "what is '%s' after the name?",
					    quote + 1);
		*quote = '\0';
	} else {
		bracket = strrchr(token, '[');
	}
	place->port = HD_NONE;
	if (!bracket) {
		if (with_port)
			return hd_error_set(err, HD_EINVAL, "'%s' needs a port, as in \"%s\"[1]",
					    name, name);
		return find_node(console, name, &place->node, err);
	}
	*bracket++ = '\0';
	if (!*bracket || bracket[strlen(bracket) - 1] != ']')
		return hd_error_set(err, HD_EINVAL, "'%s' lacks its ]", bracket);
	bracket[strlen(bracket) - 1] = '\0';
	ret = find_node(console, name, &place->node, err);
	if (ret)
		return ret;
	ret = hd_parse_number(bracket, "port", 0, UINT64_MAX, &number, err);
	if (ret)
		return ret;
	if (number > fabric->nodes[place->node].n_ports ||
	    (!number && !hd_is_switch(fabric, place->node)))
		return hd_error_set(err, HD_ENOTFOUND,
				    "\"%s\" has no port %" PRIu64 ", but %s to %u", name, number,
				    hd_is_switch(fabric, place->node) ? "0" : "1",
				    fabric->nodes[place->node].n_ports);
	place->port = hd_port_index(fabric, place->node, (unsigned)number);
	return 0;
}
