/// The redirect that ends an enrollment of v1: the client's return URL with the outcome as query (saltedge-v1 section 5).
struct V1Redirect: Sendable {
    let style: Bank.Style

    func success(_ connection: Connection, token: String) -> String {
        append([("id", connection.wireID), ("access_token", token)], to: connection.returnURL)
    }

    func failure(returnURL: String, errorClass: String, message: String) -> String {
        append([("error_class", errorClass), ("error_message", message)], to: returnURL)
    }

    /// The Ruby server form-encodes (a space becomes `+`), the Java server percent-encodes (`%20`).
    private func append(_ fields: [(String, String)], to url: String) -> String {
        let encode = style == .ruby ? URLText.formEncoded : URLText.percentEncoded
        let query = fields.map { "\($0.0)=\(encode($0.1))" }.joined(separator: "&")
        return URLText.appending(query, to: url)
    }
}
