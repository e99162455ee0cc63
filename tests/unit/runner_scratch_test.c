/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/process/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *parent;

static int set_up(void **state) { return sc_scratch_make(NULL, &parent, NULL); }

static int tear_down(void **state)
{
  sc_scratch_remove(parent);
  free(parent);
  return 0;
}

static void make_file(const char *folder, const char *name)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  assert_true(fd >= 0);
  close(fd);
}

/* A process makes a folder with something in it, and is killed. Its name is to be freed. */
static char *leave_folder(bool locked)
{
  int ends[2];
  char name[4096] = "";
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    char *path;
    int lock = -1;
    if (sc_scratch_make(parent, &path, locked ? &lock : NULL) < 0 || (locked && lock < 0))
      _exit(1);
    make_file(path, "left");
    if (write(ends[1], path, strlen(path)) < 0)
      _exit(1);
    raise(SIGKILL);
  }
  close(ends[1]);
  assert_true(read(ends[0], name, sizeof name - 1) > 0);
  close(ends[0]);
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_int_equal(access(name, F_OK), 0);
  return strdup(name);
}

TEST(test_only_killed_ones_are_collected)
{
  char *killed = leave_folder(true), *kept = leave_folder(false), *alive, foreign[4096], empty[4096], link_name[4096];
  int lock;
  assert_int_equal(sc_scratch_make(parent, &alive, &lock), 0);
  assert_true(lock >= 0);
  make_file(alive, "used");
  snprintf(foreign, sizeof foreign, "%s/scale-run-notours", parent);
  assert_int_equal(mkdir(foreign, 0700), 0);
  make_file(foreign, ".scale-run-owner");
  snprintf(empty, sizeof empty, "%s/scale-run-AAAAAA", parent);
  assert_int_equal(mkdir(empty, 0700), 0);
  snprintf(link_name, sizeof link_name, "%s/scale-run-BBBBBB", parent);
  assert_int_equal(symlink(kept, link_name), 0);
  sc_scratch_collect(parent);
  assert_int_not_equal(access(killed, F_OK), 0);
  assert_int_not_equal(access(empty, F_OK), 0);
  assert_int_equal(access(kept, F_OK), 0);
  assert_int_equal(access(alive, F_OK), 0);
  assert_int_equal(access(foreign, F_OK), 0);
  assert_int_equal(access(link_name, F_OK), 0);
  sc_scratch_remove(alive);
  assert_int_not_equal(access(alive, F_OK), 0);
  close(lock);
  free(killed);
  free(kept);
  free(alive);
}

/* Another user's folder stays, although root could remove it. */
TEST(test_of_another_user)
{
  char *killed;
  if (geteuid() != 0)
    skip();
  killed = leave_folder(true);
  assert_int_equal(chown(killed, 65534, 65534), 0);
  sc_scratch_collect(parent);
  assert_int_equal(access(killed, F_OK), 0);
  free(killed);
}

/* Directories that the program closed to its own user. */
TEST(test_closed_directories)
{
  if (geteuid() == 0 && (chown(parent, 65534, 65534) < 0 || seteuid(65534) < 0))
    skip();
  char *folder, inner[4096], deeper[8192];
  assert_int_equal(sc_scratch_make(parent, &folder, NULL), 0);
  snprintf(inner, sizeof inner, "%s/inner", folder);
  snprintf(deeper, sizeof deeper, "%s/deeper", inner);
  assert_int_equal(mkdir(inner, 0700), 0);
  assert_int_equal(mkdir(deeper, 0700), 0);
  make_file(deeper, "file");
  assert_int_equal(chmod(deeper, 0500), 0);
  assert_int_equal(chmod(inner, 0), 0);
  sc_scratch_remove(folder);
  assert_true(access(folder, F_OK) < 0 && errno == ENOENT);
  free(folder);
  if (getuid() == 0)
    assert_int_equal(seteuid(0), 0);
}

int main(void) { return unit_run(set_up, tear_down); }
