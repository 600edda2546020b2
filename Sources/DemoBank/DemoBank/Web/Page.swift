import Hummingbird

/// The frame of every page: language, landmarks, a heading, and the note that nothing here is real.
struct Page: Sendable {
    let bank: Bank
    /// The signed-in customer, for the navigation.
    let visitor: Visitor?
    let title: String
    let content: HTML

    private var navigation: HTML {
        guard let visitor else {
            return """
                <li><a href="\(bank.prefix)/signin">Sign in</a></li>
                <li><a href="\(bank.prefix)/signup">Sign up</a></li>
                """
        }
        return """
            <li><a href="\(bank.prefix)/dashboard">Overview</a></li>
            <li><a href="\(bank.prefix)/enroll">Add an authenticator</a></li>
            <li><a href="\(bank.prefix)/payments/new">New payment</a></li>
            <li><form method="post" action="\(bank.prefix)/signout">\(visitor.formToken)\
            <button class="quiet">Sign out \(visitor.user.name)</button></form></li>
            """
    }

    private var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title) - \(bank.name)</title>
        <style>\(HTML(source: StyleSheet.text))</style>
        </head>
        <body>
        <a class="skip" href="#main">Skip to the content</a>
        <p class="remark" role="note">This is a demo bank. Nothing here is real: no money, no accounts, no customers.</p>
        <header class="bank"><div>
        <a class="name" href="\(bank.prefix)/">\(bank.name)</a>
        <nav aria-label="Main"><ul>
        \(navigation)
        </ul></nav>
        </div></header>
        <main id="main">
        <h1>\(title)</h1>
        \(content)
        </main>
        <footer><p>A bank to rehearse strong customer authentication with. Do not use a real password here.</p></footer>
        </body>
        </html>

        """
    }

    func response(status: HTTPResponse.Status = .ok) -> Response {
        var response = Answer.text(html.source, contentType: "text/html; charset=utf-8", status: status)
        response.headers[.contentSecurityPolicy] = StyleSheet.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        if let policy = HTTPFields.Element.Name("Referrer-Policy") { response.headers[policy] = "same-origin" }
        return response
    }
}

extension HTML {
    /// A message about wrong input, which screen readers announce; empty when there is none.
    static func problem(_ message: String?) -> HTML {
        guard let message else { return "" }
        return "<p class=\"error\" role=\"alert\">\(message)</p>"
    }
}
