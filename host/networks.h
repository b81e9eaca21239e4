/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The network that the packets of this machine should take now: a page that `heddle agent` keeps,
 * and that programs and libraries which choose among a destination's LIDs read. The network of a
 * LID is its offset to the base LID of its port, as routing engine osha lays them out (SASHA:
 * Yebenes et al., ACM TACO 16(2):17, section 4).
 *
 *	struct hd_networks_page page;
 *	int network = -1;
 *
 *	if (hd_networks_read(HD_NETWORKS_PATH, &page))
 *		network = hd_networks_preferred(&page, hd_networks_now());
 *	lid = base_lid + (network >= 0 ? network : turn++ % n);
 *
 * The page is read, not mapped: the file belongs to others, and one that is cut would end who has it
 * mapped with SIGBUS. It is opened each time, so that a program has no file that it does not know of,
 * and a page in the place of another is seen at once. A reading is four system calls, some two
 * microseconds: a program that asks for every packet reads again after a part of `interval`
 * (hd_networks_again()), and goes on with its copy until then.
 *
 * This header needs nothing else of heddle's, and may be copied.
 */
#ifndef HD_HOST_NETWORKS_H
#define HD_HOST_NETWORKS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#define HD_NETWORKS_PATH  "/run/heddle/networks"
#define HD_NETWORKS_MAGIC 0x314E6448u /* "HdN1" where bytes are little-endian */
#define HD_NETWORKS_ANY   0xFF        /* none is preferred: take turns */
#define HD_NETWORKS_VLS   16

/*
 * The file: 64 bytes, in the machine's byte order. It stays where it is when the agent ends. If somebody
 * removes it the agent makes another.
 */
struct hd_networks_page {
	uint32_t sequence;   /* odd: the agent is writing; what was read while it changed is void */
	uint32_t magic;      /* HD_NETWORKS_MAGIC */
	uint64_t time;       /* CLOCK_MONOTONIC in ns of the choice; 0: there is no agent */
	uint64_t interval;   /* ns from one choice to the next */
	uint16_t lid;        /* base LID of the port that the agent reads */
	uint8_t lmc;         /* its LMC */
	uint8_t n_networks;  /* 1 << lmc */
	uint8_t preferred;   /* offset of the LIDs to take, or HD_NETWORKS_ANY */
	uint8_t reserved[3]; /* 0 */

	/*
	 * What each VL of the port waited for credits in the last interval, in words' time as
	 * PortVLXmitWait counts; 65535: so much, or more.
	 */
	uint16_t waited[HD_NETWORKS_VLS];
};

_Static_assert(sizeof(struct hd_networks_page) == 64, "the page is a file format");

/* How often a reader looks again at a page that is just being written. */
#define HD_NETWORKS_TRIES 16

/* A choice counts for its interval and one more: then its agent is late, or gone. */
#define HD_NETWORKS_INTERVALS 2

static inline uint64_t hd_networks_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/*
 * Reads the page at @path, whole and from one writing; false: it is not there yet, no page, cut, or its
 * agent died while it wrote. The position of no file changes, and no memory is shared.
 */
static inline bool hd_networks_read(const char *path, struct hd_networks_page *page)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const ssize_t size = sizeof(*page), word = sizeof(page->sequence);
	bool is_whole = false;
	uint32_t after;

	if (file < 0)
		return false;
	for (unsigned i = 0; i < HD_NETWORKS_TRIES && !is_whole; i++) {
		if (pread(file, page, (size_t)size, 0) != size || page->magic != HD_NETWORKS_MAGIC)
			break;
		is_whole = !(page->sequence & 1) && pread(file, &after, (size_t)word, 0) == word &&
			   after == page->sequence;
	}
	close(file);
	return is_whole;
}

/*
 * The network that @page, a copy, prefers at @now, from hd_networks_now(); -1: none, since the agent sees
 * no difference, or is gone, or late.
 */
static inline int hd_networks_preferred(const struct hd_networks_page *page, uint64_t now)
{
	if (page->magic != HD_NETWORKS_MAGIC || !page->time || page->preferred >= page->n_networks)
		return -1;
	/* a choice that was made after @now was taken is as fresh as one of now */
	if (now > page->time && (now - page->time) / HD_NETWORKS_INTERVALS >= page->interval)
		return -1;
	return page->preferred;
}

/*
 * For how many ns @page, a copy, may be gone by before the next reading: a part of the interval, so that
 * reading costs next to nothing and a choice is not late by much. @page is NULL where there is none.
 */
static inline uint64_t hd_networks_again(const struct hd_networks_page *page)
{
	const uint64_t least = UINT64_C(50000), second = UINT64_C(1000000000);
	uint64_t part;

	if (!page)
		return second;
	part = page->interval / 16;
	if (!page->time || part > second / 16)
		return second / 16;
	return part > least ? part : least;
}

#endif
