public import FoundationEssentials
public import SCA

extension Card {
    /// Why no such decision can be made on it now; nil if one can. The bank's state, the expiry and the position are judged here alone.
    ///
    /// A denial that could be used as an approval is judged like one.
    public func obstacle(to verdict: Verdict, hasPosition: Bool, at now: Date) -> DecisionError.Code? {
        guard isPending else { return isProcessing ? .underWay : .gone }
        if verdict == .approve || denialNeedsPIN, isExpired(at: now) { return .expired }
        if verdict == .approve, needsPosition, !hasPosition { return .geolocationRequired }
        return nil
    }
}
