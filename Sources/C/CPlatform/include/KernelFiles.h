#pragma once

// Files of procfs that are the kernel's own, whatever a mount namespace shows in their place.

/// Opens `path` below `directory` for reading, if both are in procfs and nothing is mounted between or over them; the directory
/// itself may be a mount (/proc/sys is one under systemd's ProtectKernelTunables=). Close-on-exec. Returns -1 with errno: EXDEV
/// when it is not the kernel's own, ENOSYS before Linux 5.6.
int countersign_open_kernel_file(const char *directory, const char *path);
