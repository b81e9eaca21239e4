// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into OpenSM by bench_daemon.py: how long the daemon computes between the last MAD
 * before routing and the first Set of an LFT block. Sets of SwitchInfo right before LFTs, which say where these end, are part of routing.
 * Each time that LFTs follow other MADs, the file FIRST_LFT_LOG gets a line: seconds of the
 * process's processor time, and seconds.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ATTRIBUTE_SWITCH_INFO 0x12
#define ATTRIBUTE_LFT         0x19
#define METHOD_SET            2

/* Of infiniband/umad.h: bytes before the MAD. */
size_t umad_size(void);
int umad_send(int port, int agent, void *umad, int length, int timeout_ms, int retries);

static double seconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int umad_send(int port, int agent, void *umad, int length, int timeout_ms, int retries)
{
	static int (*next)(int, int, void *, int, int, int);
	static double before, wall_before;
	static int sends_lfts;
	const unsigned char *mad = (const unsigned char *)umad + umad_size();
	const unsigned attribute = (unsigned)mad[16] << 8 | mad[17];
	const int is_set = mad[3] == METHOD_SET;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "umad_send");
	if (is_set && attribute == ATTRIBUTE_LFT) {
		const char *path = getenv("FIRST_LFT_LOG");
		FILE *log = sends_lfts || !path ? NULL : fopen(path, "a");

		if (log) {
			fprintf(log, "%.6f %.6f\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - before,
				seconds(CLOCK_MONOTONIC) - wall_before);
			fclose(log);
		}
		sends_lfts = 1;
	} else if (!is_set || attribute != ATTRIBUTE_SWITCH_INFO) {
		sends_lfts = 0;
		before = seconds(CLOCK_PROCESS_CPUTIME_ID);
		wall_before = seconds(CLOCK_MONOTONIC);
	}
	return next(port, agent, umad, length, timeout_ms, retries);
}
