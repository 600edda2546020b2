@testable import AgentWire
@testable import Agent
import Foundation
import TestSupport
import Testing

@Suite struct TerminalNames {
    @Test func aTerminalIsOneByEachOfItsNames() throws {
        let terminal = try PseudoTerminal()
        #expect(TerminalName.resolve(terminal.name) == terminal.name)
        #expect(
            TerminalName.resolve("/dev/../dev/./pts/../pts/" + terminal.name.dropFirst("/dev/pts/".count))
                == terminal.name)
        let link = "/dev/shm/countersign-test-\(UUID().uuidString)"
        defer { unlink(link) }
        try #require(symlink(terminal.name, link) == 0)
        #expect(TerminalName.resolve(link) == terminal.name)
        unlink(link)
        try #require(symlink("/dev/null", link) == 0)
        #expect(TerminalName.resolve(link) == nil)
    }

    @Test(arguments: [
        "", "/", "/dev", "/dev/", "/dev/pts", "/dev/pts/", "/dev/pts/1000000", "/dev/pts/ptmx", "/dev/ptmx", "/dev/tty",
        "/dev/null",
        "/dev/zero", "/dev/pts/../null", "/dev/../etc/passwd", "/dev/pts/../../etc/passwd", "/dev/shm", "/etc/passwd",
        "dev/null",
        "/dev/pts/0\0", "/dev/pts/é",
    ])
    func whatIsNoneIsNone(_ name: String) { #expect(TerminalName.resolve(name) == nil) }

    @Test func thatOfAnotherUserIsNone() throws {
        // pts(4), ioctl_tty(2): TIOCSPTLCK reads an int, TIOCGPTN writes one.
        let program = """
            $| = 1;
            open(my $terminal, '+<', '/dev/ptmx') or die;
            my ($lock, $number) = (pack('i', 0), pack('i', -1));
            ioctl($terminal, 0x40045431, $lock) && ioctl($terminal, 0x80045430, $number) or die;
            print '/dev/pts/', unpack('i', $number), "\\n"; <STDIN>;
            """
        let others = try PerlProgram(program, as: .another)
        let name = try others.line()
        var found = stat()
        // Writes to the struct during the call.
        try #require(stat(name, &found) == 0 && found.st_uid != getuid())
        #expect(TerminalName.resolve(name) == nil)
        withExtendedLifetime(others) {}
    }
}

/// A terminal of this user, as long as it lives.
final class PseudoTerminal: Sendable {
    let name: String
    private let descriptor: Int32

    init() throws {
        // posix_openpt(3) and its like do not import; this is what they do (pts(4), ioctl_tty(2)).
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, -1)
        // TIOCSPTLCK reads an int, TIOCGPTN writes one.
        try #require(descriptor >= 0 && ioctl(descriptor, 0x4004_5431, &lock) == 0)
        try #require(ioctl(descriptor, 0x8004_5430, &number) == 0)
        name = "/dev/pts/\(number)"
    }

    deinit { close(descriptor) }
}
