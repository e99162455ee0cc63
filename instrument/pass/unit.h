// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/sites.h"

/*
 * How site tables are written (struct scale_unit in profiles/layout.inc): those of a compilation unit together, for
 * templates and inlined functions stand in many of them, and their names are long.
 */
namespace scale
{

/* A record of one function that has its tables itself (type FUNCTION): struct scale_record, its payload, CRC and all.
 */
std::vector<uint8_t> functionRecord(const SiteTables &Tables);

class UnitTables
{
public:
  /* Takes a function's tables. Returns its struct scale_member, with what follows it. */
  std::vector<uint8_t> add(SiteTables Tables);
  /* The record of all of them (type UNIT), CRC and all. */
  std::vector<uint8_t> record() const;

private:
  std::vector<SiteTables> Functions;
};

} // namespace scale
