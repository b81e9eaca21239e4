/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The virtual network that the packets of this machine should take now: a page that `heddle agent`
 * writes. Programs and libraries that choose among a destination's LIDs read the page. The network
 * of a LID is its LMC offset, as with routing engine osha (SASHA: Yebenes et al., ACM TACO
 * 16(2):17, section 4).
 *
 *	struct hd_networks_page page;
 *	int network = -1;
 *
 *	if (hd_networks_read(HD_NETWORKS_PATH, &page))
 *		network = hd_networks_preferred(&page, hd_networks_now());
 *	lid = base_lid + (network >= 0 ? network : turn++ % n);
 *
 * Read the page, do not map it: the file belongs to others, and if they cut it, a program that has
 * mapped it ends with SIGBUS. The functions open the file each time, so that a program has no
 * hidden open file, and sees at once a page that replaces another. A reading takes four system
 * calls, about two microseconds. A program that asks for every packet keeps a copy of the page, and
 * reads again after a part of `interval` (hd_networks_again()).
 *
 * This header needs no other file of heddle, and may be copied.
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
#define HD_NETWORKS_MAGIC 0x314E6448u /* "HdN1" on a little-endian machine */
#define HD_NETWORKS_ANY   0xFF        /* no network is preferred: take turns */
#define HD_NETWORKS_VLS   16

/*
 * The file: 64 bytes, in the machine's byte order. The file stays when the agent ends. If somebody
 * removes it, the agent makes another.
 */
struct hd_networks_page {
	uint32_t sequence;   /* odd: the agent is writing; data that was read while it changed is
				invalid */
	uint32_t magic;      /* HD_NETWORKS_MAGIC */
	uint64_t time;       /* time of the choice, CLOCK_MONOTONIC in ns; 0: there is no agent */
	uint64_t interval;   /* ns from one choice to the next */
	uint16_t lid;        /* base LID of the port that the agent reads */
	uint8_t lmc;         /* its LMC */
	uint8_t n_networks;  /* 1 << lmc */
	uint8_t preferred;   /* offset of the LIDs to take, or HD_NETWORKS_ANY */
	uint8_t reserved[3]; /* 0 */

	/*
	 * How long each VL of the port waited for credits in the last interval, in the unit of
	 * PortVLXmitWait (the time of a 4-byte word); 65535: this or more.
	 */
	uint16_t waited[HD_NETWORKS_VLS];
};

_Static_assert(sizeof(struct hd_networks_page) == 64, "the page is a file format");

/* How often a reader reads a page again that the agent is writing. */
#define HD_NETWORKS_TRIES 16

/* A choice is valid for its interval and one more. After that, its agent is late or gone. */
#define HD_NETWORKS_INTERVALS 2

static inline uint64_t hd_networks_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/*
 * Reads the page at @path, all of it from one writing. False: the file is not there yet, is no
 * page, is cut, or its agent died while it wrote. No file's position changes, and no memory is
 * shared.
 */
static inline bool hd_networks_read(const char *path, struct hd_networks_page *page)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const ssize_t size = sizeof(*page);
	struct hd_networks_page after;
	bool is_whole = false;

	if (file < 0)
		return false;
	for (unsigned i = 0; i < HD_NETWORKS_TRIES && !is_whole; i++) {
		if (pread(file, page, (size_t)size, 0) != size || page->magic != HD_NETWORKS_MAGIC)
			break;
		/*
		 * all of it: if somebody cut the file during the first reading, the end of the page
		 * was zero, and the number the same
		 */
		is_whole = !(page->sequence & 1) && pread(file, &after, (size_t)size, 0) == size &&
			   after.sequence == page->sequence;
	}
	close(file);
	return is_whole;
}

/*
 * The network that @page, a copy, prefers at @now, from hd_networks_now(). -1: none, because the
 * agent sees no difference, is gone, or is late.
 */
static inline int hd_networks_preferred(const struct hd_networks_page *page, uint64_t now)
{
	if (page->magic != HD_NETWORKS_MAGIC || !page->time || page->preferred >= page->n_networks)
		return -1;
	/* a choice made after @now counts as made now */
	if (now > page->time && (now - page->time) / HD_NETWORKS_INTERVALS >= page->interval)
		return -1;
	return page->preferred;
}

/*
 * For how many ns a program may use @page, a copy, before the next reading: a part of the interval,
 * so that reading takes almost no time and a choice is not very late. @page NULL: no page was read.
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
