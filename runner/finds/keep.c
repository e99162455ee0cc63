/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds as workload files: `scale-run run` takes them, and `scale-run fuzz --check` runs them again. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/saved_error.h"
#include "base/utf8.h"
#include "runner/finds/finds.h"
#include "runner/finds/found.h"
#include "runner/text/outfile.h"
#include "runner/text/tuning.h"

/* Braces stand for themselves. */
static void add_text(const char *text, size_t size, sc_buf *out)
{
  char one[2] = "";
  for (size_t i = 0; i < size; i++) {
    one[0] = text[i];
    sc_workload_escape(text[i] == '{' ? "{{" : one, out);
  }
}

static void add_kept_find_argument(const char *text, size_t size, sc_buf *out)
{
  sc_buf_puts(out, "    <arg>");
  add_text(text, size, out);
  sc_buf_puts(out, "</arg>\n");
}

/* An argument in which `place` stands is written with `instead`, which is no text of the command's. */
static void add_kept_find_place(const char *argument, const char *place, const char *instead, sc_buf *out)
{
  const char *at = strstr(argument, place);
  sc_buf_puts(out, "    <arg>");
  add_text(argument, (size_t)(at - argument), out);
  sc_buf_puts(out, instead);
  add_text(at + strlen(place), strlen(at + strlen(place)), out);
  sc_buf_puts(out, "</arg>\n");
}

/* {arg}: a shell puts the input into the command, whose words are its own parameters; that argument's are two, of what
 * stands around the input. */
static void add_shell(char *const *argv, sc_buf *out)
{
  size_t next = 1;
  sc_buf_puts(out, "    <arg>/bin/sh</arg>\n    <arg>-c</arg>\n    <arg>i=$(cat \"$0\"; echo .); exec");
  for (size_t i = 0; argv[i]; i++, next++) {
    if (!strstr(argv[i], "{arg}")) {
      sc_buf_printf(out, " \"${{%zu}\"", next);
      continue;
    }
    sc_buf_printf(out, " \"${{%zu}${{i%%.}${{%zu}\"", next, next + 1);
    next++;
  }
  sc_buf_puts(out, "</arg>\n    <arg>{dir}/input</arg>\n");
}

/* A harness's command names no place for the input: without the search it takes files as arguments. */
static void add_kept_find_command(char *const *argv, int status, sc_buf *out)
{
  bool input = false, argument = false, file = false;
  for (size_t i = 0; argv[i]; i++) {
    input = input || strcmp(argv[i], "{stdin}") == 0;
    argument = argument || strstr(argv[i], "{arg}");
    file = file || strstr(argv[i], "{file}");
  }
  sc_buf_printf(out, "  <command%s", input ? " stdin=\"{dir}/input\"" : "");
  if (status)
    sc_buf_printf(out, " status=\"%d\"", status);
  sc_buf_puts(out, ">\n");
  if (argument)
    add_shell(argv, out);
  for (size_t i = 0; argv[i]; i++) {
    const char *at = strstr(argv[i], "{arg}");
    if (at) {
      add_kept_find_argument(argv[i], (size_t)(at - argv[i]), out);
      add_kept_find_argument(at + strlen("{arg}"), strlen(at + strlen("{arg}")), out);
    } else if (strstr(argv[i], "{file}")) {
      add_kept_find_place(argv[i], "{file}", "{dir}/input", out);
    } else if (strcmp(argv[i], "{stdin}") != 0) {
      add_kept_find_argument(argv[i], strlen(argv[i]), out);
    }
  }
  if (!input && !argument && !file)
    sc_buf_puts(out, "    <arg>{dir}/input</arg>\n");
  sc_buf_puts(out, "  </command>\n");
}

/* A name out of a program may have bytes that no XML can have. */
static void add_shown(const char *text, sc_buf *out)
{
  sc_buf shown = {0};
  sc_utf8_show(text, &shown);
  if (sc_buf_finish(&shown) == 0)
    sc_workload_escape(shown.text, out);
  sc_buf_free(&shown);
}

static void add_kept_find_attribute(const char *name, const char *value, sc_buf *out)
{
  if (!value || !*value)
    return;
  sc_buf_printf(out, " %s=\"", name);
  add_shown(value, out);
  sc_buf_puts(out, "\"");
}

static void add_found(const sc_fuzz_find *find, sc_buf *out)
{
  sc_buf_printf(out, "  <found what=\"%s\"", sc_found_what(find->outcome));
  if (find->outcome == SC_FUZZ_ENDED)
    sc_buf_printf(out, " order=\"%.3f\"", find->order);
  if (find->step_count) {
    const sc_fuzz_step *last = &find->steps[find->step_count - 1];
    add_kept_find_attribute("place", sc_found_place(last->kind), out);
    add_kept_find_attribute("function", last->function, out);
    add_kept_find_attribute("file", sc_path_last(last->file), out);
  }
  if (find->failed_at)
    sc_buf_printf(out, " size=\"%llu\"", (unsigned long long)find->failed_at);
  if (find->signal)
    sc_buf_printf(out, " signal=\"%d\"", find->signal);
  sc_buf_puts(out, "/>\n");
}

/* What a person reads first, and how the failure comes again. */
static void add_title(const sc_fuzz_find *find, const char *name, sc_buf *out)
{
  char order[60];
  sc_buf_puts(out, "  <title>");
  if (find->outcome == SC_FUZZ_ENDED) {
    sc_model_format_order(&find->model.order, "n", order, sizeof order);
    add_shown(find->where, out);
    sc_buf_printf(out, " grows as %s", order);
  } else {
    sc_buf_printf(out, "the program %s with %s.input", sc_found_fails(find->outcome), name);
  }
  sc_buf_puts(out, "</title>\n");
}

static int compose_find_workload(char *const *argv, const sc_fuzz_find *find, const char *name, sc_buf *out)
{
  sc_buf family = {0};
  double high = find->outcome != SC_FUZZ_ENDED ? (double)find->failed_at : find->held_n;
  sc_family_print(&find->family, &family);
  SC_TRY(sc_buf_finish(&family));
  sc_buf_printf(out, "<workload name=\"%s\">\n", name);
  add_title(find, name, out);
  sc_buf_printf(out, "  <parameter name=\"n\">\n    <range low=\"%.0f\" high=\"%.0f\"/>\n  </parameter>\n",
                find->outcome == SC_FUZZ_ENDED ? find->n[0] : 1, high > 1 ? high : 2);
  sc_buf_puts(out, "  <generate file=\"{dir}/input\"");
  add_kept_find_attribute("family", family.text, out);
  sc_buf_puts(out, "/>\n");
  sc_buf_free(&family);
  add_kept_find_command(argv, find->exit_status, out);
  add_found(find, out);
  sc_buf_puts(out, "</workload>\n");
  return sc_buf_finish(out);
}

static int write_find_file(const char *path, const void *bytes, size_t size)
{
  sc_outfile out;
  SC_TRY(sc_outfile_open(path, &out));
  (void)fwrite(bytes, 1, size, out.stream);
  return sc_outfile_close(&out, 0);
}

static int write_example_piece(void *user, const void *bytes, size_t size)
{
  (void)fwrite(bytes, 1, size, user);
  return 0;
}

static int write_example(const char *path, const sc_fuzz_find *find)
{
  sc_outfile out;
  SC_TRY(sc_outfile_open(path, &out));
  int err = sc_family_write(&find->family, find->failed_at ? find->failed_at : SC_FUZZ_EXAMPLE, (uint64_t)SC_FUZZ_INPUT,
                            write_example_piece, out.stream);
  return sc_outfile_close(&out, err);
}

/* "slow-scan", "crash-signal11"; the second of a name has a number. */
static void name_find(const sc_fuzz_find *find, unsigned nth, sc_buf *out)
{
  enum { MOST = 40 }; /* with what is around them less than a name may have */
  sc_buf_puts(out, sc_found_prefix(find->outcome));
  if (find->outcome == SC_FUZZ_CRASHED) /* others are ended by the search */
    sc_buf_printf(out, "-signal%d", find->signal);
  const char *subject = sc_finds_subject(find);
  for (size_t i = 0; subject[i] && i < MOST; i++)
    sc_buf_printf(out, "%s%c", i ? "" : "-", isalnum((unsigned char)subject[i]) ? subject[i] : '_');
  if (nth > 1)
    sc_buf_printf(out, "-%u", nth);
}

/* Whether the file is of the same place, so that it may be replaced. */
static bool holds_same_place(const char *path, const sc_fuzz_find *find)
{
  sc_fuzz_stored stored;
  bool same = sc_found_read(path, &stored) == 0;
  if (same) {
    const sc_fuzz_step *last = find->step_count ? &find->steps[find->step_count - 1] : NULL;
    same = stored.outcome == find->outcome && stored.signal == find->signal &&
           (find->outcome == SC_FUZZ_CRASHED ||
            (strcmp(stored.function, sc_finds_subject(find)) == 0 && last && stored.kind == last->kind &&
             strcmp(stored.file, sc_path_last(last->file)) == 0 &&
             fabs(stored.order - find->order) < SC_FUZZ_ORDERS_APART));
  }
  sc_found_free(&stored);
  return same;
}

static bool is_file_taken(char *const *files, size_t count, const char *path)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(files[i], path) == 0)
      return true;
  return false;
}

/* NAME.xml in the folder that nobody else has, and the name. */
static int choose_file(const char *folder, const sc_fuzz_find *find, char **files, size_t count, sc_buf *name)
{
  for (unsigned nth = 1;; nth++) {
    sc_buf path = {0};
    name_find(find, nth, name);
    SC_TRY(sc_buf_finish(name));
    sc_buf_printf(&path, "%s/%s.xml", folder, name->text);
    SC_TRY(sc_buf_finish(&path));
    if (!is_file_taken(files, count, path.text) &&
        (access(path.text, F_OK) != 0 || holds_same_place(path.text, find))) {
      files[count] = sc_buf_take(&path);
      sc_buf_free(&path);
      return files[count] ? 0 : SC_E_NOMEM;
    }
    sc_buf_free(&path);
    sc_buf_free(name);
  }
}

static int keep_find_file(const char *folder, char *const *argv, const sc_fuzz_find *find, char **files, size_t count)
{
  sc_buf name = {0}, text = {0}, input = {0};
  sc_workload *workload = NULL;
  int err;
  SC_GOTO(choose_file(folder, find, files, count, &name));
  SC_GOTO(compose_find_workload(argv, find, name.text, &text));
  err = sc_workload_parse(text.text, files[count], &workload); /* what cannot be read is not written */
  sc_workload_free(workload);
  SC_GOTO(err);
  SC_GOTO(write_find_file(files[count], text.text, text.length));
  sc_buf_printf(&input, "%s/%s.input", folder, name.text);
  SC_GOTO(sc_buf_finish(&input));
  err = write_example(input.text, find);
out:
  sc_buf_free(&name);
  sc_buf_free(&text);
  sc_buf_free(&input);
  return err;
}

int sc_finds_make_folder(const char *folder)
{
  bool made = mkdir(folder, 0777) == 0, there = !made && errno == EEXIST;
  if (made || (there && access(folder, W_OK | X_OK) == 0))
    return 0;
  (void)sc_err_system(SC_E_IO, errno, "the folder %s cannot be %s", folder, there ? "written to" : "made");
  return sc_err_hint(SC_E_IO, "name a folder for -o where you may make one");
}

int sc_finds_keep(const char *folder, char *const *argv, const sc_fuzz_finds *finds, char ***files)
{
  *files = NULL;
  SC_TRY(sc_finds_make_folder(folder));
  SC_TRY(SC_NEW(*files, finds->count + 1));
  int err = 0;
  sc_saved_error saved;
  for (size_t i = 0; i < finds->count; i++) {
    int kept = keep_find_file(folder, argv, &finds->list[i], *files, i);
    if (kept == 0)
      continue;
    if (err == 0)
      sc_saved_error_take(&saved);
    err = err ?: kept;
    free((*files)[i]);
    (*files)[i] = sc_mem_copy_string("");
    if (!(*files)[i])
      return SC_E_NOMEM;
  }
  return err ? sc_saved_error_restore(&saved, err) : 0;
}
