import CEntry

/// The installed program. It starts fast: in Embedded Swift, with no library but libc. For `token TARGET` and `header
/// URL`, which programs call often, it prints the lines that the agent has ready. In all other cases, also after any
/// failure of its own, it becomes the program proper, which then reports the failure.
@main struct Entry {
    static func main() {
        guard countersign_entry_harden() == 0 else {
            Output.fail("the process cannot be protected from dumps and tracing")
        }
        if let question = Question(Text.arguments), let place = Place(), let holder = place.holder,
            let lines = Agent(at: place)?.answer(to: question, of: holder)
        {
            Output.print(lines)
            _exit(0)
        }
        ProgramProper.become()
    }
}
