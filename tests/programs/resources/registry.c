/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benign: whoever registers stays until the program ends; an exit handler frees them all. */
#include "program.h"

static struct member {
  struct member *next;
  long number;
} * members;

static void members_free(void)
{
  while (members) {
    struct member *next = members->next;
    free(members);
    members = next;
  }
}

static void member_add(long number)
{
  struct member *member = malloc(sizeof *member);
  if (!member)
    exit(1);
  *member = (struct member){members, number};
  members = member;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
  atexit(members_free);
  for (long i = 0; i < n; i++)
    member_add(i);
  for (const struct member *member = members; member; member = member->next)
    sum += member->number;
  printf("%ld\n", sum);
  return 0;
}
