/*
 * Preloaded into a process: records, in order, what it writes below the folder X_POWER_ROOT, its flushes, and the beginnings
 * of its answers to HTTP requests. One lock is held from before a call until it is recorded, so that the order of the records
 * is that of the effects. An answer is recorded before it is sent: what it acknowledges was durable before its record.
 *
 * Writes through memory maps are not seen; SQLite maps only the index of its log (-shm), which it makes anew at recovery.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 65536

struct record {
  uint8_t kind, flags;
  uint16_t unused;
  uint32_t process;
  int32_t descriptor;
  uint32_t first, second, unused2;
  uint64_t offset;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static size_t root_length;
static int record_descriptor = -1;
static char known[DESCRIPTORS];

#define REAL(name)                                    \
  static __typeof__(&name) real;                      \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("X_POWER_RECORD");
  root = getenv("X_POWER_ROOT");
  if (!root || !file) return;
  root_length = strlen(root);
  int opened = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) abort();
  record_descriptor = opened;
}

static void add(struct record head, const void *first, const struct iovec *parts, int count) {
  struct iovec all[2 + 64];
  int used = 0;
  head.process = (uint32_t)getpid();
  all[used++] = (struct iovec){&head, sizeof head};
  if (head.first) all[used++] = (struct iovec){(void *)first, head.first};
  for (int index = 0; index < count && used < 66; index++) all[used++] = parts[index];
  size_t size = 0;
  for (int index = 0; index < used; index++) size += all[index].iov_len;
  if (syscall(SYS_writev, record_descriptor, all, used) != (long)size) abort();
}

static int is_recorded(void) { return record_descriptor >= 0; }
static int is_known(int descriptor) {
  return is_recorded() && descriptor >= 0 && descriptor < DESCRIPTORS && known[descriptor];
}

/* The absolute path when it is below the root. */
static int is_inside(int folder, const char *path, char *text, size_t size) {
  if (!is_recorded() || !path) return 0;
  if (path[0] == '/') snprintf(text, size, "%s", path);
  else {
    char base[4096], link[64];
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    snprintf(text, size, "%s/%s", base, path);
  }
  return strncmp(text, root, root_length) == 0 && (text[root_length] == '/' || text[root_length] == 0);
}

static void add_path(char kind, int descriptor, int flags, const char *path) {
  add((struct record){.kind = (uint8_t)kind, .flags = (uint8_t)flags, .descriptor = descriptor, .first = (uint32_t)strlen(path)},
      path, NULL, 0);
}

static int open_recorded(int (*real)(int, const char *, int, ...), int folder, const char *path, int flags, mode_t mode) {
  char text[8192];
  if (!is_inside(folder, path, text, sizeof text)) return real(folder, path, flags, mode);
  pthread_mutex_lock(&lock);
  int existed = access(text, F_OK) == 0;
  int opened = real(folder, path, flags, mode);
  if (opened >= 0 && opened < DESCRIPTORS) {
    known[opened] = 1;
    int created = !existed && (flags & O_CREAT);
    int cut = (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY;
    add_path('O', opened, (created ? 1 : 0) | (cut ? 2 : 0), text);
  }
  pthread_mutex_unlock(&lock);
  return opened;
}

#define MODE                                          \
  mode_t mode = 0;                                    \
  if (flags & (O_CREAT | O_TMPFILE)) {                \
    va_list rest;                                     \
    va_start(rest, flags);                            \
    mode = (mode_t)va_arg(rest, int);                 \
    va_end(rest);                                     \
  }

typedef int (*open_at)(int, const char *, int, ...);
static open_at real_openat(void) {
  static open_at real;
  if (!real) real = (open_at)dlsym(RTLD_NEXT, "openat");
  return real;
}

int open(const char *path, int flags, ...) { MODE return open_recorded(real_openat(), AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_recorded(real_openat(), AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return open_recorded(real_openat(), folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return open_recorded(real_openat(), folder, path, flags, mode); }

int close(int descriptor) {
  REAL(close);
  if (is_known(descriptor)) known[descriptor] = 0;
  return real(descriptor);
}

static void add_answer(int descriptor, const void *data, size_t size) {
  struct sockaddr_in peer;
  socklen_t length = sizeof peer;
  if (!is_recorded() || size < 8 || memcmp(data, "HTTP/1.", 7) != 0) return;
  if (getpeername(descriptor, (struct sockaddr *)&peer, &length) != 0 || peer.sin_family != AF_INET) return;
  pthread_mutex_lock(&lock);
  add((struct record){.kind = 'S', .descriptor = ntohs(peer.sin_port)}, NULL, NULL, 0);
  pthread_mutex_unlock(&lock);
}

static void add_write(int descriptor, uint64_t offset, const struct iovec *parts, int count, ssize_t written) {
  struct iovec cut[64];
  int used = 0;
  size_t left = (size_t)written;
  if (count > 64) abort();
  for (; used < count && left > 0; used++) {
    cut[used] = parts[used];
    if (cut[used].iov_len > left) cut[used].iov_len = left;
    left -= cut[used].iov_len;
  }
  add((struct record){.kind = 'W', .descriptor = descriptor, .second = (uint32_t)written, .offset = offset}, NULL, cut, used);
}

/* At the position of the descriptor: after the call it stands behind what was written. */
static uint64_t written_at(int descriptor, ssize_t written) {
  return (uint64_t)(lseek(descriptor, 0, SEEK_CUR) - written);
}

ssize_t write(int descriptor, const void *data, size_t size) {
  REAL(write);
  if (!is_known(descriptor)) {
    add_answer(descriptor, data, size);
    return real(descriptor, data, size);
  }
  pthread_mutex_lock(&lock);
  ssize_t written = real(descriptor, data, size);
  if (written > 0)
    add_write(descriptor, written_at(descriptor, written), &(struct iovec){(void *)data, size}, 1, written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  REAL(writev);
  if (!is_known(descriptor)) {
    if (count > 0) add_answer(descriptor, parts[0].iov_base, parts[0].iov_len);
    return real(descriptor, parts, count);
  }
  pthread_mutex_lock(&lock);
  ssize_t written = real(descriptor, parts, count);
  if (written > 0) add_write(descriptor, written_at(descriptor, written), parts, count, written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  REAL(sendmsg);
  if (message->msg_iovlen > 0) add_answer(descriptor, message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
  return real(descriptor, message, flags);
}

#define PWRITE(name, offset_type)                                                              \
  ssize_t name(int descriptor, const void *data, size_t size, offset_type offset) {            \
    REAL(name);                                                                                \
    if (!is_known(descriptor)) return real(descriptor, data, size, offset);                    \
    pthread_mutex_lock(&lock);                                                                 \
    ssize_t written = real(descriptor, data, size, offset);                                    \
    if (written > 0)                                                                           \
      add_write(descriptor, (uint64_t)offset, &(struct iovec){(void *)data, size}, 1, written); \
    pthread_mutex_unlock(&lock);                                                               \
    return written;                                                                            \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, offset_type)                                                             \
  ssize_t name(int descriptor, const struct iovec *parts, int count, offset_type offset) {     \
    REAL(name);                                                                                \
    if (!is_known(descriptor)) return real(descriptor, parts, count, offset);                  \
    pthread_mutex_lock(&lock);                                                                 \
    ssize_t written = real(descriptor, parts, count, offset);                                  \
    if (written > 0) add_write(descriptor, (uint64_t)offset, parts, count, written);           \
    pthread_mutex_unlock(&lock);                                                               \
    return written;                                                                            \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

/* A call on a known descriptor that succeeds with 0. */
#define RECORDED(call, kind_, offset_)                                                         \
  if (!is_known(descriptor)) return call;                                                      \
  pthread_mutex_lock(&lock);                                                                   \
  int result = call;                                                                           \
  if (result == 0)                                                                             \
    add((struct record){.kind = kind_, .descriptor = descriptor, .offset = (uint64_t)(offset_)}, NULL, NULL, 0); \
  pthread_mutex_unlock(&lock);                                                                 \
  return result;

int ftruncate(int descriptor, off_t size) { REAL(ftruncate); RECORDED(real(descriptor, size), 'T', size) }
int ftruncate64(int descriptor, off64_t size) { REAL(ftruncate64); RECORDED(real(descriptor, size), 'T', size) }
int fsync(int descriptor) { REAL(fsync); RECORDED(real(descriptor), 'F', 0) }
int fdatasync(int descriptor) { REAL(fdatasync); RECORDED(real(descriptor), 'F', 0) }

/* Calls that no recorded process makes so far: the replay refuses a record with them. */
int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  REAL(fallocate);
  RECORDED(real(descriptor, mode, offset, size), 'X', offset)
}
int posix_fallocate(int descriptor, off_t offset, off_t size) {
  REAL(posix_fallocate);
  RECORDED(real(descriptor, offset, size), 'X', offset)
}
ssize_t copy_file_range(int from, off64_t *at, int descriptor, off64_t *offset, size_t size, unsigned flags) {
  REAL(copy_file_range);
  if (is_known(descriptor)) add((struct record){.kind = 'X', .descriptor = descriptor}, NULL, NULL, 0);
  return real(from, at, descriptor, offset, size, flags);
}

static int changed(char kind, int result, const char *path) {
  if (result == 0) add_path(kind, -1, 0, path);
  return result;
}

#define CHANGE(kind, folder, path, call)                                                       \
  char text[8192];                                                                             \
  if (!is_inside(folder, path, text, sizeof text)) return call;                                \
  pthread_mutex_lock(&lock);                                                                   \
  int result = changed(kind, call, text);                                                      \
  pthread_mutex_unlock(&lock);                                                                 \
  return result;

int unlink(const char *path) { REAL(unlink); CHANGE('U', AT_FDCWD, path, real(path)) }
int unlinkat(int folder, const char *path, int flags) { REAL(unlinkat); CHANGE('U', folder, path, real(folder, path, flags)) }
int rmdir(const char *path) { REAL(rmdir); CHANGE('U', AT_FDCWD, path, real(path)) }
int mkdir(const char *path, mode_t mode) { REAL(mkdir); CHANGE('M', AT_FDCWD, path, real(path, mode)) }

int rename(const char *from, const char *to) {
  REAL(rename);
  char old_path[8192], new_path[8192];
  int is_from = is_inside(AT_FDCWD, from, old_path, sizeof old_path);
  int is_to = is_inside(AT_FDCWD, to, new_path, sizeof new_path);
  if (!is_from && !is_to) return real(from, to);
  pthread_mutex_lock(&lock);
  int result = real(from, to);
  if (result == 0)
    add((struct record){.kind = 'R', .descriptor = -1, .first = (uint32_t)strlen(old_path), .second = (uint32_t)strlen(new_path)},
        old_path, &(struct iovec){new_path, strlen(new_path)}, 1);
  pthread_mutex_unlock(&lock);
  return result;
}
int link(const char *from, const char *to) { REAL(link); CHANGE('X', AT_FDCWD, to, real(from, to)) }
