import Basics

/// Names the secrets of one connection in the key store. Each enrollment and
/// each reconnect makes a new id, so new secrets can be stored beside the old ones and replace them in a single commit.
package struct KeyID: TextValue {
    /// A random UUID in lower case.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}
