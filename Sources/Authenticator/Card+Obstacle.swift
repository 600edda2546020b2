public import FoundationEssentials
public import SCA

extension Card {
    /// The reason why this card cannot get this decision now; nil if it can. Front ends judge the bank's
    /// state, the expiry and the position by this alone; `Deciding` judges them again right before it sends.
    ///
    /// A denial that could be used as an approval is judged like one.
    public func obstacle(to verdict: Verdict, hasPosition: Bool, at now: Date) -> DecisionError.Code? {
        guard isPending else { return isProcessing ? .underWay : .gone }
        if verdict == .approve || denialNeedsPIN, isExpired(at: now) { return .expired }
        if verdict == .approve, needsPosition, !hasPosition { return .geolocationRequired }
        return nil
    }
}
