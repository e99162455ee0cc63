/* SPDX-License-Identifier: MIT */
#include "bytes.h"

uint32_t __scale_bytes_crc(uint32_t crc, const void *from, size_t bytes)
{
  static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const uint8_t *in = from;

  crc = ~crc;
  for (size_t i = 0; i < bytes; i++) {
    crc = table[(crc ^ in[i]) & 15] ^ (crc >> 4);
    crc = table[(crc ^ (in[i] >> 4)) & 15] ^ (crc >> 4);
  }
  return ~crc;
}

char *__scale_bytes_decimal(char *to, uint64_t value)
{
  uint64_t unit = 1;

  while (value / unit >= 10)
    unit *= 10;
  for (; unit; unit /= 10)
    *to++ = (char)('0' + value / unit % 10);
  return to;
}

uint64_t __scale_bytes_size(const char *text, uint64_t otherwise)
{
  uint64_t value = 0;
  unsigned shift = 0;
  const char *at = text;

  for (; *at >= '0' && *at <= '9'; at++) {
    if (value > (UINT64_C(1) << 40))
      return otherwise;
    value = value * 10 + (uint64_t)(*at - '0');
  }
  if (at == text)
    return otherwise;
  if (*at == 'k' || *at == 'K')
    shift = 10;
  else if (*at == 'm' || *at == 'M')
    shift = 20;
  else if (*at == 'g' || *at == 'G')
    shift = 30;
  if (shift)
    at++;
  if (*at || (value << shift >> shift) != value)
    return otherwise;
  return value << shift;
}
