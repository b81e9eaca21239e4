// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any lines on the console, with time that passes after each: what a command cannot do is said in a
 * line, and traffic is conserved, whatever happens to links, nodes and LIDs under it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/console.h"
#include "simfabric/traffic/carried.h"
#include "tests/unit/agents_case.h"

#define MOST_LINES 12 /* short inputs are many, and reach the same */
#define STEP_NS    12000000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

/* Whether @line may read a file. */
static bool is_of_files(const char *line)
{
	return strchr(line, '!') || strcasestr(line, "trace") || strcasestr(line, "vef") ||
	       strcasestr(line, "path_sl");
}

static void check_traffic(const struct hd_carried *carried)
{
	struct hd_carried_status status = hd_carried_status(carried);

	require(status.generated == status.queued + status.under_way + status.delivered +
					    status.dropped + status.lost,
		"packets are not conserved");
	require(status.n_up <= status.n_hosts, "more hosts are up than there are");
	require(hd_carried_is_on(status.state) || status.queued + status.under_way == 0,
		"there are packets without traffic");
}

static void check_answer(const char *answer, int ret)
{
	const char *error = strncmp(answer, "error: ", 7) == 0 ? answer : NULL;

	require(!ret == !error, "an error is not said, or nothing is wrong");
	require(!error || strchr(error, '\n') == error + strlen(error) - 1,
		"an error takes more than a line");
}

static void run(struct hd_console *console, const char *line)
{
	char *answer = NULL;
	size_t size;
	FILE *out = open_memstream(&answer, &size);
	void (*later)(struct hd_console * console, FILE * out);
	int ret;

	if (!out)
		return;
	console->later = NULL;
	ret = hd_console_line(console, line, out);
	fflush(out);
	check_answer(answer, ret);
	hd_emulator_advance(console->emulator, console->emulator->now + STEP_NS);
	later = console->later;
	if (later)
		later(console, out);
	fclose(out);
	free(answer);
}

/*
 * "smp NODE ATTRIBUTE MODIFIER BYTES", in hexadecimal: a Set of a switch's attribute, for what the
 * console shows and traffic follows. False: it is no such line.
 */
static bool set(struct hd_emulator *emulator, const char *line)
{
	struct hd_packet packet = { .sqp = 0 };
	unsigned node, attribute, modifier, value;
	int used = 0, length;

	if (sscanf(line, "smp %x %x %x %n", &node, &attribute, &modifier, &used) != 3 || !used ||
	    node >= emulator->fabric->n_nodes)
		return false;
	packet.mad[HD_MAD_BASE_VERSION] = packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_SET;
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, (uint16_t)attribute);
	hd_put32(packet.mad + HD_MAD_MODIFIER, modifier);
	for (size_t i = 0;
	     i < HD_SMP_DATA_SIZE && sscanf(line + used, "%2x%n", &value, &length) == 1;
	     i++, used += length)
		packet.mad[HD_SMP_DATA + i] = (uint8_t)value;
	hd_sma_handle(emulator, node, 0, &packet);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_emulator_options options;
	struct agents_case c;
	struct hd_clients *clients;
	unsigned verbose = 0, n = 0;
	struct hd_console console = { .verbose = &verbose };
	char *text = malloc(size + 1), *rest = text, *line;

	hd_emulator_options_init(&options);
	options.ar = true;
	if (!text || !agents_case_new(&c, &options) || hd_clients_new(c.emulator, &clients, NULL))
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	agents_case_bring_up(&c);
	console.emulator = c.emulator;
	console.clients = clients;
	console.carried = hd_carried_new(c.emulator);
	while (console.carried && n++ < MOST_LINES && (line = strsep(&rest, "\n"))) {
		if (is_of_files(line) || set(c.emulator, line))
			continue;
		run(&console, line);
		check_traffic(console.carried);
	}
	hd_carried_free(console.carried);
	hd_clients_free(clients);
	agents_case_free(&c);
	free(text);
	return 0;
}
