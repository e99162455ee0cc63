/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libyaml_driver < FILE: scans a document into tokens with libyaml and prints how many there were. */
#include <stdio.h>
#include <yaml.h>

int main(void)
{
  yaml_parser_t parser;
  yaml_token_t token;
  unsigned long tokens = 0;
  int done = 0;
  if (!yaml_parser_initialize(&parser))
    return 1;
  yaml_parser_set_input_file(&parser, stdin);
  while (!done) {
    if (!yaml_parser_scan(&parser, &token))
      break;
    tokens++;
    done = token.type == YAML_STREAM_END_TOKEN;
    yaml_token_delete(&token);
  }
  yaml_parser_delete(&parser);
  printf("%lu tokens\n", tokens);
  return 0;
}
