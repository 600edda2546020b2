// swift-tools-version: 6.2
import PackageDescription

// Each target names all modules that its files import, and no others (Tests/Program/test_imports.py).

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Packages on GitHub, with their least versions and the products that are used here.
let packages: [(name: String, version: Version, products: String)] = [
    ("apple/swift-argument-parser", "1.8.2", "ArgumentParser"),
    ("apple/swift-crypto", "4.5.2", "Crypto CryptoExtras"),
    ("apple/swift-http-types", "1.8.0", "HTTPTypes"),
    ("apple/swift-log", "1.16.2", "Logging"),
    ("apple/swift-nio", "2.101.2", "NIOCore NIOHTTP1 NIOPosix"),
    ("apple/swift-nio-extras", "1.35.2", "NIOHTTPTypes"),
    ("apple/swift-nio-ssl", "2.37.6", "NIOSSL"),
    ("groue/GRDB.swift", "7.10.0", "GRDB"),
    ("hummingbird-project/hummingbird", "2.28.1", "Hummingbird HummingbirdCore"),
    ("LebJe/TOMLKit", "0.6.0", "TOMLKit"),
    ("swift-server/async-http-client", "1.37.0", "AsyncHTTPClient"),
    ("swift-server/swift-service-lifecycle", "2.13.0", "ServiceLifecycle"),
]

/// The words of a text.
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

/// The targets and products that a text names.
func list(_ names: String) -> [Target.Dependency] {
    words(names).map { name in
        let package = packages.first { words($0.products).contains(name) }?.name.split(separator: "/").last
        return package.map { .product(name: name, package: String($0)) } ?? .byName(name: name)
    }
}

/// A module in its room, and its tests with their other imports.
func module(_ name: String, in room: String, _ imports: String = "", tests: String = "") -> [Target] {
    let path = room == "Tests" ? "Tests/\(name)" : "Sources/\(room)/\(name)"
    let module = Target.target(name: name, dependencies: list(imports), path: path, swiftSettings: strict)
    let test = Target.testTarget(name: "\(name)Tests", dependencies: list("\(name) \(tests)"), swiftSettings: strict)
    return tests.isEmpty ? [module] : [module, test]
}

func program(_ name: String, in path: String, _ imports: String) -> [Target] {
    [.executableTarget(name: name, dependencies: list(imports), path: path, swiftSettings: strict)]
}

func inC(_ name: String, _ imports: String = "") -> [Target] {
    [.target(name: name, dependencies: list(imports), path: "Sources/Ground/C/\(name)")]
}

func system(_ name: String, _ library: String, _ package: String) -> [Target] {
    [.systemLibrary(name: name, path: "Sources/Ground/C/\(name)", pkgConfig: library, providers: [.apt([package])])]
}

// From the values that everybody needs, up to the programs. A module may import only those above it.
let targets: [[Target]] = [
    module("Basics", in: "Ground"),
    module("Keys", in: "Ground", "Basics"),
    module("Verbs", in: "Ground", "Basics Keys"),
    module("Cryptography", in: "Ground", "Basics Keys COpenSSL CPlatform", tests: "Basics Keys CPlatform"),
    module("Display", in: "Ground", "Basics", tests: "Agent Pinentry Desktop Approvals ApprovalModel Basics"),
    module(
        "Web", in: "Wires",
        "Basics AsyncHTTPClient HTTPTypes Hummingbird HummingbirdCore Logging NIOCore NIOHTTP1 NIOPosix NIOSSL "
            + "ServiceLifecycle", tests: "TestSupport Basics NIOCore"),
    module(
        "LocalSocket", in: "Wires",
        "Basics Cryptography CPlatform Hummingbird HummingbirdCore Logging NIOCore NIOHTTPTypes NIOPosix "
            + "ServiceLifecycle", tests: "TestSupport Cryptography Basics Hummingbird"),
    module("ApprovalModel", in: "Approvals", "Basics Keys", tests: "Basics"),
    module("SessionModel", in: "Sessions", "Basics Keys Display"),
    module("Vault", in: "Stores", "Basics Keys Cryptography CSecret CPlatform", tests: "Basics Keys Cryptography"),
    module(
        "Ledger", in: "Stores", "Basics Keys CSQLite",
        tests: "Records TestSupport ApprovalModel Basics Keys Cryptography GRDB"),
    module("Records", in: "Stores", "Basics Keys ApprovalModel SessionModel Ledger"),
    module(
        "Approvals", in: "Approvals", "Basics Keys Verbs ApprovalModel Display",
        tests: "ApprovalModel Basics Keys Display Crypto"),
    module(
        "Sessions", in: "Sessions", "Basics Keys Verbs Display SessionModel", tests: "SessionModel Basics Keys Verbs"),
    module(
        "SaltEdge", in: "Providers", "Basics Keys ApprovalModel Cryptography Web",
        tests: "Web ApprovalModel Cryptography Basics Keys DemoBank NIOCore NIOHTTP1 NIOPosix NIOSSL"),
    module(
        "PrivacyIDEA", in: "Providers", "Basics Keys ApprovalModel Cryptography Web",
        tests: "ApprovalModel Cryptography Basics Keys Web"),
    module(
        "Tiqr", in: "Providers", "Basics Keys ApprovalModel Cryptography Web",
        tests: "Web ApprovalModel Cryptography Basics Keys"),
    module(
        "OAuth", in: "Providers", "Basics Keys Cryptography SessionModel Web",
        tests: "SessionModel Sessions Basics Web"),
    module(
        "Dialogue", in: "Person", "Basics Display ApprovalModel Approvals SessionModel Sessions",
        tests: "Approvals SessionModel Sessions Display ApprovalModel Basics"),
    module(
        "Pinentry", in: "Person",
        "Basics Cryptography Display ApprovalModel Approvals SessionModel Dialogue CPlatform",
        tests: "Dialogue Display Basics"),
    module(
        "Desktop", in: "Person", "Basics Display CPlatform CSecret", tests: "TestSupport Approvals LocalSocket Display"),
    module("AgentWire", in: "Agent", "Basics Keys Verbs Approvals SessionModel Sessions"),
    module(
        "Client", in: "Client",
        "Basics Keys Verbs Cryptography Display Web ApprovalModel Approvals SessionModel Sessions Dialogue LocalSocket "
            + "Desktop AgentWire CPicture CPlatform CSecret"),
    module(
        "Agent", in: "Agent",
        "Basics Keys Verbs Cryptography Display ApprovalModel Approvals SessionModel Sessions Dialogue LocalSocket "
            + "Pinentry Desktop AgentWire CPlatform HTTPTypes Hummingbird NIOCore",
        tests:
            "TestSupport LocalSocket Pinentry Desktop Dialogue AgentWire Client Approvals Ledger Records SessionModel "
            + "Sessions Display ApprovalModel Cryptography Keys Verbs Basics Hummingbird"),
    program(
        "countersign", in: "Sources/countersign",
        "Basics Keys Cryptography Display Vault Web ApprovalModel Ledger Records Approvals SaltEdge PrivacyIDEA "
            + "Tiqr SessionModel Sessions OAuth Dialogue LocalSocket Pinentry Desktop AgentWire Client Agent CPlatform "
            + "CPicture CTerminal ArgumentParser Logging ServiceLifecycle TOMLKit"),
    module(
        "WindowModel", in: "Window",
        "Basics Cryptography Display ApprovalModel Approvals SessionModel Sessions Dialogue",
        tests: "Basics Cryptography ApprovalModel Approvals Dialogue"),
    // Fake servers, clients and desktops, for several test targets.
    module("TestSupport", in: "Tests", "LocalSocket Desktop Logging ServiceLifecycle"),

    // The bank to rehearse with: none of the modules above, and another crypto library.
    [
        .target(
            name: "DemoBank", dependencies: list("Hummingbird HummingbirdCore GRDB Crypto CryptoExtras CQREncode"),
            path: "Sources/DemoBank/DemoBank", exclude: ["ADMIN.md"], swiftSettings: strict)
    ],
    program("demo-bank", in: "Sources/DemoBank/demo-bank", "DemoBank ArgumentParser"),

    // Measures our own modules beside the bare libraries.
    [
        .target(
            name: "CYardstick", path: "Benchmarks/Sources/CYardstick",
            linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("sqlite3")])
    ],
    program(
        "bench", in: "Benchmarks/Sources/bench",
        "Basics Keys Cryptography ApprovalModel Vault Ledger Records Approvals SessionModel Sessions SaltEdge OAuth "
            + "Web CYardstick"),

    // Installed as `countersign`: small, so that it starts fast. Embedded Swift has one module and no static libraries.
    [
        .executableTarget(
            name: "countersign-entry", dependencies: ["CEntry"], path: "Sources/entry",
            swiftSettings: strict + [
                .enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo", "-no-static-stdlib"]),
            ])
    ],

    system("COpenSSL", "libcrypto", "libssl-dev"), system("CLibSecret", "libsecret-1", "libsecret-1-dev"),
    system("CSQLite", "sqlite3", "libsqlite3-dev"),
    system("CQREncode", "libqrencode", "libqrencode-dev"),
    inC("CEntry"), inC("CSecret", "CLibSecret"), inC("CPicture"), inC("CPlatform"), inC("CTerminal"),
]

/// Needs GTK 4 and libadwaita, so it is there only for those who ask for it.
let window: [[Target]] = [
    program(
        "countersign-window", in: "Sources/Window/countersign-window",
        "Basics Keys Cryptography ApprovalModel Approvals Sessions Dialogue Ledger LocalSocket Desktop AgentWire Client "
            + "WindowModel CWindow CPlatform"),
    system("CAdwaita", "libadwaita-1", "libadwaita-1-dev"), inC("CWindow", "CAdwaita"),
]
let hasWindow = Context.environment["COUNTERSIGN_WINDOW"] != nil

let package = Package(
    name: "countersign",
    products: ["countersign", "countersign-entry", "demo-bank"].map { .executable(name: $0, targets: [$0]) },
    dependencies: packages.map {
        .package(
            url: "https://github.com/\($0.name)", from: $0.version,
            traits: $0.name.hasSuffix("/hummingbird") ? [] : [.defaults])
    },
    targets: (targets + (hasWindow ? window : [])).flatMap { $0 },
    swiftLanguageModes: [.v6]
)
