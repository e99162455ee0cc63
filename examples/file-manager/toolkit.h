/* SPDX-License-Identifier: MIT */
#ifndef TOOLKIT_H
#define TOOLKIT_H
#include <stddef.h>

/* A list view and a status bar, as a GUI toolkit has them. Built without
 * instrumentation, like the system library it stands for. */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct listview listview;
typedef void (*listview_changed)(void *user, size_t item, int selected);

/* A view of n items, none selected. `changed` is called once per item whose selection changes. */
listview *listview_new(size_t n, listview_changed changed, void *user);
void listview_free(listview *view);
void listview_select_all_quietly(listview *view); /* restores a saved selection: no events */
/* A click: the clicked item becomes the only selected one, and every other one gets an event. */
void listview_click(listview *view, size_t item);
size_t listview_size(const listview *view);
int listview_selected(const listview *view, size_t item);

/* Lays out and paints the text; returns a checksum of the pixels. */
unsigned statusbar_set_text(const char *text);

#ifdef __cplusplus
}
#endif
#endif
