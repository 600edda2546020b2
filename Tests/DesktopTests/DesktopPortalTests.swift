import Testing

@testable import Desktop

/// What a portal's answer means.
@Suite struct DesktopPortalTests {
    @Test(arguments: [
        (PortalWish.page("http://127.0.0.1:1/a"), [BusValue.uint32(0), .dictionary([:])], PortalAnswer.opened),
        (.picture, [.uint32(0), .dictionary(["uri": .string("file:///tmp/a%20b.png")])], .picture("/tmp/a b.png")),
        (.picture, [.uint32(0), .dictionary(["uri": .string("https://example/a.png")])], .failed(.failed)),
        (.picture, [.uint32(0), .dictionary([:])], .failed(.failed)),
        (.picture, [.uint32(1), .dictionary([:])], .cancelled),
        (.page("http://127.0.0.1:1/a"), [.uint32(1), .dictionary([:])], .cancelled),
        (.page("http://127.0.0.1:1/a"), [.uint32(2), .dictionary([:])], .failed(.failed)),
        (.page("http://127.0.0.1:1/a"), [], .failed(.failed)),
    ])
    func response(_ wish: PortalWish, _ values: [BusValue], _ answer: PortalAnswer) {
        #expect(Portal.answer(to: wish, values) == answer)
    }

    @Test(arguments: [
        (BusError.noBus, PortalFault.absent), (.noService, .absent), (.noAnswer, .silent),
        (.refused(name: "org.freedesktop.DBus.Error.UnknownMethod", words: "No such interface"), .noBackend),
        (.refused(name: "org.freedesktop.DBus.Error.AccessDenied", words: "not allowed"), .refused("not allowed")),
        (.refused(name: "", words: "it did not start"), .refused("it did not start")),
    ])
    func fault(_ error: BusError, _ fault: PortalFault) {
        #expect(Portal.fault(error) == fault)
    }
}
