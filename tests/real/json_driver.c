/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes an array of n numbers with cJSON and adds them up: by their index, which walks the list each time, or (a second
 * argument) from one to the next. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  double sum = 0;
  cJSON *array = cJSON_CreateArray(), *element;
  for (long i = 0; i < n; i++)
    cJSON_AddItemToArray(array, cJSON_CreateNumber((double)i));
  if (argc > 2)
    cJSON_ArrayForEach(element, array) sum += element->valuedouble;
  else
    for (int i = 0; i < n; i++)
      sum += cJSON_GetArrayItem(array, i)->valuedouble;
  printf("%g\n", sum);
  cJSON_Delete(array);
  return 0;
}
