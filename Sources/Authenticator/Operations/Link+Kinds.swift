import Basics
public import SCA

/// A link read as the kind that a command takes. Both throw `LinkError`, and a usage failure that names the other command.
extension ActionLink {
    public static func read(_ text: String, schemes: [String]) throws -> ActionLink {
        guard case .action(let action) = try Link.parse(text, schemes: schemes) else {
            throw Failure.usage("this link connects a bank", hint: "countersign enroll")
        }
        return action
    }
}

extension ConnectLink {
    public static func read(_ text: String, schemes: [String]) throws -> ConnectLink {
        guard case .connect(let link) = try Link.parse(text, schemes: schemes) else {
            throw Failure.usage("this link is an instant action, not a bank to connect", hint: "countersign act")
        }
        return link
    }
}
