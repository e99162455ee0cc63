// SPDX-License-Identifier: GPL-3.0-or-later
// What discover_program_test builds: an object that each session has for a while, and a pool in arrays of a record.
#include <cstdio>
#include <cstdlib>

struct Cursor {
  long position;
};

struct Session {
  Cursor *cursor;
};

__attribute__((noinline)) void session_begin(Session *session)
{
  session->cursor = new Cursor();
  session->cursor->position = 1;
}

__attribute__((noinline)) void session_end(Session *session)
{
  delete session->cursor;
  session->cursor = nullptr;
}

struct Slot {
  char data[60];
};

struct Table {
  Slot slots[8];
  int unused[8];
  int count;
};

__attribute__((noinline)) Slot *slot_get(Table *table)
{
  return table->count ? &table->slots[table->unused[--table->count]] : nullptr;
}

__attribute__((noinline)) void slot_put(Table *table, Slot *slot)
{
  table->unused[table->count++] = static_cast<int>(slot - table->slots);
}

int main(int argc, char **argv)
{
  static Table table;
  static Session sessions[100];
  Slot *held[8];
  int n = argc > 1 ? atoi(argv[1]) : 10, held_count = 0;
  for (int i = 0; i < 8; i++)
    table.unused[table.count++] = i;
  for (int i = 0; i < n; i++)
    session_begin(&sessions[i]);
  for (int i = 0; i < 5; i++)
    if (Slot *slot = slot_get(&table))
      held[held_count++] = slot;
  while (held_count)
    slot_put(&table, held[--held_count]);
  for (int i = 0; i < n; i++)
    session_end(&sessions[i]);
  printf("%d\n", n);
  return 0;
}
