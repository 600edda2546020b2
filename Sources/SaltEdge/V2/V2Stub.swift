import FoundationEssentials
import SCA

enum V2Configuration {
    static func read(_ answer: Answer, from source: WebAddress) throws(BankError) -> BankConfiguration {
        throw answer.malformed("v2")
    }
}
enum V2Enrollment {
    static func create(_ new: NewConnection, over transport: Transport) async throws(BankError) -> CreatedConnection {
        throw BankError(.refused, "v2")
    }
}
enum V2AccessToken {
    static func open(_ text: BankText, with key: any PrivateKey) throws -> any Secret {
        throw BankError(.refused, "v2")
    }
}
typealias V2Service = V1Service
