public import FoundationEssentials
public import SCA

extension Card {
    /// The reason why this card cannot get this decision now; nil if it can. Only this function judges the bank's state, the expiry and
    /// the position.
    ///
    /// A denial that could be used as an approval is judged like one.
    public func obstacle(to verdict: Verdict, hasPosition: Bool, at now: Date) -> DecisionError.Code? {
        guard isPending else { return isProcessing ? .underWay : .gone }
        if verdict == .approve || denialNeedsPIN, isExpired(at: now) { return .expired }
        if verdict == .approve, needsPosition, !hasPosition { return .geolocationRequired }
        return nil
    }
}
