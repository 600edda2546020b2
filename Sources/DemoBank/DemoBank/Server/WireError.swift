/// An answer of the error kind (saltedge-v1 section 12, saltedge-v2 section 10). Without a class the body stays empty.
struct WireError: Error {
    var status: Int
    var errorClass: String?
    var message: String
}
