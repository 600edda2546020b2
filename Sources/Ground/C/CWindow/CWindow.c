#include "CWindow.h"

#include <glib-unix.h>
#include <string.h>
#include <sys/eventfd.h>

void countersign_connect(
    void *object, const char *signal, countersign_action action, void *context, countersign_action end) {
    // Swapped, so that `context` is the first argument; a C function may be called with more than it takes.
    g_signal_connect_data(
        object, signal, G_CALLBACK(action), context, (GClosureNotify)(void (*)(void))end, G_CONNECT_SWAPPED);
}

GtkWidget *countersign_box(GtkAccessibleRole role, GtkOrientation orientation, int spacing) {
    return g_object_new(GTK_TYPE_BOX, "accessible-role", role, "orientation", orientation, "spacing", spacing, NULL);
}

GtkWidget *countersign_grid(GtkAccessibleRole role) {
    return g_object_new(GTK_TYPE_GRID, "accessible-role", role, NULL);
}

void countersign_set_name(GtkWidget *widget, const char *name) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void countersign_set_description(GtkWidget *widget, const char *description) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

void countersign_hide_from_readers(GtkWidget *widget) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
}

GtkWidget *countersign_label(const char *text) {
    GtkWidget *widget = gtk_label_new(text);
    GtkLabel *label = GTK_LABEL(widget);
    PangoAttrList *attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(FALSE));
    gtk_label_set_attributes(label, attributes);
    pango_attr_list_unref(attributes);
    gtk_label_set_wrap(label, TRUE);
    gtk_label_set_wrap_mode(label, PANGO_WRAP_WORD_CHAR);
    gtk_label_set_natural_wrap_mode(label, GTK_NATURAL_WRAP_NONE);
    gtk_label_set_xalign(label, 0);
    return widget;
}

// The entry for a secret

typedef struct {
    countersign_inserted inserted;
    countersign_deleted deleted;
    void *context;
    countersign_action end;
} Secret;

static void insert_text(GtkEditable *editable, const char *text, int length, int *position, Secret *secret) {
    size_t count = length < 0 ? strlen(text) : (size_t)length;
    glong characters = g_utf8_strlen(text, (gssize)count);
    g_signal_stop_emission_by_name(editable, "insert-text");
    if (!secret->inserted(secret->context, text, (int)count, *position)) return;
    GString *bullets = g_string_new(NULL);
    for (glong index = 0; index < characters; index++) g_string_append(bullets, "\u2022");
    g_signal_handlers_block_by_func(editable, (gpointer)insert_text, secret);
    gtk_editable_insert_text(editable, bullets->str, (int)bullets->len, position);
    g_signal_handlers_unblock_by_func(editable, (gpointer)insert_text, secret);
    g_string_free(bullets, TRUE);
}

static void delete_text(GtkEditable *editable, int start, int end, Secret *secret) {
    (void)editable;
    secret->deleted(secret->context, start, end);
}

static void end_secret(void *data, GClosure *closure) {
    (void)closure;
    Secret *secret = data;
    secret->end(secret->context);
    g_free(secret);
}

GtkWidget *countersign_secret_entry(
    const char *hint, countersign_inserted inserted, countersign_deleted deleted, void *context,
    countersign_action end) {
    GtkWidget *entry = gtk_password_entry_new();
    g_object_set(entry, "placeholder-text", hint, NULL);
    Secret *secret = g_new(Secret, 1);
    *secret = (Secret){inserted, deleted, context, end};
    GtkEditable *text = gtk_editable_get_delegate(GTK_EDITABLE(entry));
    // Both handlers end with the text; the first one frees their common data.
    g_signal_connect_data(text, "insert-text", G_CALLBACK(insert_text), secret, end_secret, 0);
    g_signal_connect(text, "delete-text", G_CALLBACK(delete_text), secret);
    return entry;
}

GtkWidget *countersign_radio_button(void) {
    return g_object_new(GTK_TYPE_CHECK_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_RADIO, NULL);
}

// The ring

static const char share_key[] = "countersign-share";

static void draw_ring(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer unused) {
    (void)unused;
    double *share = g_object_get_data(G_OBJECT(area), share_key);
    GdkRGBA colour;
    gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(area)), &colour);
    double radius = (MIN(width, height) - 4) / 2.0;
    cairo_set_line_width(cairo, 3);
    cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, colour.alpha * 0.2);
    cairo_arc(cairo, width / 2.0, height / 2.0, radius, 0, 2 * G_PI);
    cairo_stroke(cairo);
    if (share == NULL || *share <= 0) return;
    cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, colour.alpha);
    cairo_arc(cairo, width / 2.0, height / 2.0, radius, -G_PI / 2, -G_PI / 2 + 2 * G_PI * MIN(*share, 1));
    cairo_stroke(cairo);
}

GtkWidget *countersign_ring(void) {
    GtkWidget *area = gtk_drawing_area_new();
    gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(area), 22);
    gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(area), 22);
    g_object_set_data_full(G_OBJECT(area), share_key, g_new0(double, 1), g_free);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), draw_ring, NULL, NULL);
    countersign_hide_from_readers(area);
    return area;
}

void countersign_ring_set(GtkWidget *ring, double share) {
    *(double *)g_object_get_data(G_OBJECT(ring), share_key) = share;
    gtk_widget_queue_draw(ring);
}

// The application

typedef struct {
    countersign_action action, end;
    void *context;
} Later;

static gboolean act(gpointer data) {
    Later *later = data;
    later->action(later->context);
    return G_SOURCE_REMOVE;
}

static void end_later(gpointer data) {
    Later *later = data;
    later->end(later->context);
    g_free(later);
}

typedef struct {
    countersign_asked asked;
    countersign_action end;
    void *context;
} Asked;

static void pass_on(GSimpleAction *action, GVariant *text, Asked *asked) {
    asked->asked(asked->context, g_action_get_name(G_ACTION(action)), g_variant_get_string(text, NULL));
}

static void activated(Asked *asked) { asked->asked(asked->context, NULL, NULL); }

int countersign_run_application(
    const char *id, int argc, char **argv, const char *const *actions, countersign_asked asked, void *context, countersign_action end) {
    AdwApplication *application = adw_application_new(id, G_APPLICATION_DEFAULT_FLAGS);
    GApplication *base = G_APPLICATION(application);
    Asked *wishes = g_new(Asked, 1);
    *wishes = (Asked){asked, end, context};
    g_signal_connect_swapped(application, "activate", G_CALLBACK(activated), wishes);
    for (; *actions != NULL; actions++) {
        GSimpleAction *action = g_simple_action_new(*actions, G_VARIANT_TYPE_STRING);
        g_signal_connect(action, "activate", G_CALLBACK(pass_on), wishes);
        g_action_map_add_action(G_ACTION_MAP(application), G_ACTION(action));
        g_object_unref(action);
    }
    // One that runs already is asked over the bus.
    if (argc == 3 && g_application_register(base, NULL, NULL)) {
        g_action_group_activate_action(G_ACTION_GROUP(application), argv[1], g_variant_new_string(argv[2]));
        argc = 1;
    }
    int code = g_application_run(base, argc, argv);
    g_object_unref(application);
    wishes->end(wishes->context);
    g_free(wishes);
    return code;
}

GtkWidget *countersign_application_window(const char *title, int width, int height, GtkWidget *content) {
    GtkWidget *window = adw_application_window_new(GTK_APPLICATION(g_application_get_default()));
    gtk_window_set_title(GTK_WINDOW(window), title);
    gtk_window_set_default_size(GTK_WINDOW(window), width, height);
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), content);
    return window;
}

void countersign_add_style(const char *rules) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, rules, -1);
    gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
}

// The card's viewport

GtkWidget *countersign_scroller(GtkWidget *content) {
    GtkWidget *scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), content);
    gtk_widget_set_focusable(scroller, TRUE);
    gtk_widget_set_vexpand(scroller, TRUE);
    return scroller;
}

void countersign_connect_scrolling(GtkWidget *scroller, countersign_action action, void *context, countersign_action end) {
    GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
    countersign_connect(adjustment, "changed", action, context, end);
    g_signal_connect_swapped(adjustment, "value-changed", G_CALLBACK(action), context);
}

// A label whose text is too long for Pango has a height below zero, and the end of its text stands nowhere.
static gboolean is_laid_out(GtkWidget *widget) {
    if (GTK_IS_LABEL(widget)) {
        int height;
        pango_layout_get_pixel_size(gtk_label_get_layout(GTK_LABEL(widget)), NULL, &height);
        return height >= 1 && gtk_widget_get_height(widget) >= 1;
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL; child = gtk_widget_get_next_sibling(child)) {
        if (!is_laid_out(child)) return FALSE;
    }
    return TRUE;
}

int countersign_shows_end(GtkWidget *scroller, GtkWidget *content) {
    GtkRoot *root = gtk_widget_get_root(content);
    // A minimised or covered window is mapped, too.
    if (!GTK_IS_WINDOW(root) || !gtk_window_is_active(GTK_WINDOW(root))) return 0;
    graphene_rect_t bounds;
    if (!gtk_widget_get_mapped(content) || !gtk_widget_compute_bounds(content, scroller, &bounds)) return 0;
    float end = bounds.origin.y + bounds.size.height;
    // Before its first layout it has no height.
    if (bounds.size.height < 1 || end < 0 || end > (float)gtk_widget_get_height(scroller) + 1) return 0;
    return is_laid_out(content);
}

// Lists

typedef struct {
    countersign_chosen chosen;
    countersign_action end;
    void *context;
} Rows;

static void row_activated(GtkListBox *list, GtkListBoxRow *row, Rows *rows) {
    (void)list;
    rows->chosen(rows->context, gtk_list_box_row_get_index(row));
}

static void end_rows(gpointer data, GClosure *closure) {
    (void)closure;
    Rows *rows = data;
    rows->end(rows->context);
    g_free(rows);
}

void countersign_connect_rows(GtkWidget *list, countersign_chosen chosen, void *context, countersign_action end) {
    Rows *rows = g_new(Rows, 1);
    *rows = (Rows){chosen, end, context};
    g_signal_connect_data(list, "row-activated", G_CALLBACK(row_activated), rows, end_rows, 0);
}

typedef struct {
    countersign_fill fill;
    countersign_chosen chosen;
    countersign_action end;
    void *context;
} LongList;

static void make_row(GtkListItemFactory *factory, GtkListItem *item, LongList *list) {
    (void)factory, (void)list;
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *symbol = gtk_image_new();
    countersign_hide_from_readers(symbol);
    GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
    GtkWidget *title = countersign_label(""), *detail = countersign_label("");
    gtk_widget_add_css_class(title, "heading");
    gtk_widget_add_css_class(detail, "caption");
    gtk_widget_add_css_class(detail, "dim-label");
    gtk_box_append(GTK_BOX(texts), title);
    gtk_box_append(GTK_BOX(texts), detail);
    gtk_widget_set_hexpand(texts, TRUE);
    gtk_box_append(GTK_BOX(row), symbol);
    gtk_box_append(GTK_BOX(row), texts);
    gtk_widget_add_css_class(row, "entry-row");
    gtk_list_item_set_child(item, row);
}

static void fill_row(GtkListItemFactory *factory, GtkListItem *item, LongList *list) {
    (void)factory;
    list->fill(list->context, (int)gtk_list_item_get_position(item), gtk_list_item_get_child(item));
}

static void choose_row(GtkListView *view, guint place, LongList *list) {
    (void)view;
    list->chosen(list->context, (int)place);
}

static void end_long_list(gpointer data, GClosure *closure) {
    (void)closure;
    LongList *list = data;
    list->end(list->context);
    g_free(list);
}

GtkWidget *countersign_long_list(
    countersign_fill fill, countersign_chosen chosen, void *context, countersign_action end) {
    LongList *list = g_new(LongList, 1);
    *list = (LongList){fill, chosen, end, context};
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(make_row), list);
    // The view holds the factory, and both end together: the last handler frees their common data.
    g_signal_connect_data(factory, "bind", G_CALLBACK(fill_row), list, end_long_list, 0);
    GtkWidget *view = gtk_list_view_new(NULL, factory);
    gtk_list_view_set_single_click_activate(GTK_LIST_VIEW(view), TRUE);
    gtk_list_view_set_show_separators(GTK_LIST_VIEW(view), TRUE);
    g_signal_connect(view, "activate", G_CALLBACK(choose_row), list);
    return view;
}

void countersign_long_list_renew(GtkWidget *list, int count) {
    GtkStringList *strings = gtk_string_list_new(NULL);
    for (int place = 0; place < count; place++) gtk_string_list_append(strings, "");
    GtkNoSelection *model = gtk_no_selection_new(G_LIST_MODEL(strings));
    gtk_list_view_set_model(GTK_LIST_VIEW(list), GTK_SELECTION_MODEL(model));
    g_object_unref(model);
}

void countersign_long_list_fill(
    GtkWidget *row, const char *symbol, const char *colour, const char *title, const char *detail,
    const char *description) {
    GtkWidget *image = gtk_widget_get_first_child(row), *texts = gtk_widget_get_last_child(row);
    gtk_image_set_from_icon_name(GTK_IMAGE(image), symbol);
    const char *classes[] = {colour, NULL};
    gtk_widget_set_css_classes(image, classes);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_first_child(texts)), title);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_last_child(texts)), detail);
    // GTK wraps each row in a widget of its own, which is the item for assistive technology.
    GtkWidget *item = gtk_widget_get_parent(row);
    if (item == NULL) return;
    countersign_set_name(item, title);
    countersign_set_description(item, description);
}

// Tabs and menu

static void draw_bank(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer unused) {
    (void)unused;
    GdkRGBA colour;
    gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(area)), &colour);
    gdk_cairo_set_source_rgba(cairo, &colour);
    // A roof, four columns and a base, on a square of 16.
    int size = MIN(width, height);
    cairo_translate(cairo, (width - size) / 2.0, (height - size) / 2.0);
    cairo_scale(cairo, size / 16.0, size / 16.0);
    cairo_move_to(cairo, 8, 1);
    cairo_line_to(cairo, 15, 4.5);
    cairo_line_to(cairo, 15, 6);
    cairo_line_to(cairo, 1, 6);
    cairo_line_to(cairo, 1, 4.5);
    cairo_close_path(cairo);
    for (int column = 0; column < 4; column++) cairo_rectangle(cairo, 2 + column * 3.33, 7, 2, 5);
    cairo_rectangle(cairo, 1, 13, 14, 2);
    cairo_fill(cairo);
}

GtkWidget *countersign_bank(int size) {
    GtkWidget *area = gtk_drawing_area_new();
    gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(area), size);
    gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(area), size);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), draw_bank, NULL, NULL);
    countersign_hide_from_readers(area);
    return area;
}

GtkWidget *countersign_tab(GtkWidget *image, const char *name, GtkOrientation orientation) {
    GtkWidget *tab = g_object_new(GTK_TYPE_TOGGLE_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_TAB, NULL);
    GtkWidget *label = countersign_label(name);
    gboolean above = orientation == GTK_ORIENTATION_VERTICAL;
    gtk_label_set_xalign(GTK_LABEL(label), above ? 0.5f : 0);
    GtkWidget *content = gtk_box_new(orientation, above ? 2 : 12);
    gtk_box_append(GTK_BOX(content), image);
    gtk_box_append(GTK_BOX(content), label);
    gtk_button_set_child(GTK_BUTTON(tab), content);
    countersign_set_name(tab, name);
    return tab;
}

void countersign_tab_choose(GtkWidget *tab, int is_chosen) {
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(tab), is_chosen != 0);
    gtk_accessible_update_state(GTK_ACCESSIBLE(tab), GTK_ACCESSIBLE_STATE_SELECTED, is_chosen != 0, -1);
}

static const char menu_key[] = "countersign-menu";

GtkWidget *countersign_menu(const char *name) {
    GtkWidget *button = g_object_new(GTK_TYPE_MENU_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_GENERIC, NULL);
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "open-menu-symbolic");
    gtk_widget_set_tooltip_text(button, name);
    // The button that gets the focus is inside.
    countersign_set_name(gtk_widget_get_first_child(button), name);
    GMenu *menu = g_menu_new();
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
    g_object_set_data_full(G_OBJECT(button), menu_key, menu, g_object_unref);
    return button;
}

void countersign_add_to_menu(
    GtkWidget *button, const char *words, countersign_action action, void *context, countersign_action end) {
    GMenu *menu = g_object_get_data(G_OBJECT(button), menu_key);
    char *name = g_strdup_printf("act%d", g_menu_model_get_n_items(G_MENU_MODEL(menu)));
    char *path = g_strdup_printf("%s.act", name);
    GSimpleAction *entry = g_simple_action_new("act", NULL);
    countersign_connect(entry, "activate", action, context, end);
    GSimpleActionGroup *group = g_simple_action_group_new();
    g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(entry));
    gtk_widget_insert_action_group(button, name, G_ACTION_GROUP(group));
    g_menu_append(menu, words, path);
    g_object_unref(entry);
    g_object_unref(group);
    g_free(path);
    g_free(name);
}

typedef struct {
    countersign_sized sized;
    countersign_action end;
    void *context;
} Ruler;

static void resized(GtkDrawingArea *area, int width, int height, Ruler *ruler) {
    (void)area, (void)height;
    ruler->sized(ruler->context, width);
}

static void end_ruler(gpointer data, GClosure *closure) {
    (void)closure;
    Ruler *ruler = data;
    ruler->end(ruler->context);
    g_free(ruler);
}

GtkWidget *countersign_ruler(countersign_sized sized, void *context, countersign_action end) {
    GtkWidget *area = gtk_drawing_area_new();
    Ruler *ruler = g_new(Ruler, 1);
    *ruler = (Ruler){sized, end, context};
    g_signal_connect_data(area, "resize", G_CALLBACK(resized), ruler, end_ruler, 0);
    countersign_hide_from_readers(area);
    return area;
}

void countersign_about(GtkWidget *window, const char *version) {
    adw_show_about_window(
        GTK_WINDOW(window), "application-name", "Countersign", "version", version, "license-type",
        GTK_LICENSE_APACHE_2_0, NULL);
}

// Files and clipboard

typedef struct {
    countersign_named named;
    countersign_action end;
    void *context;
} Named;

static void name_file(Named *named, GFile *file) {
    char *path = file == NULL ? NULL : g_file_get_path(file);
    if (path != NULL) named->named(named->context, path);
    g_free(path);
}

static void end_named(gpointer data, GClosure *closure) {
    (void)closure;
    Named *named = data;
    named->end(named->context);
    g_free(named);
}

static Named *named(countersign_named named, void *context, countersign_action end) {
    Named *made = g_new(Named, 1);
    *made = (Named){named, end, context};
    return made;
}

static void file_chosen(GtkDialog *dialog, int response, Named *named) {
    GFile *file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
    name_file(named, file);
    g_clear_object(&file);
    gtk_window_destroy(GTK_WINDOW(dialog));
}

void countersign_choose_picture(GtkWidget *window, countersign_named chosen, void *context, countersign_action end) {
    GtkWidget *dialog = gtk_file_chooser_dialog_new(
        "Open a picture", GTK_WINDOW(window), GTK_FILE_CHOOSER_ACTION_OPEN, "Cancel", GTK_RESPONSE_CANCEL, "Open",
        GTK_RESPONSE_ACCEPT, NULL);
    gtk_window_set_modal(GTK_WINDOW(dialog), TRUE);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_ACCEPT);
    GtkFileFilter *pictures = gtk_file_filter_new();
    gtk_file_filter_set_name(pictures, "PNG and JPEG");
    gtk_file_filter_add_mime_type(pictures, "image/png");
    gtk_file_filter_add_mime_type(pictures, "image/jpeg");
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), pictures);
    g_object_unref(pictures);
    g_signal_connect_data(
        dialog, "response", G_CALLBACK(file_chosen), named(chosen, context, end), end_named, 0);
    gtk_window_present(GTK_WINDOW(dialog));
}

static gboolean file_dropped(GtkDropTarget *target, const GValue *value, double x, double y, Named *named) {
    (void)target, (void)x, (void)y;
    name_file(named, g_value_get_object(value));
    return TRUE;
}

void countersign_accept_file(GtkWidget *widget, countersign_named dropped, void *context, countersign_action end) {
    GtkDropTarget *target = gtk_drop_target_new(G_TYPE_FILE, GDK_ACTION_COPY);
    g_signal_connect_data(
        target, "drop", G_CALLBACK(file_dropped), named(dropped, context, end), end_named, 0);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(target));
}

void countersign_copy(GtkWidget *widget, const char *text) {
    gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), text);
}

// The main loop

// libdispatch offers its main queue to the main loops of others by these two, which CFRunLoop uses in the same way.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);

static gboolean drain(int descriptor, GIOCondition condition, gpointer unused) {
    (void)condition, (void)unused;
    eventfd_t count;
    (void)eventfd_read(descriptor, &count);
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

void countersign_run_main_actor(void) { g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, drain, NULL); }

void countersign_after(unsigned milliseconds, countersign_action action, void *context, countersign_action end) {
    Later *later = g_new(Later, 1);
    *later = (Later){action, end, context};
    g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds, act, later, end_later);
}
