import Synchronization

/// The secrets of one value that is being encoded or decoded, in the order in which its `SecretSlot`s name them.
public final class SecretShelf: Sendable {
    /// Where coders find it in their `userInfo`. The name is constant and not empty, so the key exists.
    public static let key = CodingUserInfoKey(rawValue: "secrets")!

    private let kept: Mutex<[any Secret]>

    public init(_ secrets: [any Secret] = []) { kept = Mutex(secrets) }

    public var secrets: [any Secret] { kept.withLock { $0 } }

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
