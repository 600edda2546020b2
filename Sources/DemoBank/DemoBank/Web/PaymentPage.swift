/// A payment as the bank describes it to the authenticator: plain text, a whole page as real banks send
/// (saltedge-v1 section 8.3), or the fields of v2 (saltedge-v2 section 8.3).
struct PaymentPage: Sendable {
    var payee: String
    var amount: String
    var account: String
    var reference: String

    var title: String { "Payment of \(amount) to \(payee)" }

    var text: String {
        var lines = ["To: \(payee)", "Account: \(account)", "Amount: \(amount)"]
        if !reference.isEmpty { lines.append("Reference: \(reference)") }
        return lines.joined(separator: "\n")
    }

    /// The fields of saltedge-v2 section 8.3; the reference is left out when it is empty.
    var fields: JSONValue {
        var members: [String: JSONValue] = [
            "payee": .string(payee), "amount": .string(amount), "account": .string(account), "fee": "0.00",
        ]
        if !reference.isEmpty { members["reference"] = .string(reference) }
        return ["payment": .object(members), "extra": ["action_date": "Today", "device": "Web page of the bank"]]
    }

    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title)</title>
        <style>
        body { font-family: sans-serif; color: #1b2330; background: #fff; }
        table { border-collapse: collapse; } th { text-align: left; color: #4a5566; padding-right: 1em; }
        .amount { font-size: 1.4em; font-weight: bold; }
        @media (prefers-color-scheme: dark) { body { color: #e8edf4; background: #141a22; } th { color: #aab6c6; } }
        </style>
        </head>
        <body>
        <h1>Please confirm this payment</h1>
        <p class="amount">\(amount)</p>
        <table>
        <tr><th>To</th><td>\(payee)</td></tr>
        <tr><th>Account</th><td>\(account)</td></tr>
        <tr><th>Reference</th><td>\(reference.isEmpty ? "&ndash;" : "\(reference)" as HTML)</td></tr>
        <tr><th>Fee</th><td>none</td></tr>
        </table>
        <p>If you did not start this payment, <b>deny it</b> and call us.</p>
        </body>
        </html>
        """
    }
}
