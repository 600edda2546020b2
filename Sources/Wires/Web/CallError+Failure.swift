import AsyncHTTPClient
import Basics
import Glibc
import NIOCore
import NIOPosix
import NIOSSL

extension CallError {
    /// The meaning of a call that ended without a complete answer. `sent`: the request, or a part of it, was certainly
    /// sent. `proxy`: the host and port of the proxy that it went through, if any.
    init(failure error: any Error, of call: Call, sent: Bool, through proxy: String?) {
        let host = call.address.hostForPeople
        let cause = Self.cause(of: error, proxy)
        // Sending a body is noticed, so `sent` is reliable then. Without a body, the kind of error decides.
        let mayHaveActed = call.changes && (sent || (call.body.isEmpty && !Self.isBeforeSending(error)))
        if mayHaveActed {
            self = .noAnswer(
                reason: "the request went to \(host), but no whole answer came: \(cause)")
        } else if error as? NIOSSLError == .uncleanShutdown {
            self = .unreachable(reason: "no whole answer came from \(host): \(cause)", obstacle: nil)
        } else {
            self = .unreachable(
                reason: "cannot reach \(host): \(cause)", obstacle: Self.obstacle(in: error, proxy != nil))
        }
    }

    private static func obstacle(in error: any Error, _ isProxied: Bool) -> Obstacle? {
        switch error {
        case is NIOSSLExtraError: .otherHost
        case let error as NIOSSLError: isUntrusted(error) ? .untrusted : nil
        // Only the proxy itself is connected to.
        case let error as NIOConnectionError:
            error.connectionErrors.first.flatMap { obstacle(in: $0.error, isProxied) } ?? (isProxied ? .proxy : nil)
        case let error as IOError:
            isProxied && [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(error.errnoCode) ? .proxy : nil
        case let error as HTTPClientError:
            isProxied
                && [
                    .connectTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout, .invalidProxyResponse,
                    .proxyAuthenticationRequired,
                ].contains(error) ? .proxy : nil
        default: nil
        }
    }

    /// Whether the certificate was not trusted. BoringSSL's reason is only available by name, in the description of the
    /// error.
    private static func isUntrusted(_ error: NIOSSLError) -> Bool {
        guard case .handshakeFailed(.sslError(let stack)) = error else { return false }
        return stack.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }
    }

    /// Whether this kind of error means that no connection was made.
    private static func isBeforeSending(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError:
            [
                .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
                .socksHandshakeTimeout, .invalidProxyResponse, .proxyAuthenticationRequired, .invalidURL, .emptyHost,
                .alreadyShutdown,
            ].contains(error)
        case is NIOConnectionError, is NIOSSLExtraError, ChannelError.ioOnClosedChannel: true
        case let error as IOError:
            [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(error.errnoCode)
        case let error as NIOSSLError:
            if case .handshakeFailed = error { true } else { false }
        default: false
        }
    }

    private static func cause(of error: any Error, _ proxy: String?) -> String {
        // Only the proxy itself is connected to.
        let (it, its) = proxy.map { ("the proxy \($0)", "the proxy \($0): its") } ?? ("it", "its")
        switch error {
        case is Overdue: return "it took too long"
        case is CancellationError: return "the call was cancelled"
        case let error as NIOConnectionError:
            if error.dnsAError != nil || error.dnsAAAAError != nil { return "\(its) name is not known" }
            return error.connectionErrors.first.map { cause(of: $0.error, proxy) } ?? "no connection"
        case let error as IOError:
            switch error.errnoCode {
            case ECONNREFUSED: return "\(it) refuses connections"
            case ECONNRESET, EPIPE: return "the connection was cut"
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN: return "there is no way to \(it)"
            default: return "the connection failed (errno \(error.errnoCode))"
            }
        case is NIOSSLExtraError: return "its certificate is for another host"
        case let error as NIOSSLError:
            if isUntrusted(error) {
                return "its certificate is out of date, or of an authority that is not trusted here"
            }
            if error == .uncleanShutdown {
                return "the connection ended without TLS's close_notify, and the answer's length was not told"
            }
            if case .handshakeFailed = error { return "no TLS connection; it may speak none that is new enough" }
            return "the TLS connection failed"
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout: return "\(it) did not answer in time"
            case .getConnectionFromPoolTimeout, .tlsHandshakeTimeout: return "it did not answer in time"
            case .deadlineExceeded, .readTimeout, .writeTimeout: return "it took too long"
            case .httpProxyHandshakeTimeout, .socksHandshakeTimeout: return "\(it) did not answer in time"
            case .invalidProxyResponse: return "\(it) refused"
            case .proxyAuthenticationRequired: return "\(it) wants a password"
            case .remoteConnectionClosed, .uncleanShutdown: return "the connection was cut"
            case .cancelled: return "the call was cancelled"
            default: return "the connection failed"
            }
        default: return "the connection failed"
        }
    }
}
