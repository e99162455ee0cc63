/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/process/service.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scratch_directory.h"

/* Starts the script and waits until it is ready; the caller stops it. */
static int start(sc_service *service, const char *script, sc_service_run **run)
{
  static char *argv[4];
  argv[0] = "/bin/sh", argv[1] = "-c", argv[2] = (char *)script;
  service->command.argv = argv;
  service->command.directory = directory;
  if (!service->stop_signal)
    service->stop_signal = SIGTERM;
  if (service->wait_seconds <= 0)
    service->wait_seconds = 10;
  SC_TRY(sc_service_start(service, &vars, NULL, 0, directory, run));
  return sc_service_wait_ready(*run, NULL, NULL, 0);
}

TEST(test_output_line)
{
  sc_service service = {.wait_output = "ready for {n}"};
  sc_service_run *run;
  sc_process_end end;
  assert_int_equal(start(&service, "echo starting; sleep 0.1; echo now ready for 3 >&2; exec sleep 60", &run), 0);
  assert_int_equal(sc_service_stop(run, NULL, &end), 0);
  assert_int_equal(end.signal, SIGTERM);
  sc_service_free(run);
}

TEST(test_file_and_old_file)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/up", directory);
  fclose(fopen(path, "w")); /* left by an earlier run: must not count */
  sc_service service = {.wait_file = "{dir}/up", .stop_signal = SIGINT};
  sc_service_run *run;
  sc_process_end end;
  assert_int_equal(start(&service,
                         "trap 'exit 0' INT; test -e up && exit 9; sleep 0.1; echo > up; while :; do sleep 0.05; done",
                         &run),
                   0);
  assert_int_equal(sc_service_stop(run, NULL, &end), 0);
  assert_int_equal(end.exit_status, 0);
  sc_service_free(run);
}

static int listen_somewhere(int *port)
{
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
  assert_int_equal(listen(fd, 4), 0);
  assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
  *port = ntohs(address.sin_port);
  return fd;
}

TEST(test_port_taken)
{
  sc_service service = {0};
  sc_service_run *run;
  int fd = listen_somewhere(&service.wait_port);
  assert_int_equal(start(&service, "sleep 60", &run), SC_E_WORKLOAD);
  assert_non_null(strstr(sc_err_message(), "in use"));
  assert_null(run);
  close(fd);
}

TEST(test_never_ready)
{
  sc_service service = {.wait_output = "ready", .wait_seconds = 0.3};
  sc_service_run *run;
  assert_int_equal(start(&service, "exec sleep 60", &run), SC_E_TIMEOUT);
  assert_non_null(strstr(sc_err_message(), "printed nothing"));
  sc_service_free(run);
}

TEST(test_ends_early)
{
  sc_service service = {.wait_output = "ready"};
  sc_service_run *run;
  sc_process_end end;
  assert_int_equal(start(&service, "echo cannot bind >&2; exit 3", &run), SC_E_TARGET);
  assert_non_null(strstr(sc_err_message(), "cannot bind"));
  sc_service_free(run);
  int err = start(&service, "echo ready; exit 0", &run);
  usleep(300000); /* it has ended before it is asked to */
  assert_int_equal(err == 0 ? sc_service_stop(run, NULL, &end) : err, SC_E_TARGET);
  sc_service_free(run);
}

TEST(test_crash_while_stopping)
{
  sc_service service = {.wait_output = "ready"};
  sc_service_run *run;
  sc_process_end end;
  assert_int_equal(start(&service, "trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done", &run), 0);
  assert_int_equal(sc_service_stop(run, NULL, &end), SC_E_TARGET);
  assert_non_null(strstr(sc_err_message(), "status 5"));
  sc_service_free(run);
}

int main(void) { return unit_run(set_up, tear_down); }
