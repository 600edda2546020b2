#define _GNU_SOURCE
#include "Routes.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int countersign_open_routes(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        int cause = errno;
        close(fd);
        errno = cause;
        return -1;
    }
    return fd;
}

int countersign_tells_default_route(const void *messages, size_t count) {
    const char *next = messages;
    while (count >= sizeof(struct nlmsghdr)) {
        struct nlmsghdr header;
        memcpy(&header, next, sizeof header);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > count) return 0;
        if (header.nlmsg_type == RTM_NEWROUTE && header.nlmsg_len >= NLMSG_LENGTH(sizeof(struct rtmsg))) {
            struct rtmsg route;
            memcpy(&route, next + NLMSG_HDRLEN, sizeof route);
            int is_default = route.rtm_dst_len == 0 && route.rtm_type == RTN_UNICAST;
            if (is_default && !(route.rtm_flags & RTM_F_CLONED)) return 1;
        }
        size_t step = NLMSG_ALIGN(header.nlmsg_len);
        if (step >= count) return 0;
        next += step;
        count -= step;
    }
    return 0;
}

int countersign_default_route_came(int fd) {
    int came = 0;
    for (;;) {
        char buffer[16 * 1024];
        struct sockaddr_nl sender;
        socklen_t size = sizeof sender;
        ssize_t count = recvfrom(fd, buffer, sizeof buffer, 0, (struct sockaddr *)&sender, &size);
        if (count < 0) {
            if (errno == EINTR) continue;
            if (errno == EAGAIN) return came;
            if (errno != ENOBUFS) return -1;
            // The socket's buffer was full and messages were lost. A default route may be among them.
            came = 1;
            continue;
        }
        // Only the kernel has port 0; messages of other processes are ignored.
        if (size != sizeof sender || sender.nl_pid != 0) continue;
        if (countersign_tells_default_route(buffer, (size_t)count)) came = 1;
    }
}
