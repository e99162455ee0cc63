# SPDX-License-Identifier: GPL-3.0-or-later
# Makes OUT, a C file with the object CODE in it.
file(READ ${CODE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "extern const unsigned char sc_catch_code[];\nextern const unsigned sc_catch_code_bytes;\n"
     "const unsigned char sc_catch_code[] __attribute__((aligned(8))) = {${bytes}};\n"
     "const unsigned sc_catch_code_bytes = sizeof sc_catch_code;\n")
