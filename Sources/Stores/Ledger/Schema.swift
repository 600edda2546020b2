/// The tables, and the steps that make them.
enum Schema {
    static let version = steps.count
    static let tables = [
        "pin", "connection", "event", "head", "session", "token", "owed", "permit", "site", "pending_note",
        "departure",
    ]

    /// The version of a database: how many steps were made.
    static func version(of db: Database) throws -> Int {
        try db.value("PRAGMA user_version").integer.map(Int.init) ?? 0
    }

    /// Makes the steps that an older database lacks, each with its number in one transaction.
    static func migrate(_ file: DatabaseFile) throws {
        for (version, step) in try zip(1..., steps).dropFirst(file.read(version)) {
            try file.write { try $0.executeAll(step + "PRAGMA user_version = \(version);") }
        }
    }

    /// The statements that make each version from the one before it.
    private static let steps = [
        // No column reveals a bank, a name or an amount: content is sealed, keys are MACs, order is by number.
        //
        // event: `decision` is the number of the "sending" event that this event is about (its own for "sending").
        // `attempt` is the unique MAC that prevents deciding twice (only with "sending"). `waits` says whether the
        // decision still waits for its outcome after this event. `mac` covers the whole row.
        """
        CREATE TABLE pin (id INTEGER PRIMARY KEY CHECK (id = 1), record BLOB NOT NULL) STRICT;
        CREATE TABLE connection (key BLOB PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY, decision INTEGER NOT NULL, attempt BLOB UNIQUE,
            waits INTEGER NOT NULL, content BLOB NOT NULL, mac BLOB NOT NULL
        ) STRICT;
        CREATE INDEX event_decision ON event (decision, sequence, waits);
        CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL) STRICT;
        """,
        // From version 2 on the sealed master key may have one more byte, which says that a log was begun. An earlier
        // release would take that for another key, so it must refuse the database.
        "",
        // From version 3 on the log may have claims of actions, which an earlier release would take for damage. `ended`
        // says whether the bank no longer knows this connection; the program shows this before the PIN is entered.
        """
        ALTER TABLE connection ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
        """,
        // From version 4 on a connection may be unconfirmed, doubtful or blocked, which an earlier release cannot read.
        "",
        // From version 5 on there are sessions, their tokens, and tokens whose issuers have not confirmed their end
        // yet.
        """
        CREATE TABLE session (key BLOB PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE token (key BLOB PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE owed (key BLOB PRIMARY KEY, content BLOB NOT NULL) STRICT;
        """,
        // From version 6 on there are grants of programs, and sites to which tokens are attached.
        """
        CREATE TABLE permit (key BLOB PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE site (key BLOB PRIMARY KEY, content BLOB NOT NULL) STRICT;
        """,
        // From version 7 on a session may be signed out by time. An earlier release would go on handing out its tokens, and could
        // not read why it ended.
        "",
        // From version 8 on the log may have notes of sessions, which an earlier release would take for damage. `pending_note`
        // holds, in order, the notes that were made without the log's key.
        """
        CREATE TABLE pending_note (
            sequence INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, content BLOB NOT NULL
        ) STRICT;
        """,
        // From version 9 on the database keeps how the person left, until the sessions that this must end are signed out. An
        // earlier release would go on handing out their tokens.
        """
        CREATE TABLE departure (key TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
        """,
        // From version 10 on the log may have acceptances of a break, which an earlier release would take for damage, and
        // the PIN record knows its device secret, which an earlier release would forget.
        "",
        // From version 11 on a sealed row may have a part that only its owner reads, which an earlier release would drop.
        "",
    ]
}
