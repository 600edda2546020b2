/// The names under which a connection keeps what only this provider reads.
enum Detail {
    /// Where its configuration was fetched; `reconnect` starts there.
    static let configurationURL = "configurationURL"
    static let bankCode = "bankCode"
    /// v2: see `BankConfiguration.providerKey`.
    static let providerKey = "providerKey"
}
