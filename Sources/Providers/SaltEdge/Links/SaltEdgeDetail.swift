/// The names of the details that a connection keeps for this provider alone.
enum SaltEdgeDetail {
    /// Where the bank's configuration was fetched; `reconnect` starts there.
    static let configurationURL = "configurationURL"
    static let bankCode = "bankCode"
    /// v2: see `BankConfiguration.providerKey`.
    static let providerKey = "providerKey"
}
