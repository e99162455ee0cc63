/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/roff.h"

#include <ctype.h>
#include <string.h>

void sc_roff_text(FILE *out, const char *text, size_t bytes)
{
  if (bytes && (*text == '.' || *text == '\''))
    fputs("\\&", out);
  for (; bytes && *text; text++, bytes--) {
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-') /* a hyphen would not survive copying a command */
      fputs("\\-", out);
    else if (*text == '~' || *text == '^') /* groff makes accents of them */
      fputs(*text == '~' ? "\\(ti" : "\\(ha", out);
    else
      fputc(*text == '\n' ? ' ' : *text, out);
  }
}

void sc_roff_line(FILE *out, const char *text)
{
  sc_roff_text(out, text, strlen(text));
  fputc('\n', out);
}

static void roff_heading(FILE *out, const char *macro, const char *title)
{
  fprintf(out, "%s ", macro);
  sc_roff_line(out, title);
}

void sc_roff_section(FILE *out, const char *title) { roff_heading(out, ".SH", title); }
void sc_roff_subsection(FILE *out, const char *title) { roff_heading(out, ".SS", title); }

void sc_roff_begin(FILE *out, const char *name, const char *summary, const char *source)
{
  fprintf(out, ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n.\\\" Made from %s: change that, not this.\n.TH ",
          source);
  for (const char *c = name; *c; c++) {
    char letter = (char)toupper((unsigned char)*c);
    sc_roff_text(out, &letter, 1);
  }
  fprintf(out, " 1 \"%s\" \"scale\\-run %s\" \"User Commands\"\n.SH NAME\n", SCALE_DATE, SCALE_VERSION);
  sc_roff_text(out, name, strlen(name));
  fputs(" \\- ", out);
  sc_roff_line(out, summary);
}

void sc_roff_term(FILE *out, const char *term, const char *text)
{
  fputs(".TP\n\\fB", out); /* not as the argument of a macro, which would eat quotation marks */
  sc_roff_text(out, term, strlen(term));
  fputs("\\fR\n", out);
  sc_roff_line(out, text);
}

void sc_roff_see(FILE *out, const char *const *names)
{
  sc_roff_section(out, "SEE ALSO");
  for (; *names; names++) {
    fputs(".BR ", out);
    sc_roff_text(out, *names, strlen(*names));
    fprintf(out, " (1)%s\n", names[1] ? "," : "");
  }
}
