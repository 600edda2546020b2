// swift-tools-version: 6.2
import PackageDescription

// Who may import whom is decided here: each target names all that its files import (Tests/Program/test_imports.py).

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Tests start these programs thousands of times. With Swift's libraries inside and at fixed addresses, a program of the debug
// build starts in two thirds of the processor time.
let quickToStart: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-Xclang-linker", "-no-pie",
            "-lFoundation", "-lCoreFoundation", "-lFoundationInternationalization", "-lFoundationEssentials",
            "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
        ],
        .when(configuration: .debug))
]

// ArgumentParser does not check at each start of a debug build how each command is declared: the linker puts another function
// in the place of that check (Sources/C/CPlatform/NoCheck.c).
let unchecked: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-Xlinker",
            "--wrap=$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ",
        ],
        .when(configuration: .debug))
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let tomlKit = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
    name: "countersign",
    products: [
        .executable(name: "countersign", targets: ["countersign"]),
        .executable(name: "countersign-entry", targets: ["countersign-entry"]),
        .executable(name: "demo-bank", targets: ["demo-bank"]),
        .library(
            name: "CountersignKit",
            targets: [
                "Basics", "SCA", "SCACrypto", "Web", "SaltEdge", "PrivacyIDEA", "Tiqr", "OAuth", "Vault", "Ledger",
                "ApprovalRecords", "Sessions", "SessionRecords",
                "Authenticator",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // From the values that everybody needs, up to the program. Who stands higher may see who stands lower.
        .target(name: "Basics", swiftSettings: strict),
        .target(name: "SCACrypto", dependencies: ["Basics", "COpenSSL", "CPlatform"], swiftSettings: strict),
        .target(name: "Display", dependencies: ["Basics"], swiftSettings: strict),
        .target(name: "Vault", dependencies: ["Basics", "SCACrypto", "CSecret", "CPlatform"], swiftSettings: strict),
        .target(
            name: "Web",
            dependencies: [
                "Basics", asyncHTTPClient, httpTypes, hummingbird, hummingbirdCore, logging, nioCore, nioHTTP1,
                nioPosix, nioSSL,
                serviceLifecycle,
            ],
            swiftSettings: strict
        ),
        .target(name: "SCA", dependencies: ["Basics"], swiftSettings: strict),
        .target(name: "Ledger", dependencies: ["Basics", grdb], swiftSettings: strict),
        .target(name: "ApprovalRecords", dependencies: ["Basics", "SCA", "Ledger"], swiftSettings: strict),
        .target(name: "Authenticator", dependencies: ["Basics", "SCA", "Display"], swiftSettings: strict),
        .target(name: "Sessions", dependencies: ["Basics", "Display"], swiftSettings: strict),
        .target(name: "SessionRecords", dependencies: ["Basics", "Ledger", "Sessions"], swiftSettings: strict),
        .target(
            name: "SaltEdge", dependencies: ["Basics", "SCA", "SCACrypto", "Web"], path: "Sources/Providers/SaltEdge",
            swiftSettings: strict),
        .target(
            name: "PrivacyIDEA", dependencies: ["Basics", "SCA", "SCACrypto", "Web"],
            path: "Sources/Providers/PrivacyIDEA", swiftSettings: strict),
        .target(
            name: "Tiqr", dependencies: ["Basics", "SCA", "SCACrypto", "Web"], path: "Sources/Providers/Tiqr",
            swiftSettings: strict),
        .target(
            name: "OAuth", dependencies: ["Basics", "SCACrypto", "Sessions", "Web"], path: "Sources/Providers/OAuth",
            swiftSettings: strict),
        .target(
            name: "LocalSocket",
            dependencies: [
                "Basics", "SCACrypto", "CPlatform", hummingbird, hummingbirdCore, logging, nioCore, nioHTTPTypes,
                nioPosix, serviceLifecycle,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Pinentry", dependencies: ["Basics", "SCACrypto", "Display", "CPlatform"], swiftSettings: strict),
        .target(name: "Desktop", dependencies: ["Basics", "Display", "CPlatform", "CSecret"], swiftSettings: strict),
        .target(
            name: "Dialogue", dependencies: ["Basics", "SCA", "Authenticator"], swiftSettings: strict),
        .target(
            name: "Agent",
            dependencies: [
                "Basics", "SCACrypto", "Display", "SCA", "Authenticator", "Dialogue", "Sessions", "LocalSocket",
                "Pinentry",
                "Desktop",
                "CPlatform", httpTypes, hummingbird, nioCore,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "countersign",
            dependencies: [
                "Basics", "SCACrypto", "Display", "Vault", "Web", "SCA", "Ledger", "ApprovalRecords", "Authenticator",
                "SaltEdge", "PrivacyIDEA", "Tiqr", "Sessions", "SessionRecords", "OAuth",
                "Dialogue", "LocalSocket", "Pinentry", "Desktop", "Agent", "CPlatform", "CPicture", "CSecret",
                "CTerminal",
                argumentParser, logging, serviceLifecycle, tomlKit,
            ],
            swiftSettings: strict,
            linkerSettings: quickToStart + unchecked
        ),

        // The bank to rehearse with: none of the modules above, and another crypto library.
        .target(
            name: "DemoBank",
            dependencies: [hummingbird, hummingbirdCore, grdb, crypto, cryptoExtras, "CQREncode"],
            exclude: ["ADMIN.md"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "demo-bank", dependencies: ["DemoBank", argumentParser], swiftSettings: strict,
            linkerSettings: quickToStart),

        // What is installed as `countersign`: small and soon there. Embedded Swift has one module at a time, and no static libraries.
        .executableTarget(
            name: "countersign-entry", dependencies: ["CEntry"], path: "Sources/entry",
            swiftSettings: strict + [
                .enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo", "-no-static-stdlib"]),
            ]),

        // C.
        .systemLibrary(
            name: "COpenSSL", path: "Sources/C/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CLibSecret", path: "Sources/C/CLibSecret", pkgConfig: "libsecret-1",
            providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(
            name: "CQREncode", path: "Sources/C/CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]),
        .target(name: "CEntry", path: "Sources/C/CEntry"),
        .target(name: "CSecret", dependencies: ["CLibSecret"], path: "Sources/C/CSecret"),
        .target(name: "CPicture", path: "Sources/C/CPicture"),
        .target(name: "CPlatform", path: "Sources/C/CPlatform"),
        .target(name: "CTerminal", path: "Sources/C/CTerminal"),

        .testTarget(
            name: "WebTests", dependencies: ["Web", "TestSupport", "Basics", nioCore], swiftSettings: strict),
        .testTarget(name: "SCATests", dependencies: ["SCA", "Basics"], swiftSettings: strict),
        .testTarget(name: "SCACryptoTests", dependencies: ["SCACrypto", "Basics"], swiftSettings: strict),
        .testTarget(
            name: "DisplayTests",
            dependencies: ["Display", "Authenticator", "SCA", "Basics", "Agent", "Pinentry", "Desktop"],
            swiftSettings: strict),
        .testTarget(
            name: "SaltEdgeTests",
            dependencies: [
                "SaltEdge", "Web", "SCA", "SCACrypto", "Basics", "DemoBank", hummingbird, nioCore, nioHTTP1, nioPosix,
                nioSSL,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PrivacyIDEATests", dependencies: ["PrivacyIDEA", "SCA", "SCACrypto", "Basics", "Web", hummingbird],
            swiftSettings: strict),
        .testTarget(
            name: "OAuthTests", dependencies: ["OAuth", "Sessions", "SCACrypto", "Basics", "Web"],
            swiftSettings: strict),
        .testTarget(
            name: "TiqrTests", dependencies: ["Tiqr", "Web", "SCA", "SCACrypto", "Basics"], swiftSettings: strict),
        .testTarget(name: "VaultTests", dependencies: ["Vault", "Basics", "SCACrypto"], swiftSettings: strict),
        .testTarget(
            name: "LedgerTests",
            dependencies: ["Ledger", "ApprovalRecords", "TestSupport", "SCA", "Basics", "SCACrypto", grdb],
            swiftSettings: strict),
        .testTarget(
            name: "AuthenticatorTests", dependencies: ["Authenticator", "SCA", "Basics", "Display"],
            swiftSettings: strict),
        .testTarget(
            name: "DialogueTests", dependencies: ["Dialogue", "Authenticator", "SCA", "Basics"], swiftSettings: strict),
        // Servers, clients and desktops that several test targets stand before the agent's own.
        .target(
            name: "TestSupport", dependencies: ["LocalSocket", "Desktop", logging, serviceLifecycle],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "LocalSocketTests",
            dependencies: ["LocalSocket", "TestSupport", "SCACrypto", "Basics", hummingbird], swiftSettings: strict),
        .testTarget(
            name: "PinentryTests",
            dependencies: ["Pinentry", "Display", "Basics"],
            swiftSettings: strict),
        .testTarget(
            name: "DesktopTests", dependencies: ["Desktop", "TestSupport", "Display", "Basics"], swiftSettings: strict),
        .testTarget(name: "SessionsTests", dependencies: ["Sessions", "Basics"], swiftSettings: strict),
        .testTarget(
            name: "AgentTests",
            dependencies: [
                "Agent", "TestSupport", "LocalSocket", "Pinentry", "Desktop", "Authenticator", "Ledger",
                "ApprovalRecords", "Sessions", "SessionRecords",
                "Display", "SCA", "SCACrypto", "Basics", hummingbird,
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
