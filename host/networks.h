/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The network that the packets of this machine should take now: a page that `heddle agent` keeps,
 * and that programs and libraries which choose among a destination's LIDs read. The network of a
 * LID is its offset to the base LID of its port, as routing engine osha lays them out (SASHA:
 * Yebenes et al., ACM TACO 16(2):17, section 4).
 *
 *	const struct hd_networks_page *page = hd_networks_map(HD_NETWORKS_PATH);
 *	int network = hd_networks_preferred(page, hd_networks_now());
 *	lid = base_lid + (network >= 0 ? network : turn++ % n);
 *
 * This header needs nothing else of heddle's, and may be copied.
 */
#ifndef HD_HOST_NETWORKS_H
#define HD_HOST_NETWORKS_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HD_NETWORKS_PATH  "/run/heddle/networks"
#define HD_NETWORKS_MAGIC 0x314E6448u /* "HdN1" where bytes are little-endian */
#define HD_NETWORKS_ANY   0xFF        /* none is preferred: take turns */
#define HD_NETWORKS_VLS   16

/*
 * The file: 64 bytes, in the machine's byte order. It stays where it is when the agent ends, so that
 * who has mapped it sees the next one. If somebody removes it the agent makes another: who sees no
 * choice for some time may look whether st_ino of the path is that of the page it has mapped.
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
#define HD_NETWORKS_TRIES 1000

/* A choice counts for its interval and one more: then its agent is late, or gone. */
#define HD_NETWORKS_INTERVALS 2

static inline uint64_t hd_networks_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/*
 * The preferred network at @now, from hd_networks_now(); -1: there is none, since the agent sees no
 * difference, or is not there, or late. Cheap enough for every packet, and safe in signal handlers.
 * NULL is a page without an agent.
 */
static inline int hd_networks_preferred(const struct hd_networks_page *page, uint64_t now)
{
	if (!page)
		return -1;
	for (unsigned i = 0; i < HD_NETWORKS_TRIES; i++) {
		uint32_t before = __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE);
		uint32_t magic = __atomic_load_n(&page->magic, __ATOMIC_RELAXED);
		uint64_t time = __atomic_load_n(&page->time, __ATOMIC_RELAXED);
		uint64_t interval = __atomic_load_n(&page->interval, __ATOMIC_RELAXED);
		uint8_t n_networks = __atomic_load_n(&page->n_networks, __ATOMIC_RELAXED);
		uint8_t preferred = __atomic_load_n(&page->preferred, __ATOMIC_RELAXED);

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (before & 1 || __atomic_load_n(&page->sequence, __ATOMIC_RELAXED) != before)
			continue;
		if (magic != HD_NETWORKS_MAGIC || !time || preferred >= n_networks)
			return -1;
		/* a choice that was made after @now was taken is as fresh as one of now */
		if (now > time && (now - time) / HD_NETWORKS_INTERVALS >= interval)
			return -1;
		return preferred;
	}
	return -1; /* an agent that died while it wrote */
}

/* Maps the page at @path for reading; NULL: it is not there yet, or no page. */
static inline const struct hd_networks_page *hd_networks_map(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	void *page = MAP_FAILED;

	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size >= (off_t)sizeof(struct hd_networks_page))
		page = mmap(NULL, sizeof(struct hd_networks_page), PROT_READ, MAP_SHARED, file, 0);
	close(file);
	return page == MAP_FAILED ? NULL : (const struct hd_networks_page *)page;
}

static inline void hd_networks_unmap(const struct hd_networks_page *page)
{
	if (page)
		munmap((void *)(uintptr_t)page, sizeof(*page));
}

#endif
