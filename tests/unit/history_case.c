// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/history_case.h"

#include "tests/unit/unit.h"

#include <unistd.h>

#include "simfabric/emulator/link_state.h"

void history_case_new(struct history_case *s, const char *spec, const char *engine)
{
	int fd;

	*s = (struct history_case){ .path = "/tmp/heddle-history-XXXXXX" };
	emulator_case_new(&s->c, spec, engine, 0, NULL);
	fd = mkstemp(s->path);
	assert_true(fd >= 0);
	close(fd);
}

void history_case_begin(struct history_case *s)
{
	struct hd_error err;

	assert_hd_ok(hd_history_start(s->c.emulator, s->path, &s->history, &err), err);
}

void history_case_end(struct history_case *s)
{
	struct hd_error err;

	assert_hd_ok(hd_history_end(s->history, &err), err);
	s->history = NULL;
}

void history_case_free(struct history_case *s)
{
	history_case_end(s);
	unlink(s->path);
	emulator_case_free(&s->c);
}

bool *history_case_failed(const struct hd_fabric *fabric)
{
	bool *failed = calloc(fabric->top_lid + (size_t)1, sizeof(*failed));

	assert_non_null(failed);
	hd_for_each_lid(lid, fabric) {
		const uint32_t port = fabric->lids[lid].port;

		failed[lid] = port != HD_NONE && !hd_is_switch(fabric, fabric->ports[port].node) &&
			      fabric->ports[port].peer == HD_NONE;
	}
	return failed;
}

void history_case_set(struct history_case *s, uint32_t node, unsigned attribute, uint32_t modifier,
		      const uint8_t *data)
{
	const uint32_t host = hd_port_index(s->c.fabric, s->c.fabric->n_switches, 1);
	uint8_t path[64];
	unsigned n = shortest_path(s->c.fabric, host, node, path);
	struct hd_packet packet = directed(attribute, modifier, path, n);

	packet.mad[HD_MAD_METHOD] = HD_METHOD_SET;
	memcpy(packet.mad + HD_SMP_DATA, data, HD_SMP_DATA_SIZE);
	emulator_case_ask(&s->c, host, &packet);
}

void history_case_set_entry(struct history_case *s, uint32_t node, uint16_t lid, unsigned out)
{
	const uint8_t *lft = s->c.emulator->switches[node].lft;
	uint8_t block[HD_SMP_DATA_SIZE];

	/* a switch that was off has none */
	memset(block, HD_NO_PATH, sizeof(block));
	if (lft)
		memcpy(block, lft + lid / 64 * 64, sizeof(block));
	block[lid % 64] = (uint8_t)out;
	history_case_set(s, node, HD_ATTRIBUTE_LINEAR_TABLE, lid / 64, block);
}

void history_case_change(struct history_case *s, struct hd_random *random)
{
	const struct hd_fabric *fabric = s->c.fabric;
	const uint32_t node = hd_random_below(random, fabric->n_switches);
	const unsigned port = 1 + hd_random_below(random, fabric->nodes[node].n_ports);
	const uint32_t link = hd_port_index(fabric, node, port);
	const uint16_t lid = (uint16_t)(1 + hd_random_below(random, fabric->top_lid));
	uint8_t row[HD_SMP_DATA_SIZE];

	switch (hd_random_below(random, 8)) {
	case 0:
		memset(row, (int)(0x11 * hd_random_below(random, 2)), sizeof(row));
		history_case_set(
			s, node, HD_ATTRIBUTE_SL2VL_TABLE,
			port | hd_random_below(random, fabric->nodes[node].n_ports + 1u) << 8, row);
		break;
	case 1:
		hd_link_unplug(s->c.emulator, link);
		break;
	case 2:
		/* it is not active until a subnet manager makes it so */
		hd_link_replug(s->c.emulator, link);
		break;
	default:
		history_case_set_entry(s, node, lid, port);
		break;
	}
}

int history_case_prove_file(const char *path, uint64_t life, struct hd_history_verdict *verdict,
			    struct hd_error *err)
{
	const struct hd_history_proof proof = { .name = "history", .life = life };
	struct hd_history_reader *reader;
	FILE *stream = fopen(path, "r");
	int ret;

	assert_non_null(stream);
	*verdict = (struct hd_history_verdict){ .n_records = 0 };
	ret = hd_history_open(stream, "history", &reader, err);
	if (!ret)
		ret = hd_history_prove(reader, &proof, verdict, err);
	hd_history_verdict_clear(verdict);
	hd_history_close(reader);
	return ret;
}

struct hd_history_verdict history_case_prove(const struct history_case *s, uint64_t life)
{
	struct hd_history_verdict verdict;
	struct hd_error err;

	assert_hd_ok(history_case_prove_file(s->path, life, &verdict, &err), err);
	return verdict;
}
