// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into OpenSM by bench_daemon.py: how long the daemon computes between the last MAD
 * before routing and the first MAD of tables, which is the Set of SwitchInfo that says where LFTs
 * end, or the first Set of an LFT block where that has not changed. Each time that LFTs follow
 * other MADs, the file FIRST_LFT_LOG gets a line: seconds of the process's processor time, and
 * seconds.
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

struct moment {
	double processor, wall;
};

static double seconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static struct moment now(void)
{
	return (struct moment){ seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC) };
}

static void report(const struct moment *from, const struct moment *to)
{
	const char *path = getenv("FIRST_LFT_LOG");
	FILE *log = path ? fopen(path, "a") : NULL;

	if (!log)
		return;
	fprintf(log, "%.6f %.6f\n", to->processor - from->processor, to->wall - from->wall);
	fclose(log);
}

int umad_send(int port, int agent, void *umad, int length, int timeout_ms, int retries)
{
	static int (*next)(int, int, void *, int, int, int);
	/* the last other MAD, and the first Set of SwitchInfo or of an LFT since then */
	static struct moment other, first;
	static enum { OTHERS, SWITCH_INFOS, LFTS } last;
	const unsigned char *mad = (const unsigned char *)umad + umad_size();
	const unsigned attribute = (unsigned)mad[16] << 8 | mad[17];
	const int is_set = mad[3] == METHOD_SET;
	const int is_lft = is_set && attribute == ATTRIBUTE_LFT;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "umad_send");
	if (!is_lft && !(is_set && attribute == ATTRIBUTE_SWITCH_INFO)) {
		last = OTHERS;
		other = now();
	} else if (last == OTHERS) {
		first = now();
	}
	if (is_lft && last != LFTS)
		report(&other, &first);
	if (is_lft)
		last = LFTS;
	else if (is_set && attribute == ATTRIBUTE_SWITCH_INFO && last == OTHERS)
		last = SWITCH_INFOS;
	return next(port, agent, umad, length, timeout_ms, retries);
}
