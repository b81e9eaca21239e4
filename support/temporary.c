// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK   ".heddle-"
#define DIGITS 8 /* hexadecimal */
#define TRIES  100

#define MOST_KNOWN 32

/*
 * What hd_temporary_remove_all() removes: signals belong to the process, so this does, too. Whoever takes an entry from LIVE to another state has its path.
 */
enum known_state { FREE, BEGUN, LIVE, REMOVED };

static struct known {
	_Atomic int state;
	pid_t owner; /* a child of it removes nothing */
	char *path;
} known[MOST_KNOWN];

static bool take(struct known *entry, int from, int to)
{
	return atomic_compare_exchange_strong(&entry->state, &from, to);
}

/* Those beyond MOST_KNOWN at a time stay when a signal ends the process. */
static void remember(char *path)
{
	for (int i = 0; i < MOST_KNOWN; i++)
		if (take(&known[i], FREE, BEGUN)) {
			known[i].owner = getpid();
			known[i].path = path;
			atomic_store(&known[i].state, LIVE);
			return;
		}
}

/* @path is not looked at any more when this returns. */
static void forget(const char *path)
{
	for (int i = 0; i < MOST_KNOWN; i++) {
		if (atomic_load(&known[i].state) != LIVE || known[i].path != path)
			continue;
		while (!take(&known[i], LIVE, FREE))
			pause(); /* the handler has it: the process ends */
		return;
	}
}

/* Removes a file, or a directory of files, by functions that a signal's handler may call. */
static void remove_at_once(const char *path)
{
	_Alignas(struct dirent64) char entries[4096];
	ssize_t size;
	int fd;

	if (unlink(path) == 0 || errno == ENOENT)
		return;
	/* another thread may still be writing files there */
	for (int i = 0; i < TRIES && rmdir(path) && errno == ENOTEMPTY; i++) {
		fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return;
		while ((size = getdents64(fd, entries, sizeof(entries))) > 0)
			for (ssize_t at = 0; at < size;) {
				const struct dirent64 *entry = (const void *)(entries + at);

				unlinkat(fd, entry->d_name, 0);
				at += entry->d_reclen;
			}
		close(fd);
	}
}

void hd_temporary_remove_all(void)
{
	for (int i = 0; i < MOST_KNOWN; i++)
		if (take(&known[i], LIVE, REMOVED) && known[i].owner == getpid())
			remove_at_once(known[i].path);
}

static void remove_at(int directory, const char *name);

/* Removes all that is in the directory @fd, which is closed. */
static void clear_directory(int fd)
{
	DIR *stream = fdopendir(fd);
	struct dirent *entry;

	if (!stream) {
		close(fd);
		return;
	}
	while ((entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_at(dirfd(stream), entry->d_name);
	closedir(stream);
}

/* Follows no symbolic link. */
static void remove_at(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0) {
		unlinkat(directory, name, 0);
		return;
	}
	clear_directory(fd);
	unlinkat(directory, name, AT_REMOVEDIR);
}

/* Removes @name unless a process has it, or it is another user's. */
static void remove_if_abandoned(int directory, const char *name)
{
	struct stat status;
	int fd;

	if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) || status.st_uid != geteuid() ||
	    (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
		return;
	/* over NFS, only who may write may lock */
	fd = openat(directory, name,
		    (S_ISDIR(status.st_mode) ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK |
			    O_CLOEXEC);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_at(directory, name);
	close(fd);
}

/* Whether @name is one that hd_temporary_make() gives for @base. */
static bool is_temporary_of(const char *name, const char *base)
{
	size_t length = strlen(base);

	if (strncmp(name, base, length) != 0 || strncmp(name + length, MARK, sizeof(MARK) - 1) != 0)
		return false;
	name += length + sizeof(MARK) - 1;
	return strlen(name) == DIGITS && strspn(name, "0123456789abcdef") == DIGITS;
}

static void remove_abandoned(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *directory = slash ? strndup(path, (size_t)(base - path)) : strdup(".");
	DIR *stream = directory ? opendir(directory) : NULL;
	struct dirent *entry;

	free(directory);
	if (!stream)
		return;
	while ((entry = readdir(stream)))
		if (is_temporary_of(entry->d_name, base))
			remove_if_abandoned(dirfd(stream), entry->d_name);
	closedir(stream);
}

/* A descriptor with the lock, or -1 with errno; EEXIST: to be tried again with another name. */
static int make(const char *path, bool is_directory, mode_t mode)
{
	struct stat status;
	int fd;

	if (is_directory)
		fd = mkdir(path, mode)
			     ? -1
			     : open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	else
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return -1;
	/* where locks do not work, no file is taken for abandoned either */
	while (flock(fd, LOCK_EX) && errno == EINTR)
		;
	/* another process may have removed it between open() and flock() */
	if (fstat(fd, &status) == 0 && status.st_nlink > 0)
		return fd;
	close(fd);
	errno = EEXIST;
	return -1;
}

int hd_temporary_make(struct hd_temporary *temporary, const char *path, bool is_directory,
		      mode_t mode)
{
	*temporary = (struct hd_temporary){ .fd = -1 };
	remove_abandoned(path);
	for (int i = 0; i < TRIES; i++) {
		unsigned number;
		int saved;

		if (getrandom(&number, sizeof(number), 0) != sizeof(number) ||
		    asprintf(&temporary->path, "%s" MARK "%0*x", path, DIGITS, number) < 0)
			break;
		temporary->fd = make(temporary->path, is_directory, mode);
		if (temporary->fd >= 0) {
			remember(temporary->path);
			return 0;
		}
		saved = errno;
		free(temporary->path);
		errno = saved;
		if (errno != EEXIST)
			break;
	}
	temporary->path = NULL;
	return -1;
}

void hd_temporary_release(struct hd_temporary *temporary)
{
	if (temporary->path) {
		forget(temporary->path);
		close(temporary->fd);
	}
	free(temporary->path);
	*temporary = (struct hd_temporary){ .fd = -1 };
}

void hd_temporary_remove(struct hd_temporary *temporary)
{
	if (temporary->path)
		remove_at(AT_FDCWD, temporary->path);
	hd_temporary_release(temporary);
}
