/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/cli/memory.h"

#include <cjson/cJSON.h>
#include <gsl/gsl_errno.h>
#include <libxml/xmlmemory.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "regress/core/wls.h"

static void (*give_up_now)(void);

static void *watch_allocation(void *memory)
{
  if (!memory)
    (void)sc_err_set(SC_E_NOMEM, "out of memory");
  return memory;
}

static void *watched_malloc(size_t size) { return watch_allocation(malloc(size ? size : 1)); }

/* libxml2 2.9 crashes in many places where it gets no memory, and prints in others. */
static void *need_memory(void *memory)
{
  if (!watch_allocation(memory))
    give_up_now();
  return memory;
}

static void *xml_malloc(size_t size) { return need_memory(malloc(size ? size : 1)); }
static void *xml_realloc(void *old, size_t size) { return need_memory(realloc(old, size ? size : 1)); }
static char *xml_copy_string(const char *text) { return need_memory(strdup(text)); }

/* So do GSL's singular values (gsl_linalg_bidiag_decomp). Every other status is checked where it is returned. */
static void on_gsl_error(const char *reason, const char *file, int line, int status)
{
  if (status == GSL_ENOMEM)
    (void)need_memory(NULL);
}

static sqlite3_mem_methods plain;

static void *sqlite_malloc(int size) { return watch_allocation(plain.xMalloc(size)); }
static void *sqlite_realloc(void *old, int size) { return watch_allocation(plain.xRealloc(old, size)); }

static void watch_sqlite(void)
{
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain) != SQLITE_OK)
    return;
  sqlite3_mem_methods methods = plain;
  methods.xMalloc = sqlite_malloc;
  methods.xRealloc = sqlite_realloc;
  (void)sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

void sc_memory_watch(void (*give_up)(void))
{
  give_up_now = give_up;
  cJSON_InitHooks(&(cJSON_Hooks){watched_malloc, free});
  (void)xmlMemSetup(free, xml_malloc, xml_realloc, xml_copy_string);
  watch_sqlite();
  sc_wls_init(); /* turns GSL's own handler off, once */
  gsl_set_error_handler(on_gsl_error);
}
