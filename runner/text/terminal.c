/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

bool sc_terminal_is(FILE *out)
{
  const char *kind = getenv("TERM");
  int fd = fileno(out);
  return fd >= 0 && isatty(fd) && kind && *kind && strcmp(kind, "dumb") != 0;
}

static bool is_coloured(FILE *out)
{
  const char *no_colour = getenv("NO_COLOR");
  return (!no_colour || !*no_colour) && sc_terminal_is(out);
}

bool sc_terminal_utf8(void)
{
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  const char *locale = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && (!locale || !*locale); i++)
    locale = getenv(names[i]);
  return locale && (strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8"));
}

int sc_terminal_width(FILE *out)
{
  struct winsize size;
  int fd = fileno(out);
  if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col < 40 || size.ws_col > SC_TERMINAL_WIDTH)
    return SC_TERMINAL_WIDTH;
  return size.ws_col;
}

sc_style sc_terminal_style(FILE *out)
{
  if (is_coloured(out))
    return (sc_style){"\033[1m", "\033[2m", "\033[31m", "\033[33m", "\033[0m"};
  return (sc_style){"", "", "", "", ""};
}

/* Whether it can be shown as it is, which needs no memory: an error for want of memory is shown too. */
static bool is_plain(const char *text)
{
  while (*text >= ' ' && *text <= '~')
    text++;
  return !*text;
}

void sc_terminal_say(FILE *out, const char *style, const char *label, const char *text)
{
  sc_buf shown = {0};
  const char *what = text;
  if (!is_plain(text)) {
    sc_utf8_show(text, &shown);
    what = sc_buf_finish(&shown) == 0 ? shown.text : sc_err_sentence(SC_E_NOMEM);
  }
  fprintf(out, "%s%s%s %s\n", style, label, *style ? sc_terminal_style(out).off : "", what);
  sc_buf_free(&shown);
}
