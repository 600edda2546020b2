import Basics
import FoundationEssentials
import NIOSSL

/// The certificate authorities that calls trust: the system's, as OpenSSL finds them, and those of a file or of a bundle.
struct Trust {
    private(set) var configuration = TLSConfiguration.makeClientConfiguration()
    /// Those besides the system's; nil if there are none, or too many to be kept.
    private(set) var own: AuthorityBundle?

    static let variables = ["SSL_CERT_FILE", "SSL_CERT_DIR"]
    /// Where the systems keep them.
    private static let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
    private static let directory = "/etc/ssl/certs"

    /// `file`: the path of a PEM file.
    init(environment: [String: String], file: String?) throws(TransportError) {
        try self.init(environment)
        guard let file else { return }
        guard let data = FileManager.default.contents(atPath: file),
            let certificates = try? NIOSSLCertificate.fromPEMBytes([UInt8](data)), !certificates.isEmpty
        else {
            throw .badAuthorities
        }
        configuration.additionalTrustRoots.append(.certificates(certificates))
        own = AuthorityBundle(pem: String(decoding: data, as: UTF8.self))
    }

    init(environment: [String: String], _ first: AuthorityBundle?, _ second: AuthorityBundle) throws(TransportError) {
        try self.init(environment)
        let both = first?.with(second) ?? second
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(both.pem.utf8)), !certificates.isEmpty else {
            throw .badKeptAuthorities
        }
        configuration.additionalTrustRoots.append(.certificates(certificates))
        own = both
    }

    /// The system's alone. `SSL_CERT_FILE` and `SSL_CERT_DIR` take the place of the system's file and directory, each of its own, as
    /// OpenSSL has it.
    private init(_ environment: [String: String]) throws(TransportError) {
        configuration.minimumTLSVersion = .tlsv12
        let file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        let directories = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        if Self.files.contains(file ?? Self.files[0]), directories ?? Self.directory == Self.directory { return }
        // The system's file and directory hold the same, where it has both.
        if file != nil, directories != nil || !FileManager.default.fileExists(atPath: Self.directory) {
            configuration.trustRoots = .certificates([])
        }
        if let file {
            guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
                throw .badSystemFile
            }
            configuration.additionalTrustRoots.append(.certificates(certificates))
        }
        if let directories {
            let certificates = Self.certificates(in: directories.split(separator: ":").map(String.init))
            guard !certificates.isEmpty else {
                throw .badSystemDirectory
            }
            configuration.additionalTrustRoots.append(.certificates(certificates))
        }
    }

    /// The certificates of all files that have some. Many of a directory's files are links to others.
    private static func certificates(in directories: [String]) -> [NIOSSLCertificate] {
        var found: Set<NIOSSLCertificate> = []
        for directory in directories {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
                found.formUnion((try? NIOSSLCertificate.fromPEMFile(directory + "/" + name)) ?? [])
            }
        }
        return Array(found)
    }
}
