extension DesktopAnnouncer: SessionAnnouncing {
    public func announce(_ request: ProgramRequest) { tellRequest(request.id, isThere: true) }
    public func retract(request id: String) { tellRequest(id, isThere: false) }
    public func signedOut() { tellSignedOut() }
    public func remind(ofSignIn session: String) { tellSignIn(session, isWanted: true) }
    public func retract(signIn session: String) { tellSignIn(session, isWanted: false) }
    /// `unhide` does this.
    public func entered() {}
}
