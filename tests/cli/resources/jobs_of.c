/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs_of N: for each of N jobs a child that ends with its memory, and a request that is given back. -DTWIN: the record
 * of a job, too. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
  char name[200];
  struct job *next;
};
static struct job *volatile jobs;
static char *volatile work;

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < n; i++) {
    char *request = malloc(3000);
    memset(request, 1, 3000);
    if (fork() == 0) {
      work = malloc(5000 + (size_t)i);
      memset(work, 1, 5000);
      _exit(0);
    }
    wait(NULL);
    struct job *own = malloc(sizeof *own); /* leaks */
#ifdef TWIN
    free(jobs);
    own->next = NULL;
#else
    own->next = jobs;
#endif
    jobs = own;
    free(request);
  }
  return 0;
}
