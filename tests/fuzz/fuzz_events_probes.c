/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a probe set. What is accepted becomes lines of twelve columns, of work four, and says nothing new a
 * second time.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/events/probes.h"

static void check_line(const char *line, size_t length, int columns)
{
  int tabs = 0;
  for (size_t i = 0; i < length; i++) {
    tabs += line[i] == '\t';
    if ((unsigned char)line[i] < ' ' && line[i] != '\t')
      abort();
  }
  if (tabs + 1 != columns)
    abort();
}

static void check_lines(const sc_probes *probes)
{
  sc_buf lines = {0}, table = {0};
  size_t count = 0;
  if (sc_probes_lines(probes, &lines) == 0) {
    for (const char *line = lines.text; *line; line = strchr(line, '\n') + 1, count++)
      check_line(line, strcspn(line, "\n"), count < probes->event_count ? 12 : 4);
    if (count != probes->event_count + probes->work_count || count == 0 || count > SC_PROBES_EVENTS)
      abort();
  } else if (!sc_err_message()[0]) {
    abort();
  }
  if (sc_probes_table(probes, &table) < 0)
    abort();
  sc_buf_free(&table);
  sc_buf_free(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  sc_probes probes = {0};
  int err = sc_probes_parse(&probes, (const char *)data, size, "fuzz");
  if (err == 0) {
    size_t events = probes.event_count, works = probes.work_count;
    check_lines(&probes);
    if (sc_probes_parse(&probes, (const char *)data, size, "again") < 0 || probes.event_count != events ||
        probes.work_count != works)
      abort();
  } else if (strncmp(sc_err_message(), "fuzz:", 5) != 0 || !sc_err_hint_text()[0]) {
    abort();
  }
  sc_probes_free(&probes);
  return 0;
}
