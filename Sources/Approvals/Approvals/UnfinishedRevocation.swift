/// The secrets or the row of a connection could not be destroyed, or not all of them; another try can destroy the rest.
struct UnfinishedRevocation: Error {
    /// Whether the bank has ended the connection.
    var isTold: Bool
    var cause: any Error
}
