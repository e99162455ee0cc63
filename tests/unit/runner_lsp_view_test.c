/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lenses and hovers say of a program whose truth is known. */
#include "unit.h"

#include "transitions/resources/queue.h"
#include "transitions_resources_scene.h"

#include <stdlib.h>

#include "runner/lsp/view.h"
#include "runner/several/open.h"

static char *const program[] = {"./program", "{n}", NULL};

typedef struct fixture {
  sc_judge judge;
  sc_view view;
} fixture;

static double ten_squares(double n) { return 10 * n * n; }

static uint32_t place(sc_graph *graph, uint32_t parent, enum sc_location_kind kind, const char *name, uint32_t line,
                      scene_curve count, double each)
{
  sc_location at = {
      .kind = kind, .name = name, .file = "/src/scene.c", .line = line, .column = kind == SC_LOCATION_LOOP ? 3 : 0};
  if (kind == SC_LOCATION_WORK)
    at.nth = SC_UNIT_BYTES;
  uint32_t context = scene_context(graph, parent, &at);
  scene_fill(graph, context, count, each);
  return context;
}

/* n threads: one lock, held for 0.3 ms, wanted again after 10 ms, so that 27 threads keep it busy for 80 %. */
static void add_lock(sc_graph *graph, uint32_t context)
{
  uint32_t lock = scene_resource(graph, SC_RESOURCE_MUTEX, "table::lock", 0);
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    scene_lock made = {sc_graph_run(graph, run)->n, 50, 300e-6, 10e-3, 0, 1};
    sc_queue queue = {made.hold, made.think, made.threads, made.instances, 1};
    made.wait = sc_queue_solve(&queue).wait;
    scene_lock_run(graph, run, context, lock, made);
  }
}

/* again (40) calls strlen. main (1) calls work (12) once, which has two loops in one line (20): n and n (n - 1) / 2;
 * work is called in a second context n times. */
static fixture *set_up(const char *event)
{
  static const double sizes[] = {1, 2, 3, 4, 6, 8}, target[] = {1e6};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  sc_loaded *l = &f->judge.loaded;
  f->judge.study = "scale.db";
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=1..8", NULL}, (char **)program, &l->workload), 0);
  sc_graph *graph = l->graph = scene_new(sizes, 6, event);
  uint32_t process =
      scene_context(graph, 0, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "program", .file = ""});
  uint32_t top = place(graph, process, SC_LOCATION_FUNCTION, "main", 1, scene_one, 0);
  uint32_t work = place(graph, top, SC_LOCATION_FUNCTION, "work", 12, scene_one, 0);
  uint32_t outer = place(graph, work, SC_LOCATION_LOOP, "work", 20, scene_n, 0);
  (void)place(graph, outer, SC_LOCATION_LOOP, "work", 21, scene_triangle, *event ? 1e-6 : 0);
  uint32_t again = place(graph, top, SC_LOCATION_FUNCTION, "again", 40, scene_n, 0);
  (void)place(graph, again, SC_LOCATION_FUNCTION, "work", 12, scene_n, 0);
  (void)place(graph, top, SC_LOCATION_FUNCTION, "nowhere", 0, scene_n, 0);
  (void)place(graph, again, SC_LOCATION_WORK, "strlen", 41, ten_squares, 0);
  (void)place(graph, top, SC_LOCATION_WORK, "strlen", 2, scene_one, 0); /* as much at every size: not shown */
  add_lock(graph, outer);
  l->analysis = scene_analyse(graph, target, 1);
  f->judge.findings = scene_infer(l->analysis);
  f->judge.resources = scene_resources(l->analysis, SC_PARAMETER_THREADS);
  unit_ok(sc_view_make(&f->judge, &f->view));
  return f;
}

static void tear_down(fixture *f)
{
  sc_view_free(&f->view);
  sc_judge_close(&f->judge);
  free(f);
}

static void lens_is(const fixture *f, uint32_t spot, uint32_t line, const char *wanted)
{
  sc_buf text = {0};
  assert_int_equal(f->view.spots[spot].at->line, line);
  sc_view_lens(&f->view, &f->view.spots[spot], &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, wanted);
  sc_buf_free(&text);
}

TEST(lenses_say_growth_and_number)
{
  fixture *f = set_up("");
  assert_int_equal(f->view.file_count, 1);
  assert_string_equal(f->view.paths[0], "/src/scene.c");
  assert_int_equal(f->view.files[0].count, 6); /* without what has no line */
  lens_is(f, 0, 1, "calls constant \xc2\xb7 1");
  /* of two contexts; the function waits, though it is a loop in it that locks */
  lens_is(f, 1, 12,
          "calls \xe2\x88\x9d n \xc2\xb7 1 M at n=1e6 \xc2\xb7 waits from n\xe2\x89\x88"
          "27");
  lens_is(f, 2, 20, "iterations \xe2\x88\x9d n \xc2\xb7 1 M at n=1e6");
  lens_is(f, 3, 21, "iterations \xe2\x88\x9d n^2 \xc2\xb7 500 G at n=1e6");
  lens_is(f, 5, 41, "bytes of strlen \xe2\x88\x9d n^2 \xc2\xb7 10 T at n=1e6");
  tear_down(f);
}

TEST(lenses_say_what_it_costs)
{
  fixture *f = set_up("task-clock");
  sc_buf text = {0};
  sc_view_lens(&f->view, &f->view.spots[3], &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_non_null(strstr(text.text, "500 G at n=1e6 \xc2\xb7 "));
  assert_non_null(strstr(text.text, "%)"));
  sc_buf_free(&text);
  tear_down(f);
}

TEST(hovers_add_up_contexts)
{
  fixture *f = set_up("");
  sc_buf text = {0};
  assert_int_equal(sc_view_hover(&f->view, &f->view.spots[1], &text), 0);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_non_null(strstr(text.text, "**work (scene.c:12)**"));
  assert_non_null(strstr(text.text, "| 8 | 9 | measured |\n"));
  assert_non_null(strstr(text.text, "| **1,000,000** | **1.00 million** | exactly |"));
  assert_non_null(strstr(text.text, "(there are 2)"));
  assert_non_null(strstr(text.text, "Resource table::lock (scene.c:7): waits from n\xe2\x89\x88"
                                    "27"));
  assert_non_null(strstr(text.text, "program > main > again > work"));
  sc_buf_free(&text);
  tear_down(f);
}
