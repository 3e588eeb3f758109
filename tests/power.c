/* Writes down every call that changes files in one folder, in order: preloaded by tests/power.py.
 *
 * GEODP_DISK names the folder and GEODP_TAPE the file that the lines go to:
 *   open NAME CREATED | write NAME OFFSET HEX | size NAME LENGTH | sync NAME | folder
 *   | unlink NAME | rename NAME TO | say WORDS
 * Each line is written after its call succeeded, and in one piece. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#undef open
#undef open64

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* The system itself writes the tape, so that writing it is not recorded. */
static void tape(const char *line, size_t length) {
    static int out = -1;
    if (out < 0) {
        __typeof__(&open) real = (__typeof__(&open))dlsym(RTLD_NEXT, "open");
        out = real(getenv("GEODP_TAPE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    __typeof__(&write) real = (__typeof__(&write))dlsym(RTLD_NEXT, "write");
    if (real(out, line, length) != (ssize_t)length) abort();
}

static void told(const char *form, ...) {
    char line[2 * PATH_MAX];
    va_list words;
    va_start(words, form);
    int length = vsnprintf(line, sizeof line, form, words);
    va_end(words);
    tape(line, (size_t)length);
}

void say(const char *words) { told("say %s\n", words); }

/* Name of a path inside the folder, "" for the folder itself, NULL for anything else. */
static const char *inside(const char *path) {
    const char *disk = getenv("GEODP_DISK");
    size_t length = disk ? strlen(disk) : 0;
    if (!length || strncmp(path, disk, length)) return NULL;
    if (path[length] == '\0') return path + length;
    return path[length] == '/' ? path + length + 1 : NULL;
}

static const char *of(int fd, char *room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, room, PATH_MAX - 1);
    if (length < 0) return NULL;
    room[length] = '\0';
    return inside(room);
}

static void wrote(int fd, const void *data, ssize_t length, off_t offset) {
    char room[PATH_MAX];
    const char *name = length > 0 ? of(fd, room) : NULL;
    if (!name) return;
    char *line = malloc(strlen(name) + 64 + 2 * (size_t)length);
    int at = sprintf(line, "write %s %lld ", name, (long long)offset);
    for (ssize_t i = 0; i < length; i++) at += sprintf(line + at, "%02x", ((unsigned char *)data)[i]);
    line[at++] = '\n';
    tape(line, (size_t)at);
    free(line);
}

#define OPEN(name)                                                              \
    int name(const char *path, int flags, ...) {                                \
        REAL(name);                                                             \
        va_list rest;                                                           \
        va_start(rest, flags);                                                  \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                           \
        int is_new = access(path, F_OK) != 0;                                   \
        int fd = real(path, flags, mode);                                       \
        const char *found = fd < 0 ? NULL : inside(path);                       \
        if (found && *found && (flags & O_CREAT) && is_new) told("open %s\n", found); \
        if (found && *found && (flags & O_TRUNC)) told("size %s 0\n", found);   \
        return fd;                                                              \
    }
OPEN(open)
OPEN(open64)

#define PWRITE(name, offset_t)                                                  \
    ssize_t name(int fd, const void *data, size_t size, offset_t offset) {      \
        REAL(name);                                                             \
        ssize_t done = real(fd, data, size, offset);                            \
        wrote(fd, data, done, offset);                                          \
        return done;                                                            \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    ssize_t done = real(fd, data, size);
    char room[PATH_MAX];
    if (done > 0 && of(fd, room)) wrote(fd, data, done, lseek(fd, 0, SEEK_CUR) - done);
    return done;
}

#define TRUNCATE(name, offset_t)                                                \
    int name(int fd, offset_t length) {                                         \
        REAL(name);                                                             \
        int failed = real(fd, length);                                          \
        char room[PATH_MAX];                                                    \
        const char *found = failed ? NULL : of(fd, room);                       \
        if (found) told("size %s %lld\n", found, (long long)length);            \
        return failed;                                                          \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                              \
    int name(int fd) {                                                          \
        REAL(name);                                                             \
        int failed = real(fd);                                                  \
        char room[PATH_MAX];                                                    \
        const char *found = failed ? NULL : of(fd, room);                       \
        if (found && *found) told("sync %s\n", found);                          \
        if (found && !*found) told("folder\n");                                 \
        return failed;                                                          \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(unlink);
    int failed = real(path);
    const char *found = failed ? NULL : inside(path);
    if (found) told("unlink %s\n", found);
    return failed;
}

/* Calls that this recorder has no model for must not pass unseen. */
#define UNKNOWN(name, result, parameters, arguments, path)                      \
    result name parameters {                                                    \
        REAL(name);                                                             \
        char room[PATH_MAX];                                                    \
        (void)room;                                                             \
        if (path) told("unknown " #name "\n");                                  \
        return real arguments;                                                  \
    }
UNKNOWN(rename, int, (const char *from, const char *to), (from, to), inside(from) || inside(to))
UNKNOWN(link, int, (const char *from, const char *to), (from, to), inside(from) || inside(to))
UNKNOWN(truncate, int, (const char *path, off_t length), (path, length), inside(path))
UNKNOWN(truncate64, int, (const char *path, off64_t length), (path, length), inside(path))
UNKNOWN(pwritev, ssize_t, (int fd, const struct iovec *parts, int count, off_t offset),
        (fd, parts, count, offset), of(fd, room))
UNKNOWN(writev, ssize_t, (int fd, const struct iovec *parts, int count), (fd, parts, count),
        of(fd, room))
