// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/unit.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/LEB128.h"
#include <array>
#include <map>
#include <tuple>
using namespace llvm;

namespace scale
{

using Bytes = std::vector<uint8_t>;

template <class T> static void append(Bytes &To, const T &Value)
{
  auto *From = reinterpret_cast<const uint8_t *>(&Value);
  To.insert(To.end(), From, From + sizeof(T));
}

/* A record of the payload. */
static Bytes wrapRecord(unsigned Type, Bytes Payload)
{
  Payload.resize((Payload.size() + 7) / 8 * 8);
  scale_record Record = {};
  Record.magic = SCALE_RECORD_MAGIC;
  Record.type = Type;
  Record.version = SCALE_FORMAT_VERSION;
  Record.bytes = sizeof(Record) + Payload.size();
  Record.crc = llvm::crc32(Payload);
  Bytes Out;
  append(Out, Record);
  Out.insert(Out.end(), Payload.begin(), Payload.end());
  return Out;
}

Bytes functionRecord(const SiteTables &T)
{
  scale_sites Head = {};
  Head.node_bytes = T.NodeBytes;
  Head.loc_count = T.Locs.size();
  Head.slot_count = T.Slots.size();
  Head.ref_count = T.Refs.size();
  Head.string_bytes = T.Strings.size();
  Head.event_count = T.Events.size();
  Head.flags = T.Flags;
  Bytes Payload;
  append(Payload, Head);
  for (const scale_site_slot &S : T.Slots)
    append(Payload, S);
  for (const scale_site_event &E : T.Events)
    append(Payload, E);
  for (const scale_loc &L : T.Locs)
    append(Payload, L);
  for (const scale_ref &R : T.Refs)
    append(Payload, R);
  Payload.insert(Payload.end(), T.Strings.begin(), T.Strings.end());
  return wrapRecord(SCALE_RECORD_FUNCTION, std::move(Payload));
}

Bytes UnitTables::add(SiteTables T)
{
  scale_member Head = {};
  Head.node_bytes = T.NodeBytes;
  Head.number = Functions.size();
  Head.slot_count = T.Slots.size();
  Head.event_count = T.Events.size();
  Head.flags = T.Flags;
  Bytes Out;
  append(Out, Head);
  for (const scale_site_slot &S : T.Slots)
    append(Out, S.offset | (S.kind == SCALE_SLOT_OPEN ? SCALE_PLACE_OPEN : 0));
  for (const scale_site_event &E : T.Events)
    append(Out, E.offset);
  Functions.push_back(std::move(T));
  return Out;
}

namespace
{

class UnitWriter
{
public:
  explicit UnitWriter(const std::vector<SiteTables> &Functions);
  Bytes payload();

private:
  using Row = std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned>;
  template <class Visit> static void eachString(const SiteTables &T, Visit Do);
  void add(scale_column Column, uint32_t Number);
  void addSigned(scale_column Column, uint32_t Number);
  void addStrings(unsigned SharedMost);
  void addFunction(const SiteTables &T);
  void addLoc(const SiteTables &T, unsigned Number);
  void addRow(const Row &R);
  void addSlot(const scale_site_slot &S);
  void addEvent(const scale_site_event &E);
  unsigned string(uint32_t Offset) const { return Offset == SCALE_NO_STRING ? 0 : Local.at(Offset); }

  std::array<Bytes, SCALE_COLUMNS> Columns;
  std::map<StringRef, unsigned> Strings; /* numbers, in order */
  std::map<uint32_t, unsigned> Local;    /* numbers of the current function's strings by their offsets there */
  std::map<Row, unsigned> Rows;
  unsigned LastName = 0; /* of the newest row */
  scale_unit Head = {};
};

template <class Visit> void UnitWriter::eachString(const SiteTables &T, Visit Do)
{
  auto *Text = reinterpret_cast<const char *>(T.Strings.data());
  for (size_t At = 0; At < T.Strings.size();) {
    StringRef String(Text + At);
    Do(unsigned(At), String);
    At += String.size() + 1;
  }
}

void UnitWriter::add(scale_column Column, uint32_t Number)
{
  uint8_t Text[16];
  unsigned Count = encodeULEB128(Number, Text);
  Columns[Column].insert(Columns[Column].end(), Text, Text + Count);
}

void UnitWriter::addSigned(scale_column Column, uint32_t Number)
{
  add(Column, Number >> 31 ? ~(Number << 1) : Number << 1);
}

UnitWriter::UnitWriter(const std::vector<SiteTables> &Functions)
{
  for (const SiteTables &T : Functions)
    eachString(T, [&](unsigned, StringRef Text) { Strings.try_emplace(Text, 0); });
  for (auto &[Text, Number] : Strings) {
    Number = ++Head.string_count;
    Head.string_bytes += Text.size() + 1;
  }
  Head.function_count = Functions.size();
  for (const SiteTables &T : Functions)
    addFunction(T);
  Head.row_count = Rows.size();
}

/* Sorted, names of one class or template stand together and begin alike. */
void UnitWriter::addStrings(unsigned SharedMost)
{
  StringRef Before;
  Columns[SCALE_COLUMN_SHARED].clear();
  Columns[SCALE_COLUMN_TEXT].clear();
  for (auto &[Text, Number] : Strings) {
    size_t Shared = 0, Most = std::min<size_t>({Text.size(), Before.size(), SharedMost});
    while (Shared < Most && Text[Shared] == Before[Shared])
      Shared++;
    add(SCALE_COLUMN_SHARED, Shared);
    Bytes &To = Columns[SCALE_COLUMN_TEXT];
    To.insert(To.end(), Text.begin() + Shared, Text.end());
    To.push_back(0);
    Before = Text;
  }
}

void UnitWriter::addFunction(const SiteTables &T)
{
  Local.clear();
  eachString(T, [&](unsigned At, StringRef Text) { Local[At] = Strings[Text]; });
  add(SCALE_COLUMN_LOCS, T.Locs.size());
  add(SCALE_COLUMN_SLOTS, T.Slots.size());
  add(SCALE_COLUMN_EVENTS, T.Events.size());
  for (unsigned L = 0; L < T.Locs.size(); L++)
    addLoc(T, L);
  uint32_t Before = 0;
  for (const scale_ref &R : T.Refs) {
    addSigned(SCALE_COLUMN_REF, R.offset / 8 - Before);
    Before = R.offset / 8;
  }
  for (const scale_site_slot &S : T.Slots)
    addSlot(S);
  for (const scale_site_event &E : T.Events)
    addEvent(E);
  Head.loc_count += T.Locs.size();
  Head.ref_count += T.Refs.size();
  Head.slot_count += T.Slots.size();
  Head.event_count += T.Events.size();
}

void UnitWriter::addLoc(const SiteTables &T, unsigned Number)
{
  const scale_loc &L = T.Locs[Number];
  bool Loop = L.kind == SCALE_LOC_LOOP, Work = L.kind == SCALE_LOC_WORK;
  unsigned Kept = L.flags & (SCALE_LOC_LOCAL | SCALE_LOC_SYSTEM);
  addRow({L.kind | Kept << 2, string(L.name), string(L.file), Work ? 0 : L.line, Loop ? L.column : 0,
          Loop || Work ? L.nth : 0, Loop ? L.ordinal : 0});
  add(SCALE_COLUMN_LOC_UP, Number - L.parent);
  add(SCALE_COLUMN_LOC_FLAGS, (L.flags & (SCALE_LOC_REMOVED | SCALE_LOC_RECURSIVE)) / 2);
  add(SCALE_COLUMN_LOC_REFS, L.ref_count);
  if (!Number || Loop)
    return;
  addSigned(SCALE_COLUMN_CALL_LINE, (Work ? L.line : L.nth) - T.Locs[L.parent].line);
  add(SCALE_COLUMN_CALL_COLUMN, Work ? L.column : L.ordinal);
}

void UnitWriter::addRow(const Row &R)
{
  auto [It, New] = Rows.try_emplace(R, Rows.size() + 1);
  add(SCALE_COLUMN_LOC_ROW, New ? 0 : It->second);
  if (!New)
    return;
  auto [Kind, Name, File, Line, Column, Nth, Ordinal] = R;
  add(SCALE_COLUMN_ROW_KIND, Kind);
  addSigned(SCALE_COLUMN_ROW_NAME, Name - LastName);
  add(SCALE_COLUMN_ROW_FILE, File);
  add(SCALE_COLUMN_ROW_LINE, Line);
  add(SCALE_COLUMN_ROW_COLUMN, Column);
  add(SCALE_COLUMN_ROW_NTH, Nth);
  add(SCALE_COLUMN_ROW_ORDINAL, Ordinal);
  LastName = Name;
}

void UnitWriter::addSlot(const scale_site_slot &S)
{
  add(SCALE_COLUMN_SLOT_FLAGS, S.flags);
  add(SCALE_COLUMN_SLOT_LOC, S.loc);
  add(SCALE_COLUMN_SLOT_CALLEE, string(S.callee));
  add(SCALE_COLUMN_SLOT_FILE, string(S.file));
  add(SCALE_COLUMN_SLOT_CALLEE_LINE, S.callee_line);
  add(SCALE_COLUMN_SLOT_LINE, S.line);
  add(SCALE_COLUMN_SLOT_COLUMN, S.column);
}

void UnitWriter::addEvent(const scale_site_event &E)
{
  add(SCALE_COLUMN_EVENT_CLASS, E.resource_class);
  add(SCALE_COLUMN_EVENT_FLAGS, E.flags);
  add(SCALE_COLUMN_EVENT_EVENT, E.event);
  add(SCALE_COLUMN_EVENT_LOC, E.loc);
  add(SCALE_COLUMN_EVENT_VIA, string(E.via));
  add(SCALE_COLUMN_EVENT_NAME, string(E.name));
  add(SCALE_COLUMN_EVENT_FILE, string(E.file));
  add(SCALE_COLUMN_EVENT_DECLARED, E.declared);
  add(SCALE_COLUMN_EVENT_LINE, E.line);
  add(SCALE_COLUMN_EVENT_COLUMN, E.column);
  add(SCALE_COLUMN_EVENT_CAPACITY, E.capacity);
}

Bytes UnitWriter::payload()
{
  Bytes Text, Payload;
  addStrings(SCALE_SHARED_MOST);
  if (Head.string_bytes > uint64_t(SCALE_UNIT_MOST) * Columns[SCALE_COLUMN_TEXT].size())
    addStrings(0);
  for (const Bytes &C : Columns)
    append(Text, uint32_t(C.size()));
  for (const Bytes &C : Columns)
    Text.insert(Text.end(), C.begin(), C.end());
  SmallVector<uint8_t, 0> Packed;
  if (compression::zlib::isAvailable())
    compression::zlib::compress(Text, Packed, compression::zlib::BestSizeCompression);
  Head.unpacked_bytes = Text.size();
  bool Smaller = !Packed.empty() && Packed.size() < Text.size() && Text.size() <= Packed.size() * SCALE_UNIT_MOST;
  Head.packed_bytes = Smaller ? Packed.size() : 0;
  append(Payload, Head);
  if (Smaller)
    Payload.insert(Payload.end(), Packed.begin(), Packed.end());
  else
    Payload.insert(Payload.end(), Text.begin(), Text.end());
  return Payload;
}

} // namespace

Bytes UnitTables::record() const { return wrapRecord(SCALE_RECORD_UNIT, UnitWriter(Functions).payload()); }

} // namespace scale
