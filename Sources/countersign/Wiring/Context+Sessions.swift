import Basics
import CTerminal
import OAuth
import SCACrypto
import SessionRecords
import Sessions
import Web

/// What a command that works with sessions needs: an open vault's sessions, and the wire to their issuers.
struct SessionWorkspace: Sendable {
    let store: any SessionStore
    let service: any IssuerService
    let clock: Clock

    var keeper: TokenKeeper {
        TokenKeeper(
            service: service, store: store, clock: clock,
            interrupts: Interrupts(
                hold: { countersign_interrupts_hold($0 ? 2 : 0) }, isPending: { countersign_interrupted() != 0 }),
            tellUnstored: { name in
                Terminal.say(
                    "The new tokens of \(name.text) cannot be written: is the disk full? Trying until they can; ctrl-c gives them up."
                )
            })
    }

    var signOut: SignOut { SignOut(service: service, store: store, clock: clock, makeID: Self.makeID) }

    var upkeep: SessionUpkeep { SessionUpkeep(service: service, store: store, keeper: keeper, clock: clock) }

    func login(_ wish: LoginWish) -> Login {
        Login(wish, service: service, store: store, clock: clock, makeID: Self.makeID)
    }

    func lookup() throws -> SessionLookup { SessionLookup(try store.sessions()) }

    func payload(_ session: SignIn) throws -> SessionPayload {
        SessionPayload(session, try store.tokens(of: session.id), at: Moment(clock))
    }

    private static let makeID: @Sendable () throws -> String = { try RandomBytes.uuid() }
}

extension Context {
    /// Judges what an issuer says of itself. Needs no PIN.
    func examine(_ issuer: WebAddress) async throws -> [IssuerFinding] {
        let transport = try makeTransport()
        let findings = await OAuthService(transport: transport, now: clock.now).examine(issuer)
        await transport.shutdown()
        return findings
    }

    /// Runs `body` with the sessions of a vault that the PIN opens for this command. `mayChoosePIN`: if no PIN is set, choose one first.
    func withSessions<R>(
        mayChoosePIN: Bool = false, _ body: (SessionWorkspace) async throws -> R
    ) async throws -> R {
        let isNew = mayChoosePIN && prompts.canAsk ? try !gate.status().isSet : false
        let vault = isNew ? try setPIN() : try await open()
        let transport = try makeTransport()
        do {
            let result = try await body(
                SessionWorkspace(
                    store: SealedSessions(database, sealer: try vault.sessionsKey()),
                    service: OAuthService(transport: transport, now: clock.now), clock: clock))
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }
}
