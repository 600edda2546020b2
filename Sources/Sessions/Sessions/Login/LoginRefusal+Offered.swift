import SessionModel

extension LoginRefusal {
    /// `client`: nil where this program was to be registered.
    init(_ rejection: Rejection, of offered: Login.Offered, as client: ClientRegistration?) {
        self.init(
            rejection, issuer: offered.issuer, client: client,
            isUnproven: offered.isClientUnproven || client?.id != offered.client?.id,
            scopes: offered.scopes, resources: offered.resources, again: offered.again?.name)
    }
}
