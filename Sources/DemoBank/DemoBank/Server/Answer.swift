import Hummingbird

/// The forms of answers the bank gives.
enum Answer {
    static func json(
        _ value: JSONValue, status: HTTPResponse.Status = .ok, contentType: String = "application/json; charset=utf-8"
    ) -> Response {
        text(value.text, contentType: contentType, status: status)
    }

    static func text(_ text: String, contentType: String, status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// `303 See Other`: the browser follows with a GET, after any method.
    static func redirect(to location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
    }

    static func empty(_ status: HTTPResponse.Status) -> Response { Response(status: status) }
}
