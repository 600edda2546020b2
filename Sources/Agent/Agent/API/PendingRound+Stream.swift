internal import Approvals
internal import Basics
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
import AgentWire

/// A round as an answer that is written piece by piece: the number of authorizations at a bank has no limit.
extension PendingRound {
    /// How many bytes are written at a time. One card may have more.
    private static let piece = 64 * 1024

    /// - Parameters:
    ///   - asLines: whether there is a line for each authorization; else the answer is one JSON object.
    ///   - demandOpen: throws when content may not be shown any more; then the answer breaks off.
    func response(asLines: Bool, _ demandOpen: @escaping @Sendable () async throws -> Void) -> Response {
        let body = ResponseBody { writer in
            var buffer = ByteBuffer()
            for index in -1...authorizations.count {
                buffer.writeBytes(try part(index, asLines: asLines))
                guard buffer.readableBytes >= Self.piece else { continue }
                try await demandOpen()
                try await writer.write(buffer)
                buffer = ByteBuffer()
            }
            try await demandOpen()
            try await writer.write(buffer)
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: asLines ? Self.lines : "application/json"], body: body)
    }

    /// One part of the answer: the text before the authorizations (-1), one of them, or the text after them. All parts
    /// together equal the round as `JSONForm` encodes it.
    private func part(_ index: Int, asLines: Bool) throws -> [UInt8] {
        switch index {
        case -1: return asLines ? [] : Array("{\"asked\":\(asked),\"authorizations\":[".utf8)
        case authorizations.count:
            if asLines { return try JSONForm.encode(Rest(self)) + "\n".utf8 }
            return Array("],\"failed\":\(failed),\"failures\":".utf8) + (try JSONForm.encode(failures)) + "}".utf8
        default:
            let card = try JSONForm.encode(authorizations[index])
            if asLines { return card + "\n".utf8 }
            return index == 0 ? card : Array(",".utf8) + card
        }
    }
}
