// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "host/preload/preload.h"

struct family {
	struct ibv_ah *known;
	unsigned n;
	uint8_t networks[HD_LIDS_MAX];
	struct member {
		struct ibv_ah *handle; /* key */
		struct family *family;
		UT_hash_handle hh;
	} members[];
};

static struct member *all;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct family *find(struct ibv_ah *handle)
{
	struct member *member;

	HASH_FIND_PTR(all, &handle, member);
	return member ? member->family : NULL;
}

static void drop(struct family *family, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		HASH_DEL(all, &family->members[i]);
	free(family);
}

bool hd_family_add(struct ibv_ah *known, struct ibv_ah *const *handles, const uint8_t *networks,
		   unsigned n)
{
	struct family *family = calloc(1, sizeof(*family) + n * sizeof(family->members[0]));
	bool ok = true;

	if (!family)
		return false;
	family->known = known;
	family->n = n;
	memcpy(family->networks, networks, n);
	pthread_rwlock_wrlock(&lock);
	for (unsigned i = 0; i < n && ok; i++) {
		struct member *member = &family->members[i];

		member->handle = handles[i];
		member->family = family;
		HASH_ADD_PTR(all, handle, member);
		/* out of memory, uthash leaves it out */
		ok = find(handles[i]) == family;
		if (!ok)
			drop(family, i);
	}
	pthread_rwlock_unlock(&lock);
	return ok;
}

struct ibv_ah *hd_family_choose(struct ibv_ah *known)
{
	struct ibv_ah *chosen = known;
	struct family *family;

	pthread_rwlock_rdlock(&lock);
	family = find(known);
	if (family)
		chosen = family->members[hd_ways_choose(family->networks, family->n)].handle;
	pthread_rwlock_unlock(&lock);
	return chosen;
}

struct ibv_ah *hd_family_known(struct ibv_ah *handle)
{
	struct ibv_ah *known = handle;
	struct family *family;

	pthread_rwlock_rdlock(&lock);
	family = find(handle);
	if (family)
		known = family->known;
	pthread_rwlock_unlock(&lock);
	return known;
}

unsigned hd_family_remove(struct ibv_ah *known, struct ibv_ah **others)
{
	struct family *family;
	unsigned n = 0;

	pthread_rwlock_wrlock(&lock);
	family = find(known);
	if (family) {
		for (unsigned i = 0; i < family->n; i++)
			if (family->members[i].handle != known)
				others[n++] = family->members[i].handle;
		drop(family, family->n);
	}
	pthread_rwlock_unlock(&lock);
	return n;
}
