#include <libsecret/secret.h>
#include <gio/gio.h>
