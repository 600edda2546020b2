import CEntry

/// The program that starts first, and soon: in Embedded Swift, with no library but libc. It prints what the agent has ready for
/// `token TARGET` and `header URL`, since programs call these often. For all else it becomes the program proper, and also if anything
/// of this is not as usual: the program proper then says what is wrong.
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
