// swift-tools-version: 6.2
import PackageDescription

// Builds the program itself too, in release, so that one build serves all figures.

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "countersign", path: "..")],
    targets: [
        .target(name: "CYardstick", linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CYardstick",
                .product(name: "CountersignKit", package: "countersign"),
                .product(name: "countersign", package: "countersign"),
                .product(name: "demo-bank", package: "countersign"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
