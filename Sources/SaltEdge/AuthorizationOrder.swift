import FoundationEssentials
import SCA

/// By `created_at`, then by id (saltedge-v1 section 13).
enum AuthorizationOrder {
    static func precedes(_ a: Authorization, _ b: Authorization) -> Bool {
        (a.createdAt ?? .distantPast, a.id.text) < (b.createdAt ?? .distantPast, b.id.text)
    }
}
