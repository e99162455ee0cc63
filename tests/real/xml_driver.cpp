// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file with TinyXML-2 and counts what is in its root element.
#include <cstdio>

#include <tinyxml2.h>

int main(int, char **argv)
{
  tinyxml2::XMLDocument document;
  if (document.LoadFile(argv[1]) != tinyxml2::XML_SUCCESS)
    return 1;
  long count = 0;
  const tinyxml2::XMLElement *root = document.RootElement();
  for (auto *element = root->FirstChildElement(); element; element = element->NextSiblingElement())
    count++;
  for (auto *attribute = root->FirstAttribute(); attribute; attribute = attribute->Next())
    count++;
  std::printf("%ld\n", count);
  return 0;
}
