/* SPDX-License-Identifier: MIT */
#include "toolkit.h"

#include <stdlib.h>
#include <string.h>

struct listview {
  size_t n;
  unsigned char *selected;
  listview_changed changed;
  void *user;
};

listview *listview_new(size_t n, listview_changed changed, void *user)
{
  listview *view = malloc(sizeof *view);
  if (!view)
    abort();
  *view = (listview){n, calloc(n ? n : 1, 1), changed, user};
  if (!view->selected)
    abort();
  return view;
}

void listview_free(listview *view)
{
  free(view->selected);
  free(view);
}

void listview_select_all_quietly(listview *view) { memset(view->selected, 1, view->n); }

void listview_click(listview *view, size_t item)
{
  for (size_t i = 0; i < view->n; i++) {
    int selected = i == item;
    if (view->selected[i] != selected) {
      view->selected[i] = (unsigned char)selected;
      view->changed(view->user, i, selected);
    }
  }
}

size_t listview_size(const listview *view) { return view->n; }
int listview_selected(const listview *view, size_t item) { return view->selected[item]; }

enum { BAR_WIDTH = 640, BAR_HEIGHT = 20 };

unsigned statusbar_set_text(const char *text)
{
  static unsigned char pixels[BAR_WIDTH * BAR_HEIGHT];
  size_t length = strlen(text);
  unsigned sum = 0;
  for (size_t x = 0; x < BAR_WIDTH; x++)
    for (size_t y = 0; y < BAR_HEIGHT; y++) {
      unsigned char glyph = length ? (unsigned char)text[(x / 8) % length] : 0;
      pixels[y * BAR_WIDTH + x] = (unsigned char)((glyph >> (y % 8)) ^ (x * y));
      sum = sum * 31 + pixels[y * BAR_WIDTH + x];
    }
  return sum;
}
