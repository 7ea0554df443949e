/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 *
 * A file system that passes everything through to a directory, with faults to be switched on and
 * off: the sick SSD of the fault tests.
 *
 *   faultfs [--direct] SOURCE MOUNTPOINT   serves until its standard input ends
 *   faultfs --drop PATH...                 drops all below PATH from the OS page cache
 *
 * --direct keeps the kernel from caching file contents. Without it the kernel does, and read faults
 * affect only uncached data, as with a real disk.
 *
 * Standard input takes one command a line, and each is answered by one line, "ok ..." or
 * "error ...":
 *
 *   fault OPS ACTION [every N] [in TEXT] [only data]
 *     OPS     all, modify (whatever changes the disk), or some of stat open read write create
 *             unlink rename mkdir rmdir readdir statfs sync setattr, with commas
 *     ACTION  eio, enospc, edquot, erofs, hang, delay MILLIS, flip (one bit of each read), zero
 *     every   only each Nth of the operations
 *     in      only files whose path contains TEXT
 *     only    flip and zero spare blocks of 4 KB that do not look like random bytes. Pages have
 *             random bytes here, and a file system's metadata does not: so a disk image can lie
 *             about files and not about directories
 *   clear     ends all faults; operations that hang or are delayed continue
 *   stats     how many operations are held now, and how many faults there were
 *
 * The end of standard input unmounts: a driver that is killed leaves nothing behind. Killing this
 * process fails all operations that wait for it; then unmount the mount point (umount -l).
 */
#define FUSE_USE_VERSION 312
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <fuse.h>
#include <fuse_lowlevel.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum op {
  STAT, OPEN, READ, WRITE, CREATE, UNLINK, RENAME, MKDIR, RMDIR, READDIR, STATFS, SYNC, SETATTR,
  OPS
};

static const char *const OP_NAMES[OPS] = {
  "stat", "open", "read", "write", "create", "unlink", "rename", "mkdir", "rmdir", "readdir",
  "statfs", "sync", "setattr"
};

#define MODIFY \
  (1u << WRITE | 1u << CREATE | 1u << UNLINK | 1u << RENAME | 1u << MKDIR | 1u << RMDIR \
   | 1u << SETATTR)
#define ALL ((1u << OPS) - 1)

enum action { FAIL, HANG, DELAY, FLIP, ZERO };

struct rule {
  unsigned ops;
  enum action action;
  int error;
  long millis;
  long every;
  long seen;
  char in[128];
  bool only_data;
};

/* How bytes that are read are corrupted. */
struct spoil {
  enum action action;
  bool only_data;
};

#define BLOCK 4096
/* 4096 random bytes contain nearly all of the 256 values. */
#define RANDOM_VALUES 250

#define RULES 32

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static struct rule rules[RULES];
static int rule_count;
static unsigned long generation;
static long held;
static long faults;

/* Processes of this group drop caches and meet no faults; the kernel tells us the group. */
#define SPARED_GROUP 64209

static int source;
static const char *mount_point;
static bool direct;

struct file {
  int fd;
  char path[];
};

static const char *relative(const char *path) {
  return path[1] == '\0' ? "." : path + 1;
}

static int result(int rc) {
  return rc < 0 ? -errno : 0;
}

/* With the lock held. */
static struct rule *rule_for(enum op op, const char *path) {
  for (int i = 0; i < rule_count; i++) {
    struct rule *rule = &rules[i];
    if ((rule->ops & 1u << op) && (path == NULL || strstr(path, rule->in))
        && ++rule->seen % rule->every == 0) {
      return rule;
    }
  }
  return NULL;
}

/* With the lock held, which is released meanwhile. */
static void hold(long millis) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += millis / 1000;
  until.tv_nsec += millis % 1000 * 1000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  unsigned long begin = generation;
  int rc = 0;
  held++;
  while (generation == begin && rc == 0) {
    rc = millis < 0 ? pthread_cond_wait(&released, &lock)
        : pthread_cond_timedwait(&released, &lock, &until);
  }
  held--;
}

/* Returns 0 or a negative error; spoil says whether, and how, to corrupt the bytes read. */
static int fault_or_spoil(enum op op, const char *path, struct spoil *spoil) {
  int rc = 0;
  if (fuse_get_context()->gid == SPARED_GROUP) {
    return 0;
  }
  pthread_mutex_lock(&lock);
  struct rule *rule = rule_for(op, path);
  if (rule != NULL) {
    faults++;
    if (rule->action == FAIL) {
      rc = -rule->error;
    } else if (rule->action == HANG) {
      hold(-1);
    } else if (rule->action == DELAY) {
      hold(rule->millis);
    } else if (spoil != NULL) {
      spoil->action = rule->action;
      spoil->only_data = rule->only_data;
    }
  }
  pthread_mutex_unlock(&lock);
  return rc;
}

static int fault(enum op op, const char *path) {
  return fault_or_spoil(op, path, NULL);
}

#define RETURN_FAULT(op, path) \
  do { \
    int fault_rc = fault(op, path); \
    if (fault_rc != 0) return fault_rc; \
  } while (0)

static struct file *file_of(struct fuse_file_info *fi) {
  return (struct file *) (uintptr_t) fi->fh;
}

static int keep(const char *path, int fd, struct fuse_file_info *fi) {
  if (fd < 0) {
    return -errno;
  }
  struct file *file = malloc(sizeof *file + strlen(path) + 1);
  file->fd = fd;
  strcpy(file->path, path);
  fi->fh = (uintptr_t) file;
  fi->direct_io = direct;
  fi->keep_cache = !direct;
  return 0;
}

static void *op_init(struct fuse_conn_info *conn, struct fuse_config *cfg) {
  /* A change of the files below must show when the page cache is dropped, and not before. */
  conn->want &= ~FUSE_CAP_AUTO_INVAL_DATA;
  conn->max_background = 1000;
  conn->congestion_threshold = 1000;
  cfg->nullpath_ok = 1;
  cfg->hard_remove = 1;
  cfg->use_ino = 1;
  cfg->entry_timeout = 0;
  cfg->attr_timeout = 0;
  cfg->negative_timeout = 0;
  return NULL;
}

static int op_getattr(const char *path, struct stat *st, struct fuse_file_info *fi) {
  struct file *file = fi == NULL ? NULL : file_of(fi);
  RETURN_FAULT(STAT, file ? file->path : path);
  return result(file ? fstat(file->fd, st)
      : fstatat(source, relative(path), st, AT_SYMLINK_NOFOLLOW));
}

static int op_open(const char *path, struct fuse_file_info *fi) {
  RETURN_FAULT(OPEN, path);
  /* Without O_DIRECT: our own buffers are not aligned. The kernel has done the rest. */
  return keep(path, openat(source, relative(path), fi->flags & ~(O_NOFOLLOW | O_DIRECT)), fi);
}

static int op_create(const char *path, mode_t mode, struct fuse_file_info *fi) {
  RETURN_FAULT(CREATE, path);
  return keep(path, openat(source, relative(path), (fi->flags & ~O_DIRECT) | O_CREAT, mode),
      fi);
}

static bool looks_random(const char *block, size_t size) {
  bool seen[256] = {false};
  int values = 0;
  for (size_t i = 0; i < size; i++) {
    unsigned char value = block[i];
    values += !seen[value];
    seen[value] = true;
  }
  return values >= RANDOM_VALUES;
}

static void spoil_block(enum action action, char *block, size_t size) {
  if (action == FLIP) {
    block[size / 2] ^= 4;
  } else if (action == ZERO) {
    memset(block, 0, size);
  }
}

static void spoil_data(enum action action, char *buffer, size_t size) {
  for (size_t at = 0; at + BLOCK <= size; at += BLOCK) {
    if (looks_random(buffer + at, BLOCK)) {
      spoil_block(action, buffer + at, BLOCK);
      if (action == FLIP) {
        return;
      }
    }
  }
}

static int op_read(const char *path, char *buffer, size_t size, off_t offset,
    struct fuse_file_info *fi) {
  struct file *file = file_of(fi);
  struct spoil spoil = {.action = FAIL};
  int rc = fault_or_spoil(READ, file->path, &spoil);
  if (rc != 0) {
    return rc;
  }
  ssize_t n = pread(file->fd, buffer, size, offset);
  if (n < 0) {
    return -errno;
  }
  if (n > 0 && spoil.only_data) {
    spoil_data(spoil.action, buffer, n);
  } else if (n > 0) {
    spoil_block(spoil.action, buffer, n);
  }
  return n;
}

static int op_write(const char *path, const char *buffer, size_t size, off_t offset,
    struct fuse_file_info *fi) {
  RETURN_FAULT(WRITE, file_of(fi)->path);
  ssize_t n = pwrite(file_of(fi)->fd, buffer, size, offset);
  return n < 0 ? -errno : n;
}

static int op_release(const char *path, struct fuse_file_info *fi) {
  close(file_of(fi)->fd);
  free(file_of(fi));
  return 0;
}

static int op_fsync(const char *path, int data_only, struct fuse_file_info *fi) {
  RETURN_FAULT(SYNC, file_of(fi)->path);
  /* The files below need not survive a crash of the machine. */
  return 0;
}

static int op_unlink(const char *path) {
  RETURN_FAULT(UNLINK, path);
  return result(unlinkat(source, relative(path), 0));
}

static int op_rename(const char *from, const char *to, unsigned flags) {
  RETURN_FAULT(RENAME, to);
  return result(renameat2(source, relative(from), source, relative(to), flags));
}

static int op_mkdir(const char *path, mode_t mode) {
  RETURN_FAULT(MKDIR, path);
  return result(mkdirat(source, relative(path), mode));
}

static int op_rmdir(const char *path) {
  RETURN_FAULT(RMDIR, path);
  return result(unlinkat(source, relative(path), AT_REMOVEDIR));
}

static int op_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
    struct fuse_file_info *fi, enum fuse_readdir_flags flags) {
  struct file *file = file_of(fi);
  RETURN_FAULT(READDIR, file->path);
  DIR *directory = fdopendir(openat(source, relative(file->path), O_RDONLY | O_DIRECTORY));
  if (directory == NULL) {
    return -errno;
  }
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    fill(buffer, entry->d_name, NULL, 0, 0);
  }
  closedir(directory);
  return 0;
}

static int op_opendir(const char *path, struct fuse_file_info *fi) {
  RETURN_FAULT(READDIR, path);
  int rc = keep(path, openat(source, relative(path), O_RDONLY | O_DIRECTORY), fi);
  fi->direct_io = 0;
  fi->keep_cache = 0;
  return rc;
}

static int op_statfs(const char *path, struct statvfs *st) {
  RETURN_FAULT(STATFS, path);
  return result(fstatvfs(source, st));
}

static int op_chmod(const char *path, mode_t mode, struct fuse_file_info *fi) {
  struct file *file = fi == NULL ? NULL : file_of(fi);
  RETURN_FAULT(SETATTR, file ? file->path : path);
  return result(file ? fchmod(file->fd, mode) : fchmodat(source, relative(path), mode, 0));
}

static int op_chown(const char *path, uid_t uid, gid_t gid, struct fuse_file_info *fi) {
  struct file *file = fi == NULL ? NULL : file_of(fi);
  RETURN_FAULT(SETATTR, file ? file->path : path);
  return result(file ? fchown(file->fd, uid, gid)
      : fchownat(source, relative(path), uid, gid, AT_SYMLINK_NOFOLLOW));
}

static int op_truncate(const char *path, off_t length, struct fuse_file_info *fi) {
  RETURN_FAULT(SETATTR, fi ? file_of(fi)->path : path);
  if (fi != NULL) {
    return result(ftruncate(file_of(fi)->fd, length));
  }
  int fd = openat(source, relative(path), O_WRONLY);
  if (fd < 0) {
    return -errno;
  }
  int rc = result(ftruncate(fd, length));
  close(fd);
  return rc;
}

static int op_utimens(const char *path, const struct timespec times[2],
    struct fuse_file_info *fi) {
  struct file *file = fi == NULL ? NULL : file_of(fi);
  RETURN_FAULT(SETATTR, file ? file->path : path);
  return result(file ? futimens(file->fd, times)
      : utimensat(source, relative(path), times, AT_SYMLINK_NOFOLLOW));
}

static int op_fallocate(const char *path, int mode, off_t offset, off_t length,
    struct fuse_file_info *fi) {
  RETURN_FAULT(WRITE, file_of(fi)->path);
  return result(fallocate(file_of(fi)->fd, mode, offset, length));
}

static const struct fuse_operations OPERATIONS = {
  .init = op_init, .getattr = op_getattr, .open = op_open, .create = op_create, .read = op_read,
  .write = op_write, .release = op_release, .fsync = op_fsync, .unlink = op_unlink,
  .rename = op_rename, .mkdir = op_mkdir, .rmdir = op_rmdir, .opendir = op_opendir,
  .readdir = op_readdir, .releasedir = op_release, .statfs = op_statfs, .chmod = op_chmod,
  .chown = op_chown, .truncate = op_truncate, .utimens = op_utimens, .fallocate = op_fallocate,
};

static unsigned parse_ops(char *words) {
  unsigned ops = 0;
  char *rest = NULL;
  for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    unsigned found = !strcmp(word, "all") ? ALL : !strcmp(word, "modify") ? MODIFY : 0;
    for (int op = 0; op < OPS; op++) {
      found |= !strcmp(word, OP_NAMES[op]) ? 1u << op : 0;
    }
    if (found == 0) {
      return 0;
    }
    ops |= found;
  }
  return ops;
}

/* Returns an error message, or null. */
static const char *parse_action(struct rule *rule, const char *word, char **rest) {
  if (!strcmp(word, "eio") || !strcmp(word, "enospc") || !strcmp(word, "edquot")
      || !strcmp(word, "erofs")) {
    rule->action = FAIL;
    rule->error = !strcmp(word, "eio") ? EIO : !strcmp(word, "enospc") ? ENOSPC
        : !strcmp(word, "edquot") ? EDQUOT : EROFS;
  } else if (!strcmp(word, "hang")) {
    rule->action = HANG;
  } else if (!strcmp(word, "flip") || !strcmp(word, "zero")) {
    rule->action = !strcmp(word, "flip") ? FLIP : ZERO;
  } else if (!strcmp(word, "delay")) {
    char *millis = strtok_r(NULL, " ", rest);
    rule->action = DELAY;
    rule->millis = millis ? atol(millis) : 0;
    return rule->millis > 0 ? NULL : "delay by how many milliseconds?";
  } else {
    return "no such action";
  }
  return NULL;
}

static const char *parse_rule(struct rule *rule, char **rest) {
  char *ops = strtok_r(NULL, " ", rest);
  char *action = strtok_r(NULL, " ", rest);
  if (ops == NULL || action == NULL || (rule->ops = parse_ops(ops)) == 0) {
    return "which operations, and what of them?";
  }
  const char *wrong = parse_action(rule, action, rest);
  rule->every = 1;
  for (char *word; wrong == NULL && (word = strtok_r(NULL, " ", rest)) != NULL;) {
    char *value = strtok_r(NULL, " ", rest);
    if (value && !strcmp(word, "every") && atol(value) > 0) {
      rule->every = atol(value);
    } else if (value && !strcmp(word, "in") && strlen(value) < sizeof rule->in) {
      strcpy(rule->in, value);
    } else if (value && !strcmp(word, "only") && !strcmp(value, "data")) {
      rule->only_data = true;
    } else {
      wrong = "only 'every N', 'in TEXT' and 'only data' may follow";
    }
  }
  return wrong;
}

static const char *add_rule(char **rest) {
  struct rule rule = {0};
  const char *wrong = parse_rule(&rule, rest);
  pthread_mutex_lock(&lock);
  if (wrong == NULL && rule_count == RULES) {
    wrong = "too many faults";
  } else if (wrong == NULL) {
    rules[rule_count++] = rule;
  }
  pthread_mutex_unlock(&lock);
  return wrong;
}

static void clear_rules(void) {
  pthread_mutex_lock(&lock);
  rule_count = 0;
  generation++;
  pthread_cond_broadcast(&released);
  pthread_mutex_unlock(&lock);
}

static void answer(char *line) {
  const char *wrong = NULL;
  char *rest = NULL;
  char *command = strtok_r(line, " \n", &rest);
  if (command && !strcmp(command, "fault")) {
    wrong = add_rule(&rest);
  } else if (command && !strcmp(command, "clear")) {
    clear_rules();
  } else if (!command || strcmp(command, "stats")) {
    wrong = "the commands are fault, clear and stats";
  }
  pthread_mutex_lock(&lock);
  if (wrong != NULL) {
    printf("error %s\n", wrong);
  } else {
    printf("ok held %ld faults %ld\n", held, faults);
  }
  pthread_mutex_unlock(&lock);
  fflush(stdout);
}

static void *serve_commands(void *nothing) {
  char line[512];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    answer(line);
  }
  umount2(mount_point, MNT_DETACH);
  _exit(0);
}

static int drop_file(const char *path, const struct stat *st, int type, struct FTW *where) {
  int fd = type == FTW_F && S_ISREG(st->st_mode) ? open(path, O_RDONLY | O_NOATIME) : -1;
  if (fd >= 0) {
    /* Only clean pages can be dropped. */
    fdatasync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    close(fd);
  }
  return 0;
}

static int drop(int count, char **paths) {
  if (setegid(SPARED_GROUP) != 0) {
    perror("setegid");
    return 1;
  }
  for (int i = 0; i < count; i++) {
    if (nftw(paths[i], drop_file, 64, FTW_PHYS) != 0) {
      perror(paths[i]);
      return 1;
    }
  }
  return 0;
}

static int die(const char *what) {
  fprintf(stderr, "faultfs: %s: %s\n", what, strerror(errno));
  return 1;
}

/*
 * Kernel file systems answer statfs for a file that was deleted after it was opened. libfuse does
 * not, because the file has no path any more; so statfs is sent to the root instead.
 */
static ssize_t read_request(int fd, void *buffer, size_t length, void *userdata) {
  ssize_t n = read(fd, buffer, length);
  struct fuse_in_header *header = buffer;
  if (n >= (ssize_t) sizeof *header && header->opcode == FUSE_STATFS) {
    header->nodeid = FUSE_ROOT_ID;
  }
  return n;
}

static ssize_t write_answer(int fd, struct iovec *parts, int count, void *userdata) {
  return writev(fd, parts, count);
}

static const struct fuse_custom_io IO = {.read = read_request, .writev = write_answer};

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--drop")) {
    return drop(argc - 2, argv + 2);
  }
  int first = argc > 1 && !strcmp(argv[1], "--direct") ? 2 : 1;
  direct = first == 2;
  if (argc != first + 2) {
    fprintf(stderr, "usage: faultfs [--direct] SOURCE MOUNTPOINT | faultfs --drop PATH...\n");
    return 2;
  }
  source = open(argv[first], O_RDONLY | O_DIRECTORY);
  if (source < 0) {
    return die(argv[first]);
  }
  mount_point = argv[first + 1];
  /* A signal to all processes of a terminal also ends our input; then we unmount. */
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  umask(0);
  char *options[] = {argv[0], "-o", "fsname=faultfs,subtype=faultfs,allow_other", NULL};
  struct fuse_args args = FUSE_ARGS_INIT(3, options);
  struct fuse *fuse = fuse_new(&args, &OPERATIONS, sizeof OPERATIONS, NULL);
  if (fuse == NULL || fuse_mount(fuse, mount_point) != 0) {
    return die(mount_point);
  }
  struct fuse_session *session = fuse_get_session(fuse);
  if (fuse_session_custom_io(session, &IO, fuse_session_fd(session)) != 0) {
    return die("requests");
  }
  printf("ready\n");
  fflush(stdout);
  pthread_t commands;
  pthread_create(&commands, NULL, serve_commands, NULL);
  struct fuse_loop_config *loop = fuse_loop_cfg_create();
  /* Each operation that hangs holds a thread. */
  fuse_loop_cfg_set_max_threads(loop, 1000);
  return fuse_loop_mt(fuse, loop);
}
