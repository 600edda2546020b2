import Basics

/// Fields as a web page's form sends them (`application/x-www-form-urlencoded`); a space becomes `%20`.
package enum Form {
    package static let header = ("Content-Type", "application/x-www-form-urlencoded")

    package static func text(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { "\(URLText.encode($0))=\(URLText.encode($1))" }.joined(separator: "&")
    }

    package static func body(_ fields: KeyValuePairs<String, String>) -> [UInt8] { Array(text(fields).utf8) }
}
