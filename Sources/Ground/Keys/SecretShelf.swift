package import Basics
import Synchronization

/// The secrets of one value that is being encoded or decoded, in the order in which its `SecretSlot`s name them.
package final class SecretShelf: Sendable {
    /// Where coders find it in their `userInfo`. The name is constant and not empty, so the key exists.
    package static let key = CodingUserInfoKey(rawValue: "secrets")!

    private let kept: Mutex<[any Secret]>

    package init(_ secrets: [any Secret] = []) { kept = Mutex(secrets) }

    package var secrets: [any Secret] { kept.withLock { $0 } }

    /// Puts one more on it; returns its number.
    func put(_ secret: any Secret) -> Int {
        kept.withLock { kept in
            kept.append(secret)
            return kept.count - 1
        }
    }

    func secret(_ number: Int) -> (any Secret)? {
        kept.withLock { $0.indices.contains(number) ? $0[number] : nil }
    }
}
