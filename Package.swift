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

/// A module, and its tests with their other imports.
func module(_ name: String, _ imports: String = "", in path: String? = nil, tests: String = "") -> [Target] {
    let module = Target.target(name: name, dependencies: list(imports), path: path, swiftSettings: strict)
    let test = Target.testTarget(name: "\(name)Tests", dependencies: list("\(name) \(tests)"), swiftSettings: strict)
    return tests.isEmpty ? [module] : [module, test]
}

func program(_ name: String, _ imports: String) -> [Target] {
    [.executableTarget(name: name, dependencies: list(imports), swiftSettings: strict)]
}

func inC(_ name: String, _ imports: String = "") -> [Target] {
    [.target(name: name, dependencies: list(imports), path: "Sources/C/\(name)")]
}

func system(_ name: String, _ library: String, _ package: String) -> [Target] {
    [.systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: library, providers: [.apt([package])])]
}

// From the values that everybody needs, up to the programs. A module may import only those above it.
let targets: [[Target]] = [
    module("Basics"),
    module("SCACrypto", "Basics COpenSSL CPlatform", tests: "Basics"),
    module("Display", "Basics", tests: "Agent Pinentry Desktop Authenticator SCA Basics"),
    module("Vault", "Basics SCACrypto CSecret CPlatform", tests: "Basics SCACrypto"),
    module(
        "Web",
        "Basics AsyncHTTPClient HTTPTypes Hummingbird HummingbirdCore Logging NIOCore NIOHTTP1 NIOPosix NIOSSL "
            + "ServiceLifecycle", tests: "TestSupport Basics NIOCore"),
    module("SCA", "Basics", tests: "Basics"),
    module("Ledger", "Basics CSQLite", tests: "ApprovalRecords TestSupport SCA Basics SCACrypto GRDB"),
    module("ApprovalRecords", "Basics SCA Ledger"),
    module("Authenticator", "Basics SCA Display", tests: "SCA Basics Display Crypto"),
    module("Sessions", "Basics Display", tests: "Basics"),
    module("Dialogue", "Basics Display SCA Authenticator Sessions", tests: "Authenticator Sessions Display SCA Basics"),
    module("SessionRecords", "Basics Ledger Sessions"),
    module(
        "SaltEdge", "Basics SCA SCACrypto Web", in: "Sources/Providers/SaltEdge",
        tests: "Web SCA SCACrypto Basics DemoBank Hummingbird NIOCore NIOHTTP1 NIOPosix NIOSSL"),
    module(
        "PrivacyIDEA", "Basics SCA SCACrypto Web", in: "Sources/Providers/PrivacyIDEA",
        tests: "SCA SCACrypto Basics Web Hummingbird"),
    module("Tiqr", "Basics SCA SCACrypto Web", in: "Sources/Providers/Tiqr", tests: "Web SCA SCACrypto Basics"),
    module(
        "OAuth", "Basics SCACrypto Sessions Web", in: "Sources/Providers/OAuth", tests: "Sessions SCACrypto Basics Web"),
    module(
        "LocalSocket",
        "Basics SCACrypto CPlatform Hummingbird HummingbirdCore Logging NIOCore NIOHTTPTypes NIOPosix ServiceLifecycle",
        tests: "TestSupport SCACrypto Basics Hummingbird"),
    module("Pinentry", "Basics SCACrypto Display Sessions Dialogue CPlatform", tests: "Display Basics"),
    module("Desktop", "Basics Display CPlatform CSecret", tests: "TestSupport Display Basics"),
    module(
        "Agent",
        "Basics SCACrypto Display SCA Authenticator Sessions Dialogue LocalSocket Pinentry Desktop CPlatform HTTPTypes "
            + "Hummingbird NIOCore",
        tests: "TestSupport LocalSocket Pinentry Desktop Authenticator Ledger ApprovalRecords Sessions SessionRecords "
            + "Display SCA SCACrypto Basics Hummingbird"),
    program(
        "countersign",
        "Basics SCACrypto Display Vault Web SCA Ledger ApprovalRecords Authenticator SaltEdge PrivacyIDEA Tiqr Sessions "
            + "SessionRecords OAuth Dialogue LocalSocket Pinentry Desktop Agent CPlatform CPicture CSecret CTerminal "
            + "ArgumentParser Logging ServiceLifecycle TOMLKit"),
    // Fake servers, clients and desktops, for several test targets.
    module("TestSupport", "LocalSocket Desktop Logging ServiceLifecycle", in: "Tests/TestSupport"),

    // The bank to rehearse with: none of the modules above, and another crypto library.
    [
        .target(
            name: "DemoBank", dependencies: list("Hummingbird HummingbirdCore GRDB Crypto CryptoExtras CQREncode"),
            exclude: ["ADMIN.md"], swiftSettings: strict)
    ],
    program("demo-bank", "DemoBank ArgumentParser"),

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

let package = Package(
    name: "countersign",
    products: ["countersign", "countersign-entry", "demo-bank"].map { .executable(name: $0, targets: [$0]) } + [
        .library(
            name: "CountersignKit",
            targets: words(
                "Basics SCA SCACrypto Web SaltEdge PrivacyIDEA Tiqr OAuth Vault Ledger ApprovalRecords Sessions "
                    + "SessionRecords Authenticator"))
    ],
    dependencies: packages.map {
        .package(
            url: "https://github.com/\($0.name)", from: $0.version,
            traits: $0.name.hasSuffix("/hummingbird") ? [] : [.defaults])
    },
    targets: targets.flatMap { $0 },
    swiftLanguageModes: [.v6]
)
