// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/carried_case.h"

#include <unistd.h>

#include "simfabric/traffic/carried_links.h"
#include "tables/dumps.h"
#include "tests/unit/unit.h"

void begin_lmc(struct scene *s, const char *spec, const char *engine, unsigned lmc)
{
	struct hd_error err;
	FILE *file;
	int fd;

	*s = (struct scene){ .sls = "/tmp/heddle-carried-XXXXXX" };
	emulator_case_new(&s->c, spec, engine, lmc, NULL);
	s->carried = hd_carried_new(s->c.emulator);
	assert_non_null(s->carried);
	fd = mkstemp(s->sls);
	assert_true(fd >= 0);
	file = fdopen(fd, "w");
	assert_non_null(file);
	if (engine)
		assert_hd_ok(hd_dump_path_sl.write(s->c.tables, file, &err), err);
	fclose(file);
}

void begin(struct scene *s, const char *spec, const char *engine)
{
	begin_lmc(s, spec, engine, 0);
}

void finish(struct scene *s)
{
	unlink(s->sls);
	hd_carried_free(s->carried);
	emulator_case_free(&s->c);
}

int start(struct scene *s, const char *text, bool limited, struct hd_error *err)
{
	struct hd_carried_options options;
	int ret = hd_carried_options_parse(text, limited, hd_carried_mtu(s->c.emulator), &options,
					   err);

	return ret ? ret : hd_carried_start(s->carried, &options, err);
}

void check_census(const struct hd_carried_status *status)
{
	assert_true(status->generated == status->queued + status->under_way + status->delivered +
						 status->dropped + status->lost);
}

struct hd_carried_status wait_for_end(struct scene *s, uint64_t step)
{
	struct hd_carried_status status = hd_carried_status(s->carried);

	for (unsigned i = 0; hd_carried_is_on(status.state); i++) {
		assert_true(i < 100000);
		hd_emulator_advance(s->c.emulator, s->c.emulator->now + step);
		status = hd_carried_status(s->carried);
		check_census(&status);
	}
	assert_int_equal(status.queued + status.under_way, 0);
	return status;
}

struct hd_carried_status carry(struct scene *s, const char *text)
{
	struct hd_error err;

	assert_hd_ok(start(s, text, true, &err), err);
	return wait_for_end(s, 2 * MS);
}

struct sums sum_up(const struct emulator_case *c)
{
	struct sums sums = { 0 };

	hd_for_each_port(p, c->fabric) {
		const struct hd_vl_counters *of = lanes(c, p);
		uint32_t peer = c->fabric->ports[p].peer;

		for (unsigned vl = 0; vl < HD_EMULATOR_VLS; vl++) {
			if (peer != HD_NONE) {
				assert_int_equal(of[vl].xmit_packets,
						 lanes(c, peer)[vl].rcv_packets);
				assert_int_equal(of[vl].xmit_data, lanes(c, peer)[vl].rcv_data);
			}
			if (hd_is_switch(c->fabric, c->fabric->ports[p].node))
				continue;
			sums.sent += of[vl].xmit_packets;
			sums.received += of[vl].rcv_packets;
			sums.words_sent += of[vl].xmit_data;
			sums.words_received += of[vl].rcv_data;
		}
	}
	return sums;
}
