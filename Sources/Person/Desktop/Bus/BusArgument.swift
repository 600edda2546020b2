import CSecret

/// A value to send in a call.
enum BusArgument: Sendable, Equatable {
    case bool(Bool)
    case byte(UInt8)
    case int32(Int32)
    case uint32(UInt32)
    /// The text must not have a NUL character.
    case string(String)
    /// `as`.
    case strings([String])
    /// `av`.
    case variants([BusArgument])
    /// `a{sv}`.
    case dictionary([String: BusArgument])

    /// A new floating GVariant. The container or call that it is put into takes over the reference.
    fileprivate var variant: OpaquePointer? {
        switch self {
        case .bool(let value): glib().g_variant_new_boolean(value ? 1 : 0)
        case .byte(let value): glib().g_variant_new_byte(value)
        case .int32(let value): glib().g_variant_new_int32(value)
        case .uint32(let value): glib().g_variant_new_uint32(value)
        // The text is copied.
        case .string(let value): glib().g_variant_new_string(value)
        case .strings(let values): Self.array(of: "s", values.map { BusArgument.string($0).variant })
        case .variants(let values):
            Self.array(of: "v", values.map { glib().g_variant_new_variant($0.variant) })
        case .dictionary(let values): Self.array(of: "{sv}", values.map(Self.entry))
        }
    }

    private static func entry(_ key: String, _ value: BusArgument) -> OpaquePointer? {
        glib().g_variant_new_dict_entry(BusArgument.string(key).variant, glib().g_variant_new_variant(value.variant))
    }

    private static func array(of type: String, _ elements: [OpaquePointer?]) -> OpaquePointer? {
        // GLib needs the type during the call only; the array takes over the floating references of the elements.
        let type = glib().g_variant_type_new(type)
        defer { glib().g_variant_type_free(type) }
        return glib().g_variant_new_array(type, elements, gsize(elements.count))
    }
}

extension [BusArgument] {
    /// A new floating tuple of the arguments. The call that it is given to takes over the reference.
    var tuple: OpaquePointer? { glib().g_variant_new_tuple(map(\.variant), gsize(count)) }
}
