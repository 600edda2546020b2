#pragma once

// Opens files of procfs, and makes sure that they are the kernel's own: in a mount namespace any file can stand in
// their place.

/// Opens `path` below `directory` for reading if both are in procfs and nothing is mounted between them or over the
/// file. The directory itself may be a mount (/proc/sys is one under systemd's ProtectKernelTunables=). Close-on-exec.
/// Returns -1 with errno: EXDEV when the file is not the kernel's own, ENOSYS before Linux 5.6.
int countersign_open_kernel_file(const char *directory, const char *path);
