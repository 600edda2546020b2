import Basics
import PrivacyIDEA
import SCA
import SaltEdge
import Tiqr
import Web

/// The one place where providers are named: each by a line that reads its links and a line that calls its servers.
extension Settings {
    var links: LinkReaders {
        LinkReaders([
            SaltEdgeLinks(schemes: schemes), PushLinks(), TiqrLinks(),
        ])
    }

    func providers(_ transport: Transport, _ clock: Clock) -> Providers {
        Providers([
            SaltEdgeProvider(transport: transport, platform: platform, now: clock.now),
            PrivacyIDEAProvider(transport: transport, now: clock.now),
            TiqrProvider(transport: transport, locale: Environment.locale, now: clock.now),
        ])
    }
}
