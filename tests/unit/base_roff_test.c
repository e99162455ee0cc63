/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in man pages. */
#include "unit.h"

#include <stdlib.h>

#include "base/roff.h"

TEST(text_in_man_pages_is_no_request)
{
  static const struct {
    const char *text, *roff;
  } cases[] = {{"plain", "plain"},       {".SH", "\\&.SH"},           {"'quoted", "\\&'quoted"},
               {"a.b'c", "a.b'c"},       {"a\\b", "a\\eb"},           {"--all", "\\-\\-all"},
               {"~/^x", "\\(ti/\\(hax"}, {"two\nlines", "two lines"}, {"", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text, line[100];
    FILE *out = unit_stream(&text);
    sc_roff_text(out, cases[i].text, strlen(cases[i].text));
    fclose(out);
    assert_string_equal(text, cases[i].roff);
    free(text);
    out = unit_stream(&text);
    sc_roff_line(out, cases[i].text);
    fclose(out);
    snprintf(line, sizeof line, "%s\n", cases[i].roff);
    assert_string_equal(text, line);
    free(text);
  }
  char *text;
  FILE *out = unit_stream(&text);
  sc_roff_text(out, "cut here", 3);
  sc_roff_text(out, "", 5);
  sc_roff_section(out, "see-also");
  sc_roff_subsection(out, "it");
  sc_roff_term(out, ".x", "what");
  sc_roff_see(out, (const char *const[]){"a-b", "c", NULL});
  fclose(out);
  assert_string_equal(text, "cut.SH see\\-also\n.SS it\n.TP\n\\fB\\&.x\\fR\nwhat\n"
                            ".SH SEE ALSO\n.BR a\\-b (1),\n.BR c (1)\n");
  free(text);
  out = unit_stream(&text);
  sc_roff_begin(out, "scale-x", "what it does", "a.def");
  fclose(out);
  unit_has(text, ".\\\" Made from a.def: change that, not this.\n.TH SCALE\\-X 1 \"");
  unit_has(text, "\" \"User Commands\"\n.SH NAME\nscale\\-x \\- what it does\n");
  free(text);
}
