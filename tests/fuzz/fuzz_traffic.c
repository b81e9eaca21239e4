// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Specs of traffic, a line for the pattern and one for the arrival process; the first byte says for
 * how many hosts and at which load. Files are left to fuzz_trace.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/traffic.h"
#include "support/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw(struct hd_traffic *traffic, uint32_t hosts, uint32_t packet)
{
	struct hd_message message;

	for (uint32_t host = 0; host < hosts; host++) {
		uint64_t last = 0;

		for (unsigned n = 0; n < 20 && hd_traffic_next(traffic, host, &message); n++) {
			if (message.from != host || message.to >= hosts || message.size != packet ||
			    message.time < last || message.tag >= hd_traffic_classes(traffic))
				abort();
			last = message.time;
		}
	}
}

#define MOST_DUE 256

/* What is under way: messages that arrive, and hosts that are woken, one after another. */
struct due {
	struct hd_message messages[MOST_DUE]; /* size 0: its host is woken */
	unsigned n, taken;
};

static void send(void *context, const struct hd_message *message)
{
	struct due *due = context;

	if (!message->size || message->from == message->to)
		abort();
	if (due->n < MOST_DUE)
		due->messages[due->n++] = *message;
}

static void wake(void *context, uint32_t host, uint64_t time)
{
	struct due *due = context;

	if (due->n < MOST_DUE)
		due->messages[due->n++] = (struct hd_message){ .time = time, .from = host };
}

/* Lets hosts that keep time do so for a while. */
static void keep_time(struct hd_traffic *traffic, uint32_t hosts)
{
	struct due due = { .n = 0 };
	const struct hd_traffic_actions actions = { .send = send, .wake = wake, .context = &due };
	uint64_t now = 0;

	hd_traffic_begin(traffic, &actions);
	while (due.taken < due.n) {
		struct hd_message message = due.messages[due.taken++];

		if (message.from >= hosts || message.to >= hosts)
			abort();
		if (message.time > now)
			now = message.time;
		if (!message.size) {
			hd_traffic_woken(traffic, now, message.from, &actions);
			continue;
		}
		hd_traffic_entered(traffic, now, &message, &actions);
		hd_traffic_received(traffic, now, &message, &actions);
	}
	if (hd_traffic_application(traffic) && hd_traffic_waiting(traffic) > hosts)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_traffic_setting setting = { .unit_ticks = 10, .seed = size, .has_actions = true };
	struct hd_traffic_phase phase = { .size = 8, .until = UINT64_MAX };
	struct hd_error err = { 0 };
	struct hd_traffic *traffic;
	char *pattern, *arrival;
	int ret;

	if (!size || size > 256)
		return 0;
	setting.n_hosts = 1 + data[0] % 66;
	phase.load = data[0] / 255.0;
	pattern = calloc(1, size);
	if (!pattern)
		return 0;
	memcpy(pattern, data + 1, size - 1);
	arrival = strchr(pattern, '\n');
	if (arrival && strncmp(pattern, "trace", 5) != 0 && strncmp(pattern, "vef", 3) != 0) {
		*arrival = '\0';
		phase.pattern = pattern;
		phase.arrival = arrival + 1;
		ret = hd_traffic_new(&setting, &phase, 1, &traffic, &err);
		if (ret ? traffic != NULL || !*err.text || strchr(err.text, '\n') != NULL
			: traffic == NULL)
			abort();
		if (traffic) {
			draw(traffic, setting.n_hosts, phase.size);
			keep_time(traffic, setting.n_hosts);
		}
		hd_traffic_free(traffic);
	}
	free(pattern);
	return 0;
}
