/// Thrown to close the connection without an answer, by order of a test.
struct ConnectionDropped: Error {}
