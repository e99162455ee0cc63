/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/options/options.h"

/* A language server over a study: JSON-RPC messages in, messages out. */
typedef struct sc_server sc_server;

/* `options`: the command line (STUDY, --at, --models, --accept); it must outlive the server. Without a STUDY it is
 * scale.db in the workspace's root, which the client names. Messages are written to `out`, framed. */
int sc_server_new(const sc_options *options, FILE *out, sc_server **server) SC_CHECK;
void sc_server_free(sc_server *server);

/* One message of the client. 0: go on; 1: it told to exit. What is wrong with a message is answered, not returned. */
int sc_server_take(sc_server *server, const char *message, size_t length) SC_CHECK;
/* Tells the client that what came is no message, before the connection is closed. */
void sc_server_refuse(sc_server *server, const char *why);
/* Looks whether the study has changed, and publishes what that changes. */
int sc_server_look(sc_server *server) SC_CHECK;
/* The exit status: 0 if the client shut the server down first, else 1. */
int sc_server_status(const sc_server *server);
