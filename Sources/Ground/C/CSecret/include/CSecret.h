#pragma once

// Needed for the functions that take D-Bus paths. libsecret calls their API unstable, but exports them in every version
// of the library that this program loads.
#define SECRET_API_SUBJECT_TO_CHANGE
#include <gio/gio.h>
#include <glib-unix.h>
#include <libsecret/secret.h>

// libsecret, and GLib and GIO with it, loaded when they are first used. Loading them takes longer than the rest of the
// program's start, and a command that asks an agent does not need them.

// Every function of these libraries that Swift calls.
#define CSECRET_FUNCTIONS(F) \
    F(g_app_info_get_default_for_uri_scheme) F(g_app_info_get_id) F(g_app_info_get_name) F(g_bus_get_sync) \
    F(g_bus_unwatch_name) F(g_bus_watch_name_on_connection) F(g_cancellable_cancel) F(g_cancellable_new) \
    F(g_dbus_address_get_for_bus_sync) F(g_dbus_connection_call_sync) F(g_dbus_connection_call_with_unix_fd_list) \
    F(g_dbus_connection_call_with_unix_fd_list_finish) F(g_dbus_connection_close) F(g_dbus_connection_is_closed) \
    F(g_dbus_connection_new_for_address) F(g_dbus_connection_new_for_address_finish) \
    F(g_dbus_connection_set_exit_on_close) F(g_dbus_connection_signal_subscribe) \
    F(g_dbus_connection_signal_unsubscribe) F(g_dbus_error_get_remote_error) F(g_dbus_error_quark) \
    F(g_dbus_error_strip_remote_error) F(g_dbus_proxy_get_object_path) F(g_error_free) F(g_free) \
    F(g_get_system_data_dirs) F(g_get_user_data_dir) F(g_hash_table_insert) F(g_hash_table_lookup) \
    F(g_hash_table_new_full) F(g_hash_table_unref) F(g_idle_source_new) F(g_io_error_quark) F(g_key_file_free) \
    F(g_key_file_get_string) F(g_key_file_load_from_file) F(g_key_file_new) F(g_list_free) F(g_main_context_is_owner) \
    F(g_main_context_iteration) F(g_main_context_new) F(g_main_context_pop_thread_default) F(g_main_context_push_thread_default) \
    F(g_main_context_ref) F(g_main_context_unref) F(g_main_loop_get_context) F(g_main_loop_new) F(g_main_loop_quit) \
    F(g_main_loop_ref) F(g_main_loop_run) F(g_main_loop_unref) F(g_object_unref) F(g_source_attach) F(g_source_destroy) \
    F(g_source_ref) F(g_source_set_callback) F(g_source_set_priority) F(g_source_unref) F(g_str_equal) F(g_str_hash) F(g_strdup) \
    F(g_strfreev) F(g_thread_new) F(g_thread_unref) F(g_timeout_source_new) F(g_unix_fd_list_get) \
    F(g_unix_fd_list_get_length) F(g_unix_fd_source_new) F(g_variant_classify) F(g_variant_get_boolean) F(g_variant_get_child_value) \
    F(g_variant_get_int32) F(g_variant_get_string) F(g_variant_get_type_string) F(g_variant_get_uint32) \
    F(g_variant_n_children) F(g_variant_new_array) F(g_variant_new_boolean) F(g_variant_new_byte) \
    F(g_variant_new_dict_entry) F(g_variant_new_int32) F(g_variant_new_string) F(g_variant_new_tuple) \
    F(g_variant_new_uint32) F(g_variant_new_variant) F(g_variant_type_free) F(g_variant_type_new) F(g_variant_unref) \
    F(secret_collection_for_alias_sync) F(secret_collection_get_locked) \
    F(secret_error_get_quark) F(secret_item_create_sync) F(secret_item_get_attributes) F(secret_item_get_locked) \
    F(secret_item_get_secret) F(secret_item_load_secret_sync) F(secret_item_set_attributes_sync) \
    F(secret_item_set_label_sync) F(secret_item_set_secret_sync) F(secret_service_get_type) \
    F(secret_service_open_sync) F(secret_service_prompt_at_dbus_path_sync) \
    F(secret_service_search_for_dbus_paths_sync) F(secret_service_search_sync) \
    F(secret_service_unlock_dbus_paths_sync) F(secret_value_get) F(secret_value_new) F(secret_value_unref)

// One pointer for each function, under the function's name and with the type from its header.
typedef struct {
#define CSECRET_FIELD(name) __typeof__(name) *name;
    CSECRET_FUNCTIONS(CSECRET_FIELD)
#undef CSECRET_FIELD
} CSecretFunctions;

// Loads the libraries at the first call of any thread. Returns NULL, or, when they cannot be loaded, the dynamic
// linker's words for the reason. The text is never freed.
const char *csecret_load(void);

// The functions. Ends the process with a message when they cannot be loaded, as the dynamic linker would at the start.
// Code that can do without them calls `csecret_load` first.
CSecretFunctions glib(void);
