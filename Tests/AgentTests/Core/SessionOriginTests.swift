import Agent
import LocalSocket
import Desktop
import Testing

@Suite struct SessionOriginTests {
    @Test func theFirstProcessOnATerminalIsFoundAboveTheStarter() {
        func process(_ parent: Int32, onTerminal: Bool) -> ProcessStatus? {
            let terminal = onTerminal ? 34816 : 0
            return ProcessStatus(
                Array("7 (a) S \(parent) 7 7 \(terminal) 7 0 0 0 0 0 0 0 0 0 0 20 0 1 0 99 0".utf8))
        }
        func first(_ processes: [Int32: ProcessStatus?]) -> Int32? {
            SessionOrigin.firstOnTerminal(above: 50) { processes[$0] ?? nil }
        }
        // A login, a shell, and a shell in a window without a display: sshd has no terminal, the command itself ends.
        let shell: [Int32: ProcessStatus?] = [
            50: process(40, onTerminal: true), 40: process(30, onTerminal: true), 30: process(20, onTerminal: false),
            20: process(1, onTerminal: false),
        ]
        #expect(first(shell) == 40)
        #expect(first(shell.merging([20: process(1, onTerminal: true)]) { $1 }) == 20)
        #expect(first([50: process(1, onTerminal: true)]) == nil)
        #expect(first([50: process(40, onTerminal: false), 40: process(0, onTerminal: false)]) == nil)
        #expect(first([:]) == nil)
    }
}
