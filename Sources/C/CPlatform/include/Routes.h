#pragma once

// New routes as the kernel tells of them (rtnetlink(7)), whose structures do not import into Swift.

#include <stddef.h>

/// A socket that hears of new IPv4 and IPv6 routes in this network namespace; close-on-exec, non-blocking. -1 with errno.
int countersign_open_routes(void);

/// Takes all that waits on such a socket. Returns 1 when a default route came among it or something was missed, 0 when
/// not, -1 with errno when the socket is of no more use.
int countersign_default_route_came(int fd);

/// Whether `count` bytes of netlink messages tell of a new default route.
int countersign_tells_default_route(const void *messages, size_t count);
