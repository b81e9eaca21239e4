// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The page is written with pwrite(), not mapped: a file that somebody truncates, or a file system
 * that is full, is then an error and no SIGBUS.
 */
#include "host/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "support/error.h"

static int fail(const struct hd_page *page, const char *what, struct hd_error *err)
{
	return hd_error_at(err, HD_EIO, page->path, 0, "%s: %s", what, strerror(errno));
}

/* The last directory of @path; those above it must be there. */
static void make_directory(const char *path)
{
	char *directory = strdup(path), *slash = directory ? strrchr(directory, '/') : NULL;

	if (slash && slash != directory) {
		*slash = '\0';
		mkdir(directory, 0755);
	}
	free(directory);
}

static int put(struct hd_page *page, size_t offset, const void *bytes, size_t size,
	       struct hd_error *err)
{
	ssize_t n;

	do
		n = pwrite(page->file, bytes, size, (off_t)offset);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)size)
		return 0;
	if (n >= 0)
		errno = ENOSPC;
	return fail(page, "cannot write", err);
}

static int write_here(struct hd_page *page, const struct hd_networks_page *content,
		      struct hd_error *err)
{
	struct hd_networks_page next = *content;
	const size_t behind = sizeof(next.sequence);
	int ret;

	/* each call orders what it writes after what the one before wrote */
	page->sequence |= 1;
	ret = put(page, 0, &page->sequence, sizeof(page->sequence), err);
	next.magic = HD_NETWORKS_MAGIC;
	if (!ret)
		ret = put(page, behind, (const char *)&next + behind, sizeof(next) - behind, err);
	page->sequence++;
	if (!ret)
		ret = put(page, 0, &page->sequence, sizeof(page->sequence), err);
	return ret;
}

static int prepare(struct hd_page *page, struct hd_error *err)
{
	const struct hd_networks_page none = { .preferred = HD_NETWORKS_ANY };
	struct stat status;

	if (fstat(page->file, &status))
		return fail(page, "cannot be read", err);
	if (!S_ISREG(status.st_mode))
		return hd_error_at(err, HD_EIO, page->path, 0, "no regular file");
	if (flock(page->file, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK
			       ? hd_error_at(err, HD_EIO, page->path, 0, "another agent keeps it")
			       : fail(page, "cannot lock", err);
	/* readers may be about to compare this number; a new file has 0 */
	if (pread(page->file, &page->sequence, sizeof(page->sequence), 0) !=
	    (ssize_t)sizeof(page->sequence))
		page->sequence = 0;
	return write_here(page, &none, err);
}

/* Opens the file at @page's path, and keeps it if it can be one of a page. */
static int open_file(struct hd_page *page, struct hd_error *err)
{
	int ret;

	make_directory(page->path);
	page->file = open(page->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
	if (page->file < 0)
		return fail(page, "cannot open", err);
	ret = prepare(page, err);
	if (ret) {
		close(page->file);
		page->file = -1;
	}
	return ret;
}

/* Tells who has the file open that there is no agent. */
static void close_file(struct hd_page *page)
{
	const struct hd_networks_page none = { .preferred = HD_NETWORKS_ANY };

	if (page->file < 0)
		return;
	write_here(page, &none, NULL);
	close(page->file);
	page->file = -1;
}

int hd_page_open(struct hd_page *page, const char *path, struct hd_error *err)
{
	int ret;

	*page = (struct hd_page){ .path = strdup(path), .file = -1 };
	if (!page->path)
		return hd_error_nomem(err);
	ret = open_file(page, err);
	if (ret)
		hd_page_close(page);
	return ret;
}

bool hd_page_is_gone(const struct hd_page *page)
{
	struct stat ours, there;

	return page->file < 0 || fstat(page->file, &ours) || lstat(page->path, &there) ||
	       ours.st_dev != there.st_dev || ours.st_ino != there.st_ino;
}

int hd_page_write(struct hd_page *page, const struct hd_networks_page *content,
		  struct hd_error *err)
{
	int ret = 0;

	if (hd_page_is_gone(page)) {
		close_file(page);
		ret = open_file(page, err);
	}
	return ret ? ret : write_here(page, content, err);
}

void hd_page_close(struct hd_page *page)
{
	close_file(page);
	free(page->path);
	*page = (struct hd_page){ .file = -1 };
}
