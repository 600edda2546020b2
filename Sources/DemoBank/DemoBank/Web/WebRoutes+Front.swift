import Hummingbird

/// Front page, sign-up, sign-in, sign-out.
///
/// These forms have no session whose token could protect them, so they compare a hidden field with a cookie of their
/// own.
extension WebRoutes {
    func addFront(to group: RouterGroup<BankContext>) {
        group.get("") { request, context in try await front(request, context) }
        group.get("logo.svg") { _, context in
            let bank = try await services.bank(context)
            return Answer.text(Self.logo(bank).source, contentType: "image/svg+xml", status: .ok)
        }
        group.get("signup") { request, context in
            signUpPage(try await services.bank(context), token: Self.formToken(request))
        }
        group.post("signup") { request, context in try await signUp(request, context) }
        group.get("signin") { request, context in
            signInPage(try await services.bank(context), token: Self.formToken(request))
        }
        group.post("signin") { request, context in try await signIn(request, context) }
        group.post("signout") { request, context in
            try await form(request, context) { bank, visitor, _ in try await sessions.signOut(visitor, bank: bank) }
        }
    }

    private func front(_ request: Request, _ context: BankContext) async throws -> Response {
        let bank = try await services.bank(context)
        guard try await sessions.visitor(request, bank: bank) == nil else {
            return Answer.redirect(to: "\(bank.prefix)/dashboard")
        }
        return Page(
            bank: bank, visitor: nil, title: "Welcome to \(bank.name)",
            content: """
                <p>Here you can rehearse strong customer authentication: open an account, pair your authenticator by a QR
                code or a link, make up payments, and confirm or deny them from your own machine.</p>
                <p><a class="button" href="\(bank.prefix)/signup">Open a demo account</a>
                <a class="button quiet" href="\(bank.prefix)/signin">Sign in</a></p>
                """
        ).response()
    }

    private func signUp(_ request: Request, _ context: BankContext) async throws -> Response {
        let bank = try await services.bank(context)
        let form = try await WebForm(request)
        let token = Self.formToken(request)
        guard form["door_token"] == token, request.cookies[Self.formCookie] != nil else {
            return signUpPage(bank, token: token, problem: "Your browser must keep cookies. Please try again.")
        }
        let name = form["name"]
        let password = form.verbatim("password")
        guard !name.isEmpty, name.count <= 64 else {
            return signUpPage(bank, token: token, problem: "Please choose a name of at most 64 characters.")
        }
        guard password.count >= 4 else {
            return signUpPage(
                bank, token: token, name: name, problem: "The password needs at least 4 characters.")
        }
        guard let user = try await Customers(services: services).signUp(name: name, password: password, bank: bank)
        else {
            return signUpPage(bank, token: token, name: name, problem: "That name is taken. Please choose another.")
        }
        return try await sessions.signIn(user, bank: bank)
    }

    private func signIn(_ request: Request, _ context: BankContext) async throws -> Response {
        let bank = try await services.bank(context)
        let form = try await WebForm(request)
        let token = Self.formToken(request)
        guard form["door_token"] == token, request.cookies[Self.formCookie] != nil else {
            return signInPage(bank, token: token, problem: "Your browser must keep cookies. Please try again.")
        }
        let user = try await Customers(services: services).signIn(
            name: form["name"], password: form.verbatim("password"), bank: bank)
        guard let user else {
            return signInPage(
                bank, token: token, name: form["name"], problem: "Name or password is not right. Please try again.")
        }
        return try await sessions.signIn(user, bank: bank)
    }

    private func signUpPage(_ bank: Bank, token: String, name: String = "", problem: String? = nil) -> Response {
        signedOutPage(
            bank, token: token, title: "Open a demo account", problem: problem,
            fields: """
                <form class="card" method="post" action="\(bank.prefix)/signup">
                <input type="hidden" name="door_token" value="\(token)">
                <label for="name">Your name</label>
                <input id="name" name="name" value="\(name)" autocomplete="username" maxlength="64" required autofocus>
                <label for="password">A password</label>
                <p class="hint" id="password-hint">At least 4 characters, and none that you use elsewhere.</p>
                <input id="password" name="password" type="password" autocomplete="new-password" minlength="4"
                aria-describedby="password-hint" required>
                <button>Open the account</button>
                </form>
                <p>You have one already? <a href="\(bank.prefix)/signin">Sign in</a>.</p>
                """)
    }

    private func signInPage(_ bank: Bank, token: String, name: String = "", problem: String? = nil) -> Response {
        signedOutPage(
            bank, token: token, title: "Sign in", problem: problem,
            fields: """
                <form class="card" method="post" action="\(bank.prefix)/signin">
                <input type="hidden" name="door_token" value="\(token)">
                \(Self.credentialFields(name: name))
                <button>Sign in</button>
                </form>
                <p>New here? <a href="\(bank.prefix)/signup">Open a demo account</a>.</p>
                """)
    }

    /// The two fields of every sign-in.
    static func credentialFields(name: String) -> HTML {
        """
        <label for="name">Your name</label>
        <input id="name" name="name" value="\(name)" autocomplete="username" required autofocus>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
        """
    }

    private func signedOutPage(_ bank: Bank, token: String, title: String, problem: String?, fields: HTML) -> Response {
        var response = Page(bank: bank, visitor: nil, title: title, content: "\(HTML.problem(problem))\(fields)")
            .response(status: problem == nil ? .ok : .unprocessableContent)
        response.setCookie(
            Cookie(
                name: Self.formCookie, value: token, maxAge: 3600, path: "/",
                secure: services.address.scheme == "https", httpOnly: true, sameSite: .strict))
        return response
    }

    private static let formCookie = "door"

    /// The token in the browser's cookie, or a new one.
    private static func formToken(_ request: Request) -> String {
        request.cookies[formCookie]?.value ?? RandomText.token()
    }

    private static func logo(_ bank: Bank) -> HTML {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="\(bank.name)">\
        <rect width="64" height="64" rx="12" fill="#0b5a8a"/><path d="M32 12 54 24H10zM14 28h8v18h-8zM28 28h8v18h-8z\
        M42 28h8v18h-8zM10 50h44v5H10z" fill="#fff"/></svg>
        """
    }
}
