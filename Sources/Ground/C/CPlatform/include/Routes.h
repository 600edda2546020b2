#pragma once

// New routes, as the kernel reports them (rtnetlink(7)). Its structures do not import into Swift.

#include <stddef.h>

/// Opens a socket that receives new IPv4 and IPv6 routes of this network namespace; close-on-exec, non-blocking.
/// Returns -1 with errno.
int countersign_open_routes(void);

/// Reads all messages that wait on such a socket. Returns 1 when one reports a new default route, or when messages were
/// lost; 0 otherwise; -1 with errno when the socket no longer works.
int countersign_default_route_came(int fd);

/// Whether one of the netlink messages in these `count` bytes reports a new default route.
int countersign_tells_default_route(const void *messages, size_t count);
