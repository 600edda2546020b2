import ArgumentParser
import DemoBank
@main struct DemoBankCommand: ParsableCommand {}
