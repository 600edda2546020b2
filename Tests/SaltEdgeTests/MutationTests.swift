import Basics
import FoundationEssentials
import ApprovalModel
@testable import SaltEdge
import Testing
@testable import Web

/// Whatever a bank answers: a value or an error, never a crash or a hang.
@Suite struct MutationTests {
    @Test(arguments: 0..<2) func configurations(_ seed: UInt64) throws {
        let source = try WebAddress("https://b.example/x")
        let pem = String(decoding: try JSONEncoder().encode(try Fixture.key().publicKeyPEM), as: UTF8.self)
        let seeds = [
            #"{"data":{"connect_url":"https://b.example:8443/gw/","code":"f","name":"F","version":"1","geolocation_required":null}}"#,
            #"{"data":{"sca_service_url":"https://b.example","api_version":2,"provider_id":9,"provider_name":"F","provider_public_key":\#(pem)}}"#,
        ]
        var random = SeededGenerator(seed: seed)
        for index in 0..<6000 {
            let answer = Answer(status: 200, body: Array(random.mutate(seeds[index % 2]).utf8))
            guard
                let read = index % 2 == 0
                    ? try? V1Configuration.read(answer, from: source) : try? V2Configuration.read(answer, from: source)
            else { continue }
            #expect(read.baseURL.scheme == "https" || read.baseURL.isLoopback)
            #expect(!read.name.untrusted.isEmpty && !read.code.untrusted.isEmpty)
        }
    }

    @Test(arguments: 2..<4) func listItems(_ seed: UInt64) async throws {
        let key = try Fixture.key()
        let item = try Fixture.item(#""77""#, Fixture.payload("77"), key: key)
        let list =
            #"{"data":[{"id":1,"connection_id":"12","algorithm":"AES-256-CBC","key":"aGk=","iv":"aGk=","data":"aGk="},null,7,{"id":"2"}]}"#
        var random = SeededGenerator(seed: seed)
        for index in 0..<6000 {
            let answer = Answer(status: 200, body: Array(random.mutate(list).utf8))
            if let read = try? answer.data(LenientList<V1Item>.self, .v1) {
                #expect(read.items.count + read.faults.count <= 40)
            }
            _ = try? answer.data(LenientList<V2Item>.self, .v2)
            // Now and then a whole item, down to the decryption.
            if index % 30 == 0 {
                let answer = Answer(status: 200, body: Array("{\"data\":[\(random.mutate(item))]}".utf8))
                for item in (try? answer.data(LenientList<V1Item>.self, .v1))?.items ?? [] {
                    _ = try? item.envelope.payload(ConsentMessage.self, of: item.id, key: key)
                }
            }
        }
    }

    @Test(arguments: 4..<6) func descriptionsAndErrors(_ seed: UInt64) throws {
        let id = try #require(BankID("77"))
        let seeds = [
            #"{"payment":{"payee":"a","amount":41.20,"x":[1,{"y":"}"}]},"text":"b\"\\","extra":{"ip":null},"html":"<p>"}"#,
            #"{"error_class":"SignatureExpired","error_message":"x","data":{}}"#,
        ]
        var random = SeededGenerator(seed: seed)
        for index in 0..<6000 {
            let text = random.mutate(seeds[index % 2])
            if let json = Basics.JSON(Array(text.utf8)) { _ = try? V2Description.parts(json, of: id) }
            #expect(throws: BankError.self) {
                try Answer(status: 500, body: Array(text.utf8)).data(V1Success.self, .v1)
            }
            _ = HTTPDate.parse(random.mutate("Tue, 01 Jan 2030 00:00:00 GMT"))
        }
    }
}
