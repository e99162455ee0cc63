/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Points, and the lines along each parameter, for tests of what regress/surface makes of them; after unit.h. */
#include <stdlib.h>

#include "regress/core/wls.h"
#include "regress/surface/lines.h"

enum { SURFACE_POINTS = 200, SURFACE_GRID = 24 };

typedef struct surface_scene {
  sc_surface_engine engine;
  size_t index[SC_SURFACE_PARAMETERS][SURFACE_POINTS], start[SC_SURFACE_PARAMETERS][SURFACE_POINTS + 1];
} surface_scene;

static inline void surface_begin(surface_scene *s, const sc_surface_series *series)
{
  assert_true(series->count <= SURFACE_POINTS);
  sc_wls_init();
  s->engine = (sc_surface_engine){.options = SC_FIT_OPTIONS_DEFAULT};
  assert_int_equal(sc_surface_points_gather(series, &s->engine.points), 0);
  for (size_t p = 0; p < series->parameters; p++) {
    s->engine.lines[p] = (sc_surface_lines){s->index[p], s->start[p], 0};
    sc_surface_points_lines(&s->engine.points, p, &s->engine.lines[p]);
  }
}

static inline void surface_end(surface_scene *s)
{
  sc_surface_points_free(&s->engine.points);
  sc_fit_free(s->engine.fit);
  free(s->engine.line_n);
  free(s->engine.line_y);
  free(s->engine.numbers);
}

/* Six sizes by four threads. */
static inline void surface_grid(double at[SURFACE_GRID][2])
{
  static const double n[] = {20, 50, 90, 200, 450, 1000}, t[] = {1, 2, 4, 8};
  for (size_t i = 0; i < SURFACE_GRID; i++)
    at[i][0] = n[i / 4], at[i][1] = t[i % 4];
}
