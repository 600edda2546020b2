import Agent
import ArgumentParser
import SCA

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Do what a link says: connect a bank, or claim an instant action.",
        usage: "countersign open <link> [<options>]",
        discussion: """
            For a desktop that hands over links of the scheme authenticator. An address that a bank's page leads back to \
            goes to the enrollment that waits for it with --callback scheme.
            """)

    @OptionGroup var enrollment: EnrollmentOptions
    @Argument(help: "The link; others can see a program's arguments.") var link: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try Settings.load()
        if Redirect.parse(link, returnURL: settings.returnURL) != nil { return try handOver() }
        switch try Link.parse(link, schemes: settings.schemes) {
        case .connect: try await enrollment.enroll(.text(link), name: nil, options)
        case .action: try await Acting(options: options, connection: nil, yes: enrollment.yes).run(.text(link))
        }
    }

    /// Brings a redirected address to the enrollment that waits for it. No PIN: nothing is shown or opened here.
    private func handOver() throws {
        switch try RedirectPlace(home: options.home).deliver(link) {
        case .accepted: try options.render(RedirectPayload())
        case .notAccepted:
            throw Failure(
                .refused, "the enrollment that waits did not find this address good",
                hint: "see what it says, and let the bank's page try again")
        case .nobody:
            throw Failure(
                .notFound, "no enrollment waits for this address", hint: "countersign enroll --callback scheme")
        }
    }
}
