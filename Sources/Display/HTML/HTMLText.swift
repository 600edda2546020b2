import SCA

enum HTMLText {
    static func render(_ page: BankText, besides title: DisplayText) -> DisplayText { DisplayText(page) }
}
