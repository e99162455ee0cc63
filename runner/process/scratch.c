/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder's name; a file in it that its process holds locked as long as it lives. */
#define PREFIX "scale-run-"
#define OWNER  ".scale-run-owner"
/* Of profiles, when nobody else is to reach them. */
#define CLOSED_PROFILES "profiles"
enum { OPEN_DIRECTORIES = 32 };

static int refuse_folder(const char *path, int code)
{
  int err = sc_err_system(code == ENOSPC || code == EDQUOT ? SC_E_NOSPACE : SC_E_IO, code,
                          "cannot make the directory %s", path);
  return sc_err_hint(err, "set TMPDIR to a writable place with free space");
}

static int make_scratch(const char *path)
{
  return mkdir(path, 0700) < 0 && errno != EEXIST ? refuse_folder(path, errno) : 0;
}

static int join_scratch(const char *base, const char *name, char **path)
{
  if (asprintf(path, "%s/%s", base, name) < 0) {
    *path = NULL;
    return sc_err_set(SC_E_NOMEM, "out of memory");
  }
  return make_scratch(*path);
}

/* The programs of root may become other users, who must be able to make and reopen profiles. Only they learn the
 * folder's name, which nobody can list, by SCALE_PROFILE_DIR; so no other user can put anything there. It is the same
 * for all runs. */
static const char *name_of_profiles(void)
{
  static char name[sizeof CLOSED_PROFILES + 17] = CLOSED_PROFILES;
  char *end = name + strlen(CLOSED_PROFILES);
  uint64_t secret;
  if (geteuid() == 0 && !*end && getrandom(&secret, sizeof secret, 0) == (ssize_t)sizeof secret)
    snprintf(end, 18, "-%016" PRIx64, secret);
  return name;
}

static bool has_secret(const sc_scratch *scratch)
{
  return strcmp(strrchr(scratch->profiles, '/') + 1, CLOSED_PROFILES) != 0;
}

static int open_profiles(const sc_scratch *scratch)
{
  if (!has_secret(scratch))
    return 0;
  if (chmod(scratch->base, 0711) < 0 || chmod(scratch->run, 0711) < 0 || chmod(scratch->profiles, 01733) < 0)
    return refuse_folder(scratch->profiles, errno);
  return 0;
}

/* From now on nobody else makes or changes anything there. */
static void close_profiles(const sc_scratch *scratch)
{
  if (scratch->profiles && has_secret(scratch))
    (void)chmod(scratch->profiles, 0700);
}

int sc_scratch_open(const char *base, sc_scratch *scratch)
{
  int err;
  *scratch = (sc_scratch){0};
  scratch->base = realpath(base, NULL);
  if (!scratch->base)
    return sc_err_system(SC_E_IO, errno, "cannot use the scratch directory %s", base);
  SC_GOTO(join_scratch(scratch->base, "shared", &scratch->shared));
  SC_GOTO(join_scratch(scratch->base, "run", &scratch->run));
  SC_GOTO(join_scratch(scratch->run, "files", &scratch->files));
  SC_GOTO(join_scratch(scratch->run, name_of_profiles(), &scratch->profiles));
  SC_GOTO(open_profiles(scratch));
  SC_GOTO(join_scratch(scratch->run, "spool", &scratch->spool));
out:
  if (err < 0)
    sc_scratch_close(scratch, NULL);
  return err;
}

static void keep_scratch(const sc_scratch *scratch, const char *name)
{
  char *path;
  if (asprintf(&path, "%s/" CLOSED_PROFILES, scratch->run) < 0)
    return;
  (void)rename(scratch->profiles, path);
  free(path);
  if (asprintf(&path, "%s/%s", scratch->base, name) < 0)
    return;
  sc_scratch_remove(path);
  (void)rename(scratch->run, path);
  free(path);
}

void sc_scratch_close(sc_scratch *scratch, const char *keep_as)
{
  close_profiles(scratch);
  if (scratch->run && keep_as)
    keep_scratch(scratch, keep_as);
  else if (scratch->run)
    sc_scratch_remove(scratch->run);
  free(scratch->base);
  free(scratch->shared);
  free(scratch->run);
  free(scratch->files);
  free(scratch->profiles);
  free(scratch->spool);
  *scratch = (sc_scratch){0};
}

static const char *default_parent(const char *parent)
{
  const char *temporary = getenv("TMPDIR");
  return parent ? parent : temporary && *temporary ? temporary : "/tmp";
}

/* The owner's file in the folder, locked. False if the folder was collected meanwhile, or the file system has no locks:
 * then it stays without an owner. */
static bool own_folder(const char *path, int *lock)
{
  char file[PATH_MAX];
  struct stat opened, named;
  if ((size_t)snprintf(file, sizeof file, "%s/" OWNER, path) >= sizeof file)
    return true;
  *lock = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (*lock < 0)
    return errno != ENOENT;
  if (flock(*lock, LOCK_EX | LOCK_NB) == 0 && fstat(*lock, &opened) == 0 && lstat(file, &named) == 0 &&
      opened.st_ino == named.st_ino)
    return true;
  bool collected = errno == EWOULDBLOCK || errno == ENOENT;
  close(*lock);
  *lock = -1;
  if (!collected)
    (void)unlink(file);
  return !collected;
}

int sc_scratch_make(const char *parent, char **path, int *lock)
{
  for (;;) {
    if (asprintf(path, "%s/" PREFIX "XXXXXX", default_parent(parent)) < 0) {
      *path = NULL;
      return sc_err_set(SC_E_NOMEM, "out of memory");
    }
    if (!mkdtemp(*path)) {
      int err = refuse_folder(*path, errno);
      free(*path);
      *path = NULL;
      return err;
    }
    if (!lock || own_folder(*path, lock))
      return 0;
    free(*path);
  }
}

/* The owner's file goes last: a partly removed folder can still be collected. */
static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
  if (where->level != 1 || strcmp(path + where->base, OWNER) != 0)
    (void)remove(path);
  return 0;
}

/* A target may have closed a directory to us. */
static int open_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
  if ((type == FTW_D || type == FTW_DNR) && (info->st_mode & 0700) != 0700 && chmod(path, 0700) == 0 && type == FTW_DNR)
    (void)nftw(path, open_entry, OPEN_DIRECTORIES, FTW_PHYS | FTW_MOUNT);
  return 0;
}

static bool remove_tree(const char *path)
{
  char file[PATH_MAX];
  nftw(path, remove_entry, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
  if (snprintf(file, sizeof file, "%s/" OWNER, path) < (int)sizeof file)
    (void)remove(file);
  return rmdir(path) == 0 || errno != ENOTEMPTY;
}

void sc_scratch_remove(const char *path)
{
  if (remove_tree(path))
    return;
  nftw(path, open_entry, OPEN_DIRECTORIES, FTW_PHYS | FTW_MOUNT);
  (void)remove_tree(path);
}

static void remove_leftovers(const char *parent, int folders, const char *name)
{
  char path[PATH_MAX];
  /* NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions): refuses -1 by itself */
  int folder = openat(folders, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;
  if (folder < 0)
    return;
  int lock = openat(folder, OWNER, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fstat(folder, &info) < 0 || info.st_uid != geteuid())
    ;
  else if (lock < 0 && errno == ENOENT)
    (void)unlinkat(folders, name, AT_REMOVEDIR); /* killed before it had an owner; only an empty one goes */
  else if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 &&
           snprintf(path, sizeof path, "%s/%s", parent, name) < (int)sizeof path)
    sc_scratch_remove(path);
  if (lock >= 0)
    close(lock);
  close(folder);
}

void sc_scratch_collect(const char *parent)
{
  parent = default_parent(parent);
  DIR *folders = opendir(parent);
  if (!folders)
    return;
  for (const struct dirent *entry; (entry = readdir(folders));)
    if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)) && strlen(entry->d_name) == strlen(PREFIX "XXXXXX"))
      remove_leftovers(parent, dirfd(folders), entry->d_name);
  closedir(folders);
}
