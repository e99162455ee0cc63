// SPDX-License-Identifier: MIT
#include "panel.hpp"

#include <cstdio>

Panel::Panel(std::size_t files) : view_(listview_new(files, onChanged, this)) {}
Panel::~Panel() { listview_free(view_); }

void Panel::selectAll() { listview_select_all_quietly(view_); }
void Panel::click(std::size_t item) { listview_click(view_, item); }

// The toolkit calls this once per item whose selection changed: deselecting n files refreshes n times.
void Panel::onChanged(void *self, std::size_t, int) { static_cast<Panel *>(self)->refreshStatusBar(); }

void Panel::refreshStatusBar()
{
  std::vector<std::size_t> items;
  operatedItems(items);
  char text[80];
  std::snprintf(text, sizeof text, "%zu of %zu selected", items.size(), listview_size(view_));
  painted_ ^= statusbar_set_text(text);
}

void Panel::operatedItems(std::vector<std::size_t> &items) const { selectedItems(items); }

// ... and each refresh looks at all n files again.
void Panel::selectedItems(std::vector<std::size_t> &items) const
{
  items.clear();
  const std::size_t n = listview_size(view_);
  for (std::size_t i = 0; i < n; i++)
    if (listview_selected(view_, i))
      items.push_back(i);
}
