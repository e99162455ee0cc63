/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * A family of inputs, one for each size n, as an expression that people read: "> " * n . "\n" * n
 *   family  = part { "." part }
 *   part    = ( string | word | "(" family ")" ) [ "*" times ]
 *   times   = "n" | whole number | "i" | "down"
 *   string  = "..." with \n \r \t \\ \" and \xHH
 *   word    = "i" | "down" | "sorted" | "reversed" | "collide31" | "collide33"
 * Words, and i and down as times, are of the innermost repeated parentheses around them. A family is a value: it is
 * copied by assignment.
 */
enum { SC_FAMILY_PARTS = 48, SC_FAMILY_TEXT = 1000, SC_FAMILY_DEPTH = 6 };
enum sc_family_kind {
  SC_FAMILY_STRING,
  SC_FAMILY_OPEN,      /* of parentheses, with their repetition */
  SC_FAMILY_CLOSE,     /* of the last that is open */
  SC_FAMILY_INDEX,     /* the number of the repetition: 1 2 ... */
  SC_FAMILY_DOWN,      /* from their number down to 1 */
  SC_FAMILY_SORTED,    /* as INDEX with zeros in front, so that texts are in the order of their numbers */
  SC_FAMILY_REVERSED,  /* the same, downwards */
  SC_FAMILY_COLLIDE31, /* different texts of one length that a hash h * 31 + character takes for the same */
  SC_FAMILY_COLLIDE33  /* h * 33 + character */
};
enum sc_family_times { SC_FAMILY_FIXED, SC_FAMILY_N, SC_FAMILY_I, SC_FAMILY_I_DOWN };

typedef struct sc_family_part {
  uint8_t kind, times;   /* enum sc_family_kind, enum sc_family_times */
  uint16_t start, bytes; /* of a string, in `text` */
  uint32_t fixed;        /* SC_FAMILY_FIXED: the number of repetitions, 1 or more */
} sc_family_part;

typedef struct sc_family {
  unsigned part_count, text_bytes;
  sc_family_part parts[SC_FAMILY_PARTS];
  unsigned char text[SC_FAMILY_TEXT];
} sc_family;

/* SC_E_INPUT with the place of the mistake and a hint; also of a family that has more parts or text than fits. */
int sc_family_parse(const char *text, sc_family *family) SC_CHECK;
/* The byte that a backslash and this letter are in a string; -1: none, which \xHH is, too. */
int sc_family_escaped(char letter);
/* As sc_family_parse reads it: the same parts again. In one line, of printable ASCII alone. */
void sc_family_print(const sc_family *family, sc_buf *out);

/* Made part by part. False: it does not fit, and nothing is added. `fixed` counts where `times` is SC_FAMILY_FIXED;
 * parentheses are to be closed, and words to stand in some. */
bool sc_family_add(sc_family *family, const void *bytes, size_t size, enum sc_family_times times, uint32_t fixed);
bool sc_family_add_part(sc_family *family, enum sc_family_kind kind, enum sc_family_times times, uint32_t fixed);
/* Whether nothing in it depends on n. */
bool sc_family_is_fixed(const sc_family *family);
/* Without this part and, of parentheses, what is in them; words that then stand in none are left out, too. */
void sc_family_remove(sc_family *family, unsigned part);
/* The part behind this one and, of parentheses, behind what is in them. */
unsigned sc_family_next(const sc_family *family, unsigned part);

/* Hands the bytes at size n to `put`, in pieces, until that returns an error, which is handed on. SC_E_INPUT if n is 0
 * or there are more bytes than `limit`. */
typedef int (*sc_family_put)(void *user, const void *bytes, size_t size);
/* `user` is handed to `put`. */
int sc_family_write(const sc_family *family, uint64_t n, uint64_t limit, sc_family_put put, void *user) SC_CHECK;
/* How many those are, without writing them; infinite: more than `limit`, which is at most 2^53. */
double sc_family_bytes(const sc_family *family, uint64_t n, double limit);
/* The same, had all words four bytes: numbers that pass a power of ten are longer, and no more of an input. */
double sc_family_length(const sc_family *family, uint64_t n, double limit);
/* The same as sc_family_write into `bytes` [limit]. */
int sc_family_fill(const sc_family *family, uint64_t n, unsigned char *bytes, size_t limit, size_t *size) SC_CHECK;
