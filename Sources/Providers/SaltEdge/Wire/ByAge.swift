import FoundationEssentials
import ApprovalModel

/// By `created_at`, then by id (saltedge-v1 section 13).
enum ByAge {
    static func precedes(_ a: Authorization, _ b: Authorization) -> Bool {
        (a.createdAt ?? .distantPast, a.id.text) < (b.createdAt ?? .distantPast, b.id.text)
    }

    static func precedes(_ a: Consent, _ b: Consent) -> Bool { (a.createdAt, a.id.text) < (b.createdAt, b.id.text) }
}
