/// Thrown to close the connection without an answer, when a test asked for that.
struct ConnectionDropped: Error {}
