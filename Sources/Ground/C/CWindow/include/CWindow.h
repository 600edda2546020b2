#ifndef CWINDOW_H
#define CWINDOW_H

#include <adwaita.h>

// The calls of GTK that Swift cannot make: functions with a variable number of arguments, and macros.

typedef void (*countersign_action)(void *context);

/// Calls `action` with `context` at each signal, whatever its own arguments. The signal must return nothing. `end` frees `context` with the
/// object.
void countersign_connect(void *object, const char *signal, countersign_action action, void *context, countersign_action end);

/// A box with this role for assistive technology.
GtkWidget *countersign_box(GtkAccessibleRole role, GtkOrientation orientation, int spacing);

/// A grid with this role for assistive technology.
GtkWidget *countersign_grid(GtkAccessibleRole role);

/// Sets the name for assistive technology.
void countersign_set_name(GtkWidget *widget, const char *name);

/// Sets the description for assistive technology.
void countersign_set_description(GtkWidget *widget, const char *description);

/// Hides a widget, with all in it, from assistive technology.
void countersign_hide_from_readers(GtkWidget *widget);

/// A label of plain text: no markup, no mnemonics, no hyphens, never cut. It wraps anywhere where a word is too long.
GtkWidget *countersign_label(const char *text);

typedef int (*countersign_inserted)(void *context, const char *bytes, int count, int position);
typedef void (*countersign_deleted)(void *context, int start, int end);

/// An entry for a secret, which keeps a bullet in place of each character: GTK gives the text of its entries to everybody on the accessibility
/// bus. The characters go to `inserted`, with the position of the first in characters, and nowhere else; it returns 0 if it could not take
/// them, and then no bullet appears. `deleted` gets a range. `hint` stands in the empty entry.
GtkWidget *countersign_secret_entry(
    const char *hint, countersign_inserted inserted, countersign_deleted deleted, void *context, countersign_action end);

/// A button of which one in its group is chosen, with that role for assistive technology, too.
GtkWidget *countersign_radio_button(void);

/// A ring of which `share` (0 to 1) is drawn in the text's colour.
GtkWidget *countersign_ring(void);
void countersign_ring_set(GtkWidget *ring, double share);

typedef void (*countersign_asked)(void *context, const char *action, const char *text);

/// Runs the application until its last window is closed, and returns the exit code. `asked` is called without an action when it starts, and
/// when it is started again; and with one of `actions` (ended by NULL) and its text when somebody calls that by
/// org.freedesktop.Application.ActivateAction. With two arguments behind the program's name, that is done with the first as the action
/// and the second as the text, by the application that runs already if there is one.
int countersign_run_application(
    const char *id, int argc, char **argv, const char *const *actions, countersign_asked asked, void *context, countersign_action end);

/// A window of the running application. Its title says nothing of the content.
GtkWidget *countersign_application_window(const char *title, int width, int height, GtkWidget *content);

/// Adds these rules to the looks of all widgets.
void countersign_add_style(const char *rules);

/// A viewport that only the person scrolls, and that gets the focus itself.
GtkWidget *countersign_scroller(GtkWidget *content);

/// Calls `action` whenever the viewport may show another part of its content.
void countersign_connect_scrolling(GtkWidget *scroller, countersign_action action, void *context, countersign_action end);

/// Whether the last line of `content` is in the visible part of the viewport, of the window that the person uses, and each label in it has
/// a height.
int countersign_shows_end(GtkWidget *scroller, GtkWidget *content);

typedef void (*countersign_chosen)(void *context, int place);

/// Calls `chosen` with the place of a row of a list when the person chooses it, by pointer or keyboard.
void countersign_connect_rows(GtkWidget *list, countersign_chosen chosen, void *context, countersign_action end);

typedef void (*countersign_fill)(void *context, int place, GtkWidget *row);

/// A list of many rows, which makes widgets only for those in sight: `fill` is called for each with `countersign_long_list_fill`. It has
/// as many rows as `countersign_long_list_renew` says.
GtkWidget *countersign_long_list(countersign_fill fill, countersign_chosen chosen, void *context, countersign_action end);

/// The rows are others now.
void countersign_long_list_renew(GtkWidget *list, int count);

/// A row's symbol with the class of its colour, its two texts, and its description for assistive technology.
void countersign_long_list_fill(
    GtkWidget *row, const char *symbol, const char *colour, const char *title, const char *detail, const char *description);

/// Lets GLib's main loop run the jobs of Swift's main actor.
void countersign_run_main_actor(void);

/// A symbol of a bank, in the text's colour.
GtkWidget *countersign_bank(int size);

/// A button of a tab, with a symbol, which stands above its name in a bar, and beside it in a list.
GtkWidget *countersign_tab(GtkWidget *symbol, const char *name, GtkOrientation orientation);
void countersign_tab_choose(GtkWidget *tab, int is_chosen);

/// A button that opens a menu. Its entries follow by `countersign_add_to_menu`.
GtkWidget *countersign_menu(const char *name);
void countersign_add_to_menu(
    GtkWidget *menu, const char *words, countersign_action action, void *context, countersign_action end);

typedef void (*countersign_sized)(void *context, int width);

/// A widget without a height, which calls `sized` whenever its width becomes another.
GtkWidget *countersign_ruler(countersign_sized sized, void *context, countersign_action end);

/// A dialog of the program's name, version and licence.
void countersign_about(GtkWidget *window, const char *version);

typedef void (*countersign_named)(void *context, const char *path);

/// Lets the person choose a picture's file, in a dialog of this process: `chosen` gets its path.
void countersign_choose_picture(GtkWidget *window, countersign_named chosen, void *context, countersign_action end);

/// Calls `dropped` with the path of a file that is dropped on this widget.
void countersign_accept_file(GtkWidget *widget, countersign_named dropped, void *context, countersign_action end);

/// Copies this text to the clipboard.
void countersign_copy(GtkWidget *widget, const char *text);

/// Calls `action` once after so many milliseconds, then `end`.
void countersign_after(unsigned milliseconds, countersign_action action, void *context, countersign_action end);

#endif
