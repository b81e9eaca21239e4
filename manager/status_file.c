// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/status_file.h"

#include <inttypes.h>
#include <time.h>

#include "support/error.h"
#include "support/output.h"

/* "2026-11-26T02:40:11Z", of a time @seconds ago. */
static void put_time(FILE *stream, double seconds)
{
	const time_t then = time(NULL) - (time_t)seconds;
	struct tm parts;
	char text[32];

	gmtime_r(&then, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	fputs(text, stream);
}

static void put_change(FILE *stream, const struct hd_rollout *rollout, double now)
{
	fprintf(stream, "change     %s\n", hd_rollout_state_name(rollout->state));
	if (rollout->since > 0) {
		fputs("since      ", stream);
		put_time(stream, now - rollout->since);
		fputc('\n', stream);
	}
	fprintf(stream, "waits for  %s\n", hd_rollout_waits_for(rollout->state));
	if (rollout->round)
		fprintf(stream, "round      %u of %u\n", rollout->round,
			rollout->schedule.n_rounds);
	if (rollout->state == HD_ROLLOUT_IDLE)
		return;
	fputs("begun      ", stream);
	put_time(stream, now - rollout->start);
	fprintf(stream, "\nfailures   %u\nlosing     %" PRIu64 " pairs of hosts\n",
		rollout->n_failures, rollout->pairs_lost);
	if (rollout->doubt[0])
		fprintf(stream, "not proved %s\n", rollout->doubt);
}

int hd_status_write(const char *path, const struct hd_status *status, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	fprintf(output.stream, "engine     %s\n", status->engine);
	if (status->routes)
		fprintf(output.stream, "routes     %s\n", status->routes);
	fprintf(output.stream, "confirmed  %s\n", status->is_confirmed ? "yes" : "no");
	put_change(output.stream, status->rollout, status->now);
	return hd_output_commit(&output, err);
}
