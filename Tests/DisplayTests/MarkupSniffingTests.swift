import SCA
import Testing

@Suite struct MarkupSniffingTests {
    @Test(
        "Markup",
        arguments: [
            "<!doctype html><p>x", "<!DOCTYPE HTML>", "<b>bold</b>", "<p>", "x<br>y", "<BR/>", "a<br />b",
            "<div class=x>",
            "<a href=\"https://x\">y</a>", "<html lang=de>", "</p>", "text <i>x</i>", "<td>", "<input value = 5>",
            "<p\n>",
            "<table>", "<code>x</code>", "a < b <b>c</b>",
        ])
    func markup(_ text: String) {
        #expect(MarkupSniffing.isHTML(BankText(text)))
    }

    @Test(
        "Plain text",
        arguments: [
            "", "To Fern Books", "a < b", "a<b>c", "x <3", "mail <a@b>", "<joe@bank.example>", "see <address>",
            "5 &amp; 6", "<<<>>>",
            "<", "</", "<b", "<p", "<b and c>", "<Fern GmbH>", "<ref=5>", "</b>", "<p is less than q>", "<a>", "< p >",
            "<pay>", "<!-- x -->", "<https://fern.example>", "<!", "a<b && c>d",
        ])
    func plain(_ text: String) {
        #expect(!MarkupSniffing.isHTML(BankText(text)))
    }

    @Test("Floods go through", arguments: ["<", "<a ", "<b>", "<b ", "<p", "</b>", "<!", "<a href"])
    func large(_ unit: String) {
        let text = String(repeating: unit, count: 200_000 / unit.utf8.count)
        #expect(!MarkupSniffing.isHTML(BankText(text)))
    }
}
