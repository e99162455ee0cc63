// SPDX-License-Identifier: MIT
#ifndef PANEL_HPP
#define PANEL_HPP
#include "toolkit.h"

#include <cstddef>
#include <vector>

// The panel of a file manager: a list of files and a status bar that says how many are selected.
class Panel {
public:
  explicit Panel(std::size_t files);
  ~Panel();
  Panel(const Panel &) = delete;
  Panel &operator=(const Panel &) = delete;

  void selectAll();
  void click(std::size_t item);
  unsigned painted() const { return painted_; }

private:
  static void onChanged(void *self, std::size_t item, int selected);
  void refreshStatusBar();
  void operatedItems(std::vector<std::size_t> &items) const;
  void selectedItems(std::vector<std::size_t> &items) const;

  listview *view_;
  unsigned painted_ = 0;
};
#endif
