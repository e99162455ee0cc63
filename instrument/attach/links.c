/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/links.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"

static void let_go(const sc_link *one)
{
  if (one->link)
    bpf_link__destroy(one->link);
  else
    close(one->fd);
}

static void *let_go_of(void *one)
{
  let_go(one);
  return NULL;
}

enum { AT_ONCE = 32 };

/* The kernel waits for all processors before it lets go of one; at the same time for all is as quick. */
static void let_go_all(sc_link *list, size_t count)
{
  pthread_t threads[AT_ONCE];
  for (size_t i = 0, some; i < count; i += some) {
    size_t started = 0;
    some = count - i < AT_ONCE ? count - i : AT_ONCE;
    while (started < some && pthread_create(&threads[started], NULL, let_go_of, &list[i + started]) == 0)
      started++;
    for (size_t k = started; k < some; k++)
      let_go(&list[i + k]);
    for (size_t k = 0; k < started; k++)
      pthread_join(threads[k], NULL);
  }
}

int sc_links_keep(sc_links *links, sc_link one)
{
  int err = sc_mem_grow(&links->list, &links->room, links->count + 1, sizeof *links->list);
  if (err < 0)
    let_go(&one);
  else
    links->list[links->count++] = one;
  return err;
}

void sc_links_drop(sc_links *links, const bool *functions)
{
  size_t kept = 0, count = links->count;
  for (size_t i = 0; i < count; i++) {
    sc_link one = links->list[i];
    if (one.function != SC_LINK_NO_FUNCTION && functions[one.function])
      continue;
    links->list[i] = links->list[kept]; /* to the front; those that go gather behind */
    links->list[kept++] = one;
  }
  links->count = kept;
  let_go_all(links->list + kept, count - kept);
}

void sc_links_close(sc_links *links)
{
  let_go_all(links->list, links->count);
  free(links->list);
  *links = (sc_links){0};
}
