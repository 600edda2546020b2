import Approvals
import Basics
import Display
import FoundationEssentials

/// The tab of banks: their list, one of them, and connecting one.
struct BanksModel: Sendable {
    private enum Page: Sendable {
        case list
        case bank(BankModel)
        case adding(AddingModel)
    }

    private var connections: [ConnectionPayload]?
    private var contacts: [BankContactPayload] = []
    private var trouble: Failure?
    private var notice: String?
    private var page = Page.list
    private var attempts = 0

    // MARK: Events

    mutating func take(_ event: BankEvent) -> [WindowEffect] {
        switch event {
        case .connections(let result):
            take(result)
            return []
        case .open(let name):
            guard connections?.contains(where: { $0.name == name }) == true else { return [] }
            notice = nil
            page = .bank(BankModel(name))
            return [.use, .bank(.consents(of: name))]
        case .add: return add(again: nil)
        case .reconnect:
            guard case .bank(let bank) = page else { return [] }
            return add(again: bank.name)
        case .adding(let event): return take(event)
        case .confirm where isAdding: return change { $0.confirm() }
        case .done(.disconnect, _, .success(let name)):
            page = .list
            notice = "Disconnected: \(name)"
            return [.bank(.list)]
        case .consents, .done, .prove, .rename, .disconnect, .revoke, .confirm:
            guard case .bank(var bank) = page, let connection = connection(bank.name) else { return [] }
            let effects = bank.take(event, on: connection)
            page = .bank(bank)
            return effects
        }
    }

    /// One page back.
    mutating func back() -> [WindowEffect] {
        switch page {
        case .list: return []
        case .bank(var bank):
            page = bank.back() ? .bank(bank) : .list
            return [.use]
        case .adding: return change { $0.back() }
        }
    }

    /// The first page, as it is when the tab is chosen.
    mutating func reset() -> [WindowEffect] {
        defer { (page, notice) = (.list, nil) }
        return isAdding ? [.bank(.abandon)] : []
    }

    mutating func hear(_ event: Event) -> [WindowEffect] {
        switch event.kind {
        case .heard(let contacts):
            self.contacts = contacts
            return []
        // An inactive connection is one that fails, so its status may be another now.
        case .failure, .recovered: return connections == nil ? [] : [.bank(.list)]
        case .added, .changed, .removed, .decided, .locked, .unlocked, .waiting: return []
        }
    }

    private var isAdding: Bool { if case .adding = page { true } else { false } }

    private func connection(_ name: String) -> ConnectionPayload? { connections?.first { $0.name == name } }

    private mutating func take(_ result: Result<ConnectionsPayload, Failure>) {
        switch result {
        case .success(let answer):
            connections = answer.connections
            trouble = answer.failures?.first.map { Failure($0.kind, $0.message) }
            if case .bank(let bank) = page, connection(bank.name) == nil { page = .list }
        case .failure(let failure): trouble = failure
        }
    }

    private mutating func add(again: String?) -> [WindowEffect] {
        attempts += 1
        notice = nil
        let adding = AddingModel(again: again, besides: connections ?? [], attempt: attempts)
        page = .adding(adding)
        return [.use] + adding.begin()
    }

    private mutating func take(_ event: AddingEvent) -> [WindowEffect] { change { $0.take(event) } }

    private mutating func change(_ body: (inout AddingModel) -> [WindowEffect]) -> [WindowEffect] {
        guard case .adding(var adding) = page else { return [] }
        let effects = body(&adding)
        switch adding.end {
        case nil: page = .adding(adding)
        case .left: page = adding.again.map { .bank(BankModel($0)) } ?? .list
        case .connected(let connection):
            page = .list
            // Its earlier failure is over; the next look at the bank tells anew.
            contacts.removeAll { $0.connection == connection.name }
            notice = "Connected: \(DisplayText(answered: connection.bank).line)"
            return effects + [.bank(.list)]
        }
        if case .left? = adding.end, let again = adding.again { return effects + [.bank(.consents(of: again))] }
        return effects
    }

    // MARK: The screen

    func screen(at now: Date) -> Screen {
        switch page {
        case .list: break
        case .bank(let bank):
            guard let connection = connection(bank.name) else { break }
            return bank.screen(connection, contact(of: connection))
        case .adding(let adding): return adding.screen
        }
        return .banks(
            Screen.Banks(
                rows: connections?.map { row($0, at: now) }, trouble: trouble.map { Screen.Trouble($0) }, notice: notice
            ))
    }

    private func contact(of connection: ConnectionPayload) -> BankContactPayload? {
        contacts.first { $0.connection == connection.name }
    }

    private func row(_ connection: ConnectionPayload, at now: Date) -> Screen.Banks.Row {
        let contact = contact(of: connection)
        let status = connection.standing(contact)
        let heard = contact?.heardAt.map { LocalTime.short($0.date, at: now) }
        return Screen.Banks.Row(
            connection: connection.name, bank: DisplayText(answered: connection.bank).line,
            host: DisplayText(answered: connection.host).line,
            since: status.word == "not reached" && heard != nil
                ? "not reached since \(heard ?? "")" : "\(connection.name), since \(connection.createdAt.day)",
            status: status)
    }
}
