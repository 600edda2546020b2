/// The secrets or the row of a connection could not be destroyed, or not all of them; what is left can be destroyed by
/// another try.
struct UnfinishedRevocation: Error {
    /// Whether the bank has ended the connection.
    var isTold: Bool
    var cause: any Error
}
