import LocalSocket
import Testing

/// Which files are interpreters, and which script their command lines name.
@Suite struct InterpreterTests {
    @Test(arguments: [
        ("/usr/bin/python3.11", Interpreter.python), ("/usr/bin/python3", .python), ("/opt/venv/bin/python", .python),
        ("/usr/bin/python3-dbg", .python), ("/usr/bin/pypy3", .python), ("/usr/bin/perl", .perl),
        ("/usr/bin/perl5.36.0", .perl), ("/bin/sh", .shell), ("/usr/bin/dash", .shell), ("/usr/bin/zsh5", .shell),
        ("/bin/ksh93", .shell), ("/usr/bin/busybox", .busybox), ("/usr/bin/node", .other), ("/usr/bin/ruby3.1", .other),
        ("/usr/bin/php8.2", .other), ("/usr/lib/jvm/java-17/bin/java", .other), ("/usr/bin/mono-sgen", .other),
        ("/lib64/ld-linux-x86-64.so.2", .other), ("/usr/bin/qemu-aarch64", .other),
        ("/usr/lib/erlang/bin/beam.smp", .other),
        ("/usr/bin/gawk", .nameless), ("/usr/bin/gdb", .nameless),
    ]) func isOne(_ file: String, _ kind: Interpreter) { #expect(Interpreter(file: file) == kind) }

    @Test(arguments: [
        "/usr/bin/git", "/usr/bin/kubectl", "/usr/bin/pythonista", "/usr/bin/node_exporter", "/usr/bin/shred",
        "/usr/bin/3proxy",
        "", "/",
    ]) func isNone(_ file: String) { #expect(Interpreter(file: file) == nil) }

    @Test(arguments: [
        (Interpreter.python, ["python3", "/srv/a"]), (.python, ["python3", "-u", "/srv/a"]),
        (.python, ["python3", "-uBs", "-I", "/srv/a", "-c"]), (.perl, ["perl", "-wT", "/srv/a"]),
        (.shell, ["/bin/sh", "-eu", "/srv/a", "x"]), (.busybox, ["sh", "/srv/a"]),
        (.busybox, ["/bin/ash", "-e", "/srv/a"]),
        (.other, ["node", "/srv/a", "--port", "1"]),
    ]) func theScriptIsCertain(_ kind: Interpreter, _ words: [String]) { #expect(kind.script(in: words) == "/srv/a") }

    @Test(arguments: [
        (Interpreter.python, []), (.python, ["python3"]), (.python, ["python3", "-"]),
        (.python, ["python3", "-c", "/srv/a"]),
        (.python, ["python3", "-m", "/srv/a"]), (.python, ["python3", "-i", "/srv/a"]),
        (.python, ["python3", "-uc", "/srv/a"]),
        (.python, ["python3", "-W", "/srv/a"]), (.python, ["python3", "--", "/srv/a"]),
        (.python, ["python3", "", "/srv/a"]),
        (.python, ["python3", "a.py"]), (.python, ["python3", "./a", "/srv/a"]), (.perl, ["perl", "-e", "/srv/a"]),
        (.perl, ["perl", "-I", "/lib", "/srv/a"]), (.perl, ["perl", "-we", "/srv/a"]),
        (.shell, ["sh", "-c", "/srv/a"]),
        (.shell, ["sh", "-s", "/srv/a"]), (.shell, ["bash", "-o", "/srv/a"]), (.shell, ["bash", "-i", "/srv/a"]),
        (.shell, ["bash", "--init-file", "/srv/a"]), (.busybox, ["busybox", "sh", "/srv/a"]),
        (.busybox, ["awk", "/srv/a"]),
        (.other, ["node", "-r", "/srv/a"]), (.other, ["node", "-e", "/srv/a"]), (.other, ["java", "-jar", "/srv/a"]),
        (.other, ["deno", "run", "/srv/a"]), (.nameless, ["awk", "/srv/a"]), (.nameless, ["gdb", "/srv/a"]),
    ]) func theScriptIsNotCertain(_ kind: Interpreter, _ words: [String]) { #expect(kind.script(in: words) == nil) }
}
