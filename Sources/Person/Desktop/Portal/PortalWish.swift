/// A wish that the desktop's portal (xdg-desktop-portal) can grant.
package enum PortalWish: Sendable, Codable, Equatable {
    /// Open this address in the person's browser.
    case page(String)
    /// Let the person take a picture of the screen.
    case picture
}

/// The outcome of a wish.
package enum PortalAnswer: Sendable, Codable, Equatable {
    /// The page was handed to a browser.
    case opened
    /// The portal took the page and has not finished; it may be asking the person for a browser.
    case pending
    /// The path of the picture's file. The caller must delete the file.
    case picture(String)
    /// The person cancelled it.
    case cancelled
    case failed(PortalFault)
}

/// Why a portal did not grant a wish.
package enum PortalFault: Error, Sendable, Codable, Equatable {
    /// There is no session bus, or no portal on it.
    case absent
    /// There is a portal, but no backend that grants wishes of this kind.
    case noBackend
    /// It did not answer in time.
    case silent
    /// It refused, or could not be started; in its own words.
    case refused(String)
    /// It tried, and says only that it failed.
    case failed
}
