import ArgumentParser
import DemoBank
import Foundation

@main
struct DemoBankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-bank",
        abstract: "Run a bank to rehearse strong customer authentication with",
        discussion: """
            Open the printed address in a browser, sign up, and enroll your authenticator with the QR code or its link. \
            No real money moves here.
            """)

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8585

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Keep the bank's books in this SQLite file; without it they are forgotten at the end.")
    var database: String?

    @Option(name: .customLong("public-url"), help: "How the world reaches the bank, if not by that address and port.")
    var publicURL: String?

    func run() async throws {
        var options = DemoBank.Options()
        options.port = port
        options.host = host
        options.database = database
        options.publicURL = publicURL
        let bank = try DemoBank(options: options)
        try await bank.run { url in
            // Written at once, past any buffer: tests wait for this line.
            try? FileHandle.standardOutput.write(contentsOf: Data("demo-bank listening on \(url)\n".utf8))
        }
    }
}
