import ArgumentParser
import Hummingbird
import TOMLKit
import SaltEdge
import Ledger
@main struct Countersign: ParsableCommand {}
