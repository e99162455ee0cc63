/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <errno.h>
#include <pthread.h>

#include "base/err.h"

TEST(message_and_hint)
{
  assert_int_equal(sc_err_set(SC_E_INPUT, "size %d is too small", 3), SC_E_INPUT);
  assert_string_equal(sc_err_message(), "size 3 is too small");
  assert_string_equal(sc_err_hint_text(), "");
  assert_int_equal(sc_err_hint(SC_E_INPUT, "take %s", "more"), SC_E_INPUT);
  assert_string_equal(sc_err_hint_text(), "take more");
  (void)sc_err_set(SC_E_IO, "another");
  assert_string_equal(sc_err_hint_text(), ""); /* an old hint must not stand beside a new message */
}

TEST(composition)
{
  (void)sc_err_system(SC_E_IO, ENOENT, "cannot open %s", "x");
  assert_string_equal(sc_err_message(), "cannot open x: No such file or directory");
  assert_int_equal(sc_err_prefix(SC_E_IO, "run %d", 4), SC_E_IO);
  assert_string_equal(sc_err_message(), "run 4: cannot open x: No such file or directory");
  (void)sc_err_set(SC_E_IO, "[%s]", sc_err_message()); /* the message as its own argument */
  assert_string_equal(sc_err_message(), "[run 4: cannot open x: No such file or directory]");
  (void)sc_err_hint(SC_E_IO, "first");
  (void)sc_err_hint(SC_E_IO, "%s, then second", sc_err_hint_text());
  assert_string_equal(sc_err_hint_text(), "first, then second");
}

TEST(long_texts_are_cut)
{
  char text[5000];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  (void)sc_err_set(SC_E_IO, "%s", text);
  assert_in_range(strlen(sc_err_message()), 1000, sizeof text - 2);
  (void)sc_err_prefix(SC_E_IO, "%s", text);
  assert_in_range(strlen(sc_err_message()), 1000, sizeof text - 2);
}

TEST(the_table)
{
  assert_string_equal(sc_err_sentence(0), "no error");
  assert_int_equal(sc_err_status(0), 0);
  assert_string_equal(sc_err_sentence(SC_E_DAMAGED), "a profile is damaged");
  assert_int_equal(sc_err_status(SC_E_TARGET), 3);
  assert_int_equal(sc_err_status(SC_E_TOOLITTLE), 4);
  assert_int_equal(sc_err_status(SC_E_INTERRUPTED), 130);
  assert_string_equal(sc_err_sentence(-9999), "internal error");
  assert_string_equal(sc_err_sentence(-INT32_MAX), "internal error");
  for (int err = -1; err > -SC_ERR_COUNT; err--) {
    assert_int_not_equal(sc_err_status(err), 0); /* no failure may look like success */
    assert_string_not_equal(sc_err_sentence(err), "");
  }
}

static void *other_thread(void *unused)
{
  (void)sc_err_set(SC_E_IO, "theirs");
  return unused;
}

TEST(threads_have_their_own)
{
  pthread_t thread;
  (void)sc_err_set(SC_E_IO, "ours");
  assert_int_equal(pthread_create(&thread, NULL, other_thread, NULL), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_string_equal(sc_err_message(), "ours");
}

static int fails(int err)
{
  SC_TRY(err);
  return 7;
}

static int goes_out(int value)
{
  int err, released = 0;
  SC_GOTO(value);
  released = 10;
out:
  return err < 0 ? err : released;
}

TEST(forwarding)
{
  assert_int_equal(fails(0), 7);
  assert_int_equal(fails(SC_E_IO), SC_E_IO);
  assert_int_equal(goes_out(0), 10);
  assert_int_equal(goes_out(SC_E_INPUT), SC_E_INPUT);
}

/* Memory that ran out is remembered, whatever became of the error: the last test. */
TEST(memory)
{
  assert_int_equal(sc_err_kept(0), 0);
  assert_int_equal(sc_err_kept(SC_E_INPUT), SC_E_INPUT);
  assert_int_equal(sc_err_set(SC_E_NOMEM, "out of memory: %d bytes wanted", 7), SC_E_NOMEM);
  assert_int_equal(sc_err_set(SC_E_INPUT, "no metric colour"), SC_E_INPUT);
  assert_int_equal(sc_err_kept(SC_E_INPUT), SC_E_NOMEM);
  assert_string_equal(sc_err_message(), "out of memory");
  assert_int_equal(sc_err_kept(0), SC_E_NOMEM);
  (void)sc_err_set(SC_E_IO, "a.c cannot be read");
  assert_int_equal(sc_err_keep(SC_E_IO), SC_E_IO);
  assert_int_equal(sc_err_kept(0), SC_E_NOMEM); /* the first stays */
}
