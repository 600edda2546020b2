import Client
import Basics
import PrivacyIDEA
import ApprovalModel
import SaltEdge
import Tiqr
import Web

/// The only place that names the providers: one line for each that reads its links, one that calls its servers, and
/// its secrets.
extension Settings {
    /// Links on pages other than a bank's: the schemes that the desktop entry registers
    /// (Share/Install/countersign.desktop.in).
    static let clickedSchemes = ["pia", "tiqrauth", "tiqrenroll", "eduidauth", "eduidenroll", OwnScheme.name]

    var links: LinkReaders {
        LinkReaders([
            SaltEdgeLinks(schemes: schemes), PushLinks(),
            TiqrLinks(families: tiqr.families, oldestVersion: tiqr.oldestVersion),
        ])
    }

    /// The names of the secrets that they keep in the keyring, each once.
    static let secretNames: [String] = [SaltEdgeProvider.secrets, PrivacyIDEAProvider.secrets, TiqrProvider.secrets]
        .joined().map(\.text).reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }

    func providers(_ transport: Transport, _ clock: Clock) -> Providers {
        Providers([
            SaltEdgeProvider(transport: transport, platform: platform, now: clock.now),
            PrivacyIDEAProvider(transport: transport, now: clock.now),
            TiqrProvider(transport: transport, locale: Environment.locale, now: clock.now),
        ])
    }
}

extension Settings.Tiqr {
    /// The apps' own links, and those that the settings add.
    fileprivate var families: [TiqrFamily] {
        var (anyone, eduID) = (TiqrFamily.anyone, TiqrFamily.eduID)
        anyone.enrollSchemes.formUnion(enrollSchemes)
        anyone.challengeSchemes.formUnion(authSchemes)
        anyone.linkHosts.formUnion(linkHosts)
        if let eduIDHosts { eduID.allowedHosts = eduIDHosts }
        return [anyone, eduID]
    }
}
