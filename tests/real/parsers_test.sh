#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cJSON 1.7 and TinyXML-2 9.0, in C and C++: quadratic uses of each, and linear ones, which have no finding.
. "$(dirname "$0")/lib.sh"
fetch cjson 1.7
fetch tinyxml2 9.0
quietly json.log "$bin/scale-cc" -O2 -Icjson -o json "$here/json_driver.c" cjson/cJSON.c -lm
quietly xml.log "$bin/scale-c++" -O2 -Itinyxml2 -o xml "$here/xml_driver.cpp" tinyxml2/tinyxml2.cpp
JSON=$work/json XML=$work/xml
export JSON XML
study json-index 32000
judge json-index get_array_item 2
control json-each
study xml-attributes 16000
judge xml-attributes 'tinyxml2::XMLElement::FindAttribute(char const*) const' 2
control xml-siblings
