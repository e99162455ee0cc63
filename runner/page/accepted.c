/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/accept/notice.h"
#include "runner/page/parts.h"

void sc_page_accepted(sc_page_json *json, const sc_notices *notices, const void *about)
{
  const sc_notice *accepted = sc_notices_accepted(notices, about);
  if (!accepted)
    return;
  sc_page_open(json, "accepted", '{');
  sc_page_text(json, "reason", accepted->accepted);
  sc_page_text(json, "until", accepted->accepted_until);
  sc_page_close(json, '}');
}
