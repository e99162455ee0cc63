/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "runner/family/family.h"

static sc_family parsed(const char *text)
{
  sc_family family;
  if (sc_family_parse(text, &family) != 0)
    fail_msg("%s: %s", text, sc_err_message());
  return family;
}

static void expect_text(const sc_family *family, const char *expected)
{
  sc_buf out = {0};
  sc_family_print(family, &out);
  assert_int_equal(sc_buf_finish(&out), 0);
  assert_string_equal(out.text, expected);
  sc_buf_free(&out);
}

static void expect_bytes(const char *text, uint64_t n, const char *expected)
{
  unsigned char bytes[1000];
  size_t size;
  sc_family family = parsed(text);
  assert_int_equal(sc_family_fill(&family, n, bytes, sizeof bytes - 1, &size), 0);
  assert_true(sc_family_bytes(&family, n, sizeof bytes) == (double)size); /* without writing them */
  bytes[size] = 0;
  assert_string_equal((char *)bytes, expected);
}

TEST(writes_repetitions_and_nestings)
{
  expect_bytes("\"> \" * n . \"\\n\" * n", 3, "> > > \n\n\n");
  expect_bytes("\"[\" * n . \"x\" . \"]\" * n", 2, "[[x]]");
  expect_bytes("(\"a\" . \"b\" * 2) * n", 2, "abbabb");
  expect_bytes("((\"a\" * n . \"b\") * n)", 2, "aabaab");
  expect_bytes("\"a\"", 5, "a");
}

TEST(writes_records_and_ramps)
{
  expect_bytes("(\"k\" . i . \";\") * n", 3, "k1;k2;k3;");
  expect_bytes("(down . \";\") * n", 3, "3;2;1;");
  expect_bytes("(sorted . \";\") * n", 10, "01;02;03;04;05;06;07;08;09;10;");
  expect_bytes("(reversed . \";\") * n", 10, "10;09;08;07;06;05;04;03;02;01;");
  expect_bytes("(\"a\" . \"c\" * i) * n", 3, "acaccaccc");
  expect_bytes("(\"c\" * down . \" \") * n", 3, "ccc cc c ");
  expect_bytes("(i * 2 . \" \") * n", 2, "11 22 ");
  expect_bytes("((i . \",\") * 2 . i . \";\") * n", 2, "1,2,1;1,2,2;"); /* of the innermost */
}

TEST(colliding_keys_differ_and_share_a_hash)
{
  static const struct {
    const char *family;
    unsigned factor;
  } hashes[] = {{"(collide31 . \";\") * n", 31}, {"(collide33 . \";\") * n", 33}};
  for (size_t h = 0; h < COUNT(hashes); h++) {
    unsigned char bytes[2000];
    size_t size, keys = 0;
    sc_family family = parsed(hashes[h].family);
    assert_int_equal(sc_family_fill(&family, 100, bytes, sizeof bytes, &size), 0);
    char seen[100][16];
    unsigned first = 0;
    for (size_t at = 0; at < size; keys++) {
      unsigned hash = 5381;
      size_t k = 0;
      for (; bytes[at] != ';'; at++, k++) {
        hash = hash * hashes[h].factor + bytes[at];
        seen[keys][k] = (char)bytes[at];
      }
      seen[keys][k] = '\0';
      at++;
      first = keys ? first : hash;
      assert_int_equal(hash, first);
      for (size_t other = 0; other < keys; other++)
        assert_string_not_equal(seen[other], seen[keys]);
    }
    assert_int_equal(keys, 100);
  }
}

TEST(prints_what_it_reads)
{
  static const char *const same[] = {
      "\"> \" * n . \"\\n\" * n",
      "(\"k\" . i . \"\\n\") * n",
      "(\"a\" . (\"b\" * i . down) * 3) * n",
      "\"\\x00\\xff\\\"\\\\\\t\\r\"",
      "(sorted . reversed) * n",
      "(collide31 . collide33) * 7",
      "(\"x\" * i . i * down) * n",
      "(i) * 1",
  };
  for (size_t i = 0; i < COUNT(same); i++) {
    sc_family family = parsed(same[i]);
    expect_text(&family, same[i]);
  }
  sc_family family = parsed(" (\"a\"*n .\n(\"\\x41\" * 1)) ");
  expect_text(&family, "\"a\" * n . \"A\"");
}

TEST(refuses_what_is_none)
{
  static const char *const bad[] = {
      "",
      "\"",
      "\"\"",
      "\"a",
      "\"a\" *",
      "\"a\" * 0",
      "\"a\" * m",
      "\"a\" * i",
      "i",
      "(\"a\")*n)",
      "(\"a\" * n",
      "\"a\" \"b\"",
      "\"a\" . ",
      "\"\\q\"",
      "\"\\x4\"",
      "nn",
      "(i)",
      "\"a\" * nn",
      "\"a\" * 1000000001",
      "(\"a\" . i)",
      "((((((((\"a\")*n)*n)*n)*n)*n)*n)*n)*n",
  };
  for (size_t i = 0; i < COUNT(bad); i++) {
    sc_family family;
    if (sc_family_parse(bad[i], &family) != SC_E_INPUT)
      fail_msg("%s is taken", bad[i]);
    assert_true(*sc_err_hint_text());
  }
}

TEST(is_bounded)
{
  sc_family family = parsed("\"ab\" * n");
  unsigned char bytes[10];
  size_t size;
  assert_int_equal(sc_family_fill(&family, 5, bytes, 10, &size), 0);
  assert_int_equal(size, 10);
  assert_int_equal(sc_family_fill(&family, 6, bytes, 10, &size), SC_E_INPUT);
  assert_true(isinf(sc_family_bytes(&family, 6, 10)) && isinf(sc_family_bytes(&family, UINT64_MAX, 10)));
  assert_int_equal(sc_family_fill(&family, UINT64_MAX, bytes, 10, &size), SC_E_INPUT);
  assert_int_equal(sc_family_fill(&family, 0, bytes, 10, &size), SC_E_INPUT);
  char text[1100];
  snprintf(text, sizeof text, "\"%0*d\"", SC_FAMILY_TEXT, 0);
  family = parsed(text);
  snprintf(text, sizeof text, "\"%0*d\"", SC_FAMILY_TEXT + 1, 0);
  assert_int_equal(sc_family_parse(text, &family), SC_E_INPUT);
  family = (sc_family){0};
  for (int i = 0; i < SC_FAMILY_PARTS; i++)
    assert_true(sc_family_add(&family, "a", 1, SC_FAMILY_N, 0));
  assert_false(sc_family_add(&family, "a", 1, SC_FAMILY_N, 0));
}

TEST(longer_digits_are_no_length)
{
  static const struct {
    const char *text;
    double tenth, twentieth;
  } cases[] = {{"\"ab\" * n . \"c\"", 21, 41},
               {"(i . \"\\n\") * n", 50, 100},
               {"(collide31 . sorted) * n", 80, 160},
               {"(\"a\" * i) * n", 55, 210},
               {"((i * down . reversed) * i) * n", 1100, 7000}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_family family = parsed(cases[i].text);
    assert_true(sc_family_length(&family, 10, 1e6) == cases[i].tenth);
    assert_true(sc_family_length(&family, 20, cases[i].twentieth) == cases[i].twentieth);
    assert_true(isinf(sc_family_length(&family, 20, cases[i].twentieth - 1)));
  }
}

TEST(parts_are_removed_with_what_is_in_them)
{
  sc_family family = parsed("\"a\" . (\"b\" . (i) * n . \"c\") * n . \"d\" * n");
  assert_int_equal(sc_family_next(&family, 1), 8);
  assert_false(sc_family_is_fixed(&family));
  sc_family_remove(&family, 1);
  expect_text(&family, "\"a\" . \"d\" * n");
  sc_family_remove(&family, 1);
  assert_true(sc_family_is_fixed(&family));
  family = parsed("\"a\" . ((i) * n) * n . \"d\"");
  sc_family_remove(&family, 3); /* and the parentheses, which are empty then */
  expect_text(&family, "\"a\" . \"d\"");
}

int main(void) { return unit_run(NULL, NULL); }
