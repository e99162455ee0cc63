/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language server's parts: messages in a stream, lines and columns, files, and its answers to what is no request.
 */
#include "unit.h"

#include <stdlib.h>

#include "runner/lsp/frames.h"
#include "runner/lsp/place.h"
#include "runner/lsp/server.h"
#include "runner/lsp/text.h"

TEST(messages_come_in_any_pieces)
{
  static const char stream[] = "Content-Length: 2\r\n\r\n{}content-length:0\r\nContent-Type: x; charset=utf-8\r\n\r\n"
                               "Content-Length:  5 \r\n\r\n[1,2]";
  static const char *const wanted[] = {"{}", "", "[1,2]"};
  for (size_t piece = 1; piece < sizeof stream; piece++) {
    sc_frames frames = {0};
    size_t seen = 0, length;
    const char *message;
    for (size_t at = 0; at < sizeof stream - 1; at += piece) {
      size_t more = sizeof stream - 1 - at < piece ? sizeof stream - 1 - at : piece;
      assert_int_equal(sc_frames_add(&frames, stream + at, more), 0);
      for (int got; (got = sc_frames_next(&frames, &message, &length)) != 0; seen++) {
        assert_int_equal(got, 1);
        assert_true(seen < 3 && length == strlen(wanted[seen]) && memcmp(message, wanted[seen], length) == 0);
      }
    }
    assert_int_equal(seen, 3);
    sc_frames_free(&frames);
  }
}

TEST(what_is_no_message_is_an_error)
{
  static const char *const bad[] = {"\r\n\r\n{}",
                                    "Content-Length: -1\r\n\r\n",
                                    "Content-Length: 1e3\r\n\r\n",
                                    "Content-Length: \r\n\r\n",
                                    "Content-Length: 99999999999999999999\r\n\r\n",
                                    "Content-Length: 67108865\r\n\r\n",
                                    "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
                                    "no colon\r\n\r\n",
                                    "Content-Type: x\r\n\r\n{}"};
  const char *message;
  size_t length;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sc_frames frames = {0};
    assert_int_equal(sc_frames_add(&frames, bad[i], strlen(bad[i])), 0);
    if (sc_frames_next(&frames, &message, &length) != SC_E_INPUT)
      fail_msg("accepted: %s", bad[i]);
    sc_frames_free(&frames);
  }
  sc_frames frames = {0};
  for (size_t i = 0; i < SC_FRAMES_HEADER_MAX; i++) {
    assert_int_equal(sc_frames_next(&frames, &message, &length), 0);
    assert_int_equal(sc_frames_add(&frames, "x", 1), 0);
  }
  assert_int_equal(sc_frames_next(&frames, &message, &length), SC_E_INPUT); /* a header without an end */
  sc_frames_free(&frames);
}

TEST(columns_are_utf16_units)
{
  static const char line[] = "a\xc3\xa4\xe2\x88\x9d\xf0\x9f\x98\x80z\xff!"; /* a, two, three, four bytes, z, no UTF-8 */
  static const uint32_t units[] = {0, 1, 2, 2, 3, 3, 3, 5, 5, 5, 5, 6, 7, 8};
  size_t length = sizeof line - 1;
  for (size_t byte = 0; byte <= length; byte++)
    if (byte == 0 || byte == 1 || byte == 3 || byte == 6 || byte >= 10)
      assert_int_equal(sc_lines_units(line, length, byte), units[byte]);
  assert_int_equal(sc_lines_byte(line, length, 0), 0);
  assert_int_equal(sc_lines_byte(line, length, 3), 6);
  assert_int_equal(sc_lines_byte(line, length, 5), 10);
  assert_int_equal(sc_lines_byte(line, length, 6), 11);
  assert_int_equal(sc_lines_byte(line, length, 99), length);
}

TEST(words_are_found_from_inside_and_behind)
{
  static const char line[] = "  x->get_it(42);";
  size_t size;
  assert_int_equal(sc_lines_word(line, 16, 7, &size), 5);
  assert_int_equal(size, 6);
  assert_int_equal(sc_lines_word(line, 16, 11, &size), 5);
  assert_int_equal(size, 6);
  (void)sc_lines_word(line, 16, 13, &size);
  assert_int_equal(size, 0); /* a number */
  (void)sc_lines_word(line, 16, 0, &size);
  assert_int_equal(size, 0);
}

TEST(lines_move_with_an_edit)
{
  sc_lines earlier = {0}, later = {0};
  assert_int_equal(sc_lines_set(&earlier, "a\nb\nc\r\nd"), 0);
  assert_int_equal(sc_lines_set(&later, "a\nx\ny\nc\r\nd"), 0); /* b became x and y */
  sc_lines_shift shift = sc_lines_compare(&earlier, &later);
  uint32_t line = 0;
  assert_true(sc_lines_move(&shift, &line) && line == 0);
  line = 1;
  assert_false(sc_lines_move(&shift, &line));
  assert_int_equal(line, 1);
  line = 2;
  assert_true(sc_lines_move(&shift, &line) && line == 3);
  assert_int_equal(sc_lines_set(&later, ""), 0);
  shift = sc_lines_compare(&earlier, &later);
  for (line = 0; line < 3; line++) {
    uint32_t at = line;
    assert_false(sc_lines_move(&shift, &at));
    assert_int_equal(at, 0);
  }
  sc_lines_free(&earlier);
  sc_lines_free(&later);
}

static void is_path(const char *uri, const char *wanted)
{
  char *path = sc_place_path(uri);
  if (!wanted)
    assert_null(path);
  else
    assert_string_equal(path, wanted);
  free(path);
}

TEST(uris_are_decoded_and_made)
{
  is_path("file:///src/a%20b.c", "/src/a b.c");
  is_path("FILE://localhost/x.c", "/x.c");
  is_path("file:///a%2", "/a%2");
  is_path("file:///a%zz?q", "/a%zz");
  is_path("file:///a%00b", "/a");
  is_path("untitled:Untitled-1", NULL);
  is_path("file://", NULL);
  char *uri = sc_place_uri("/src/a b#1.c");
  assert_string_equal(uri, "file:///src/a%20b%231.c");
  free(uri);
}

TEST(files_are_matched_by_their_end)
{
  static const char *const paths[] = {"/build/7/app/src/parse.c", "/build/7/app/lib/parse.c", "src/util.c", "../main.c",
                                      "/build/7/one/deep/x.c",    "/build/7/two/deep/x.c"};
  assert_int_equal(sc_place_match("/home/me/app/src/parse.c", "/home/me/app", paths, 6), 0);
  assert_int_equal(sc_place_match("/home/me/app/lib/parse.c", NULL, paths, 6), 1);
  assert_int_equal(sc_place_match("/home/me/app/src/util.c", NULL, paths, 6), 2);
  assert_int_equal(sc_place_match("/home/me/app/main.c", "/home/me/app", paths, 6), 3);
  assert_int_equal(sc_place_match("/home/me/app/sub/main.c", "/home/me/app", paths, 6), UINT32_MAX);
  assert_int_equal(sc_place_match("/home/me/app/other/parse.c", "/home/me/app", paths, 6), UINT32_MAX);
  assert_int_equal(sc_place_match("/home/me/app/deep/x.c", NULL, paths, 6), UINT32_MAX); /* which one? */
  assert_int_equal(sc_place_match("/build/7/two/deep/x.c", NULL, paths, 6), 5);
  assert_int_equal(sc_place_match("/home/me/notparse.c", "/home/me", paths, 6), UINT32_MAX);
}

/* What the server writes for messages that need no study. */
static void answer_is(const char *const *messages, const char *wanted)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  sc_options options = {.verb = SC_VERB_LSP, .operand = "/proc/self/exe/scale.db"};
  sc_server *server;
  assert_int_equal(sc_server_new(&options, out, &server), 0);
  for (; *messages; messages++)
    assert_int_equal(sc_server_take(server, *messages, strlen(*messages)), 0);
  fclose(out);
  if (wanted ? !strstr(text, wanted) : size)
    fail_msg("\"%s\" is not in: %s", wanted ? wanted : "nothing", text);
  sc_server_free(server);
  free(text);
}
#define INITIALIZE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}"

TEST(bad_messages_have_the_errors_of_the_protocol)
{
  answer_is((const char *const[]){"{", NULL}, "\"error\":{\"code\":-32700");
  answer_is((const char *const[]){"{} {}", NULL}, "\"error\":{\"code\":-32700");
  answer_is((const char *const[]){"\"\xff\"", NULL}, "\"error\":{\"code\":-32700");
  answer_is((const char *const[]){"[]", NULL}, "\"error\":{\"code\":-32600");
  answer_is((const char *const[]){"{\"id\":\"x\"}", NULL}, "\"id\":\"x\"");
  answer_is((const char *const[]){"{\"id\":7,\"method\":\"textDocument/hover\"}", NULL},
            "\"error\":{\"code\":-32002,\"message\":\"the server is not initialized\"},\"id\":7}");
  answer_is((const char *const[]){INITIALIZE, "{\"id\":2,\"method\":\"initialize\"}", NULL}, "\"code\":-32600");
  answer_is((const char *const[]){INITIALIZE, "{\"id\":2,\"method\":\"nosuch\"}", NULL}, "\"code\":-32601");
  answer_is((const char *const[]){INITIALIZE, "{\"id\":2,\"method\":\"textDocument/hover\",\"params\":[]}", NULL},
            "\"code\":-32602");
  answer_is((const char *const[]){INITIALIZE, "{\"id\":2,\"method\":\"shutdown\"}",
                                  "{\"id\":3,\"method\":\"shutdown\"}", NULL},
            "\"code\":-32600,\"message\":\"the server is shut down\"},\"id\":3");
  answer_is((const char *const[]){"{\"method\":\"textDocument/didOpen\"}", "{\"method\":\"nosuch\"}", NULL}, NULL);
  answer_is((const char *const[]){"{\"id\":5,\"result\":null}", NULL}, NULL); /* an answer that nobody waits for */
}

TEST(a_missing_study_is_told_once)
{
  static const char open[] =
      "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file:///x.c\","
      "\"text\":\"\"}}}";
  answer_is((const char *const[]){INITIALIZE, open, NULL}, "there is no study /proc/self/exe/scale.db");
  answer_is((const char *const[]){INITIALIZE, open,
                                  "{\"id\":2,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":"
                                  "\"file:///x.c\"},\"position\":{\"line\":0,\"character\":1e300}}}",
                                  NULL},
            "\"id\":2,\"result\":null");
  answer_is(
      (const char *const[]){INITIALIZE, open,
                            "{\"id\":2,\"method\":\"textDocument/codeLens\",\"params\":{\"textDocument\":{\"uri\":"
                            "\"file:///x.c\"}}}",
                            NULL},
      "\"id\":2,\"result\":[]");
}

TEST(exit_status_is_the_protocols)
{
  for (int shut = 0; shut < 2; shut++) {
    sc_options options = {.verb = SC_VERB_LSP};
    sc_server *server;
    FILE *out = fopen("/dev/null", "w");
    assert_int_equal(sc_server_new(&options, out, &server), 0);
    assert_int_equal(sc_server_take(server, INITIALIZE, strlen(INITIALIZE)), 0);
    if (shut)
      assert_int_equal(sc_server_take(server, "{\"id\":2,\"method\":\"shutdown\"}", 28), 0);
    assert_int_equal(sc_server_take(server, "{\"method\":\"exit\"}", 17), 1);
    assert_int_equal(sc_server_status(server), shut ? 0 : 1);
    sc_server_free(server);
    fclose(out);
  }
}
