import CSecret

/// A value received over the bus. Types that this program does not use are `other`.
enum BusValue: Sendable, Equatable {
    case bool(Bool)
    case int32(Int32)
    case uint32(UInt32)
    /// Also an object path.
    case string(String)
    /// An array or a tuple.
    case list([BusValue])
    /// `a{sv}`, or another dictionary whose keys are texts.
    case dictionary([String: BusValue])
    case other

    /// Copies the value of `variant`; the reference stays the caller's. A variant inside of it is replaced by its
    /// value.
    init(_ variant: OpaquePointer) {
        switch glib().g_variant_classify(variant) {
        case G_VARIANT_CLASS_BOOLEAN: self = .bool(glib().g_variant_get_boolean(variant) != 0)
        case G_VARIANT_CLASS_INT32: self = .int32(glib().g_variant_get_int32(variant))
        case G_VARIANT_CLASS_UINT32: self = .uint32(glib().g_variant_get_uint32(variant))
        case G_VARIANT_CLASS_STRING, G_VARIANT_CLASS_OBJECT_PATH:
            // The text belongs to the variant and is copied.
            self = glib().g_variant_get_string(variant, nil).map { .string(String(cString: $0)) } ?? .other
        case G_VARIANT_CLASS_VARIANT:
            self = Self.children(of: variant).first ?? .other
        case G_VARIANT_CLASS_TUPLE, G_VARIANT_CLASS_DICT_ENTRY:
            self = .list(Self.children(of: variant))
        case G_VARIANT_CLASS_ARRAY:
            let children = Self.children(of: variant)
            // The text of the type is valid as long as the variant.
            let isDictionary =
                glib().g_variant_get_type_string(variant).map { String(cString: $0).hasPrefix("a{s") } ?? false
            self = isDictionary ? .dictionary(Self.entries(children)) : .list(children)
        default: self = .other
        }
    }

    private static func children(of variant: OpaquePointer) -> [BusValue] {
        (0..<glib().g_variant_n_children(variant)).compactMap { index in
            guard let child = glib().g_variant_get_child_value(variant, index) else { return nil }
            // We own this reference.
            defer { glib().g_variant_unref(child) }
            return BusValue(child)
        }
    }

    private static func entries(_ pairs: [BusValue]) -> [String: BusValue] {
        var entries: [String: BusValue] = [:]
        for case .list(let pair) in pairs {
            if pair.count == 2, case .string(let key) = pair[0] { entries[key] = pair[1] }
        }
        return entries
    }

    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var list: [BusValue]? { if case .list(let value) = self { value } else { nil } }
    var dictionary: [String: BusValue]? { if case .dictionary(let value) = self { value } else { nil } }
}
