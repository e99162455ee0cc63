/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

#include "base/err.h"
#include "profiles/graph/index.h"
#include "profiles/graph/location.h"
#include "profiles/graph/pool.h"

enum { SC_LOCATIONS_PAGE = 512 };

/* The locations of a graph, each once and numbered from 0. Zero-initialise. */
typedef struct sc_locations {
  sc_pool strings;
  sc_location **pages; /* [SC_LOCATIONS_PAGE] each: locations don't move */
  size_t page_capacity;
  uint32_t count;
  sc_index table; /* number + 1 */
} sc_locations;

enum sc_locations_news {
  SC_LOCATIONS_KNOWN,
  SC_LOCATIONS_ENRICHED, /* known, but its file, line, recursive or system flag was not */
  SC_LOCATIONS_NEW
};

/* Finds or adds a location by its identity (location.h). NULL strings are taken as ""; a NULL display is made from the
 * name. What an earlier equal location left open (file, line, recursive, system) is filled in. `news` may be NULL. */
int sc_locations_intern(sc_locations *locations, const sc_location *location, uint32_t *number,
                        enum sc_locations_news *news) SC_CHECK;
static inline const sc_location *sc_locations_at(const sc_locations *locations, uint32_t number)
{
  return &locations->pages[number / SC_LOCATIONS_PAGE][number % SC_LOCATIONS_PAGE];
}
void sc_locations_free(sc_locations *locations);
