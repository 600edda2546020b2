import GRDB

/// The customers of the banks and their passwords.
struct Customers: Sendable {
    let services: BankServices

    /// A new customer; `nil` when the name is taken.
    func signUp(name: String, password: String, bank: Bank) async throws -> User? {
        let hash = try PasswordHash(password: password)
        let bankID = bank.id ?? 0
        return try await services.store.write { db in
            guard try User.filter(Column("bankID") == bankID && Column("name") == name).fetchCount(db) == 0 else {
                return nil
            }
            var user = User(bankID: bankID, name: name, salt: hash.salt, passwordKey: hash.key)
            try user.insert(db)
            return user
        }
    }

    /// The customer with this name and password. An unknown name takes as long as a wrong password.
    func signIn(name: String, password: String, bank: Bank) async throws -> User? {
        let bankID = bank.id
        let user = try await services.store.read { db in
            try User.filter(Column("bankID") == bankID && Column("name") == name).fetchOne(db)
        }
        guard let user else {
            _ = try PasswordHash(password: password)
            return nil
        }
        return try user.passwordHash.matches(password) ? user : nil
    }
}
