import Basics
import FoundationEssentials
import Testing

/// JSON from outside, as it is written.
struct JSONTests {
    @Test func keepsWhatIsWritten() throws {
        let text = "\u{FEFF} {\"b\" : 41.20, \"a\":[1.0, { \"x\" : null }],\"t\":\"\\u0041\",\"no\":null}\n"
        let json = try #require(JSON(Array(text.utf8)))
        let members = try #require(json.members)
        #expect(members.names == ["b", "a", "t", "no"] && !members.isAmbiguous)
        #expect(members["b"]?.kind == .number("41.20") && json["b"]?.number == 41.2)
        #expect(json["a"].map { String(decoding: $0.source, as: UTF8.self) } == #"[1.0, { "x" : null }]"#)
        #expect(json["t"]?.text == "A" && json["t"].map { String(decoding: $0.source, as: UTF8.self) } == #""\u0041""#)
        #expect(members["no"]?.kind == .null && json["no"] == nil && json["missing"] == nil)
    }

    @Test(arguments: [#"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":3}"#])
    func seesANameThatOccursTwice(_ text: String) throws {
        let json = try #require(JSON(Array(text.utf8)))
        #expect(json.members?.isAmbiguous == true && json["a"]?.number == 1)
    }

    @Test(arguments: [
        (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000\u001F\u00e9""#, "\0\u{1F}é"),
        (#""\ud83d\ude00é😀""#, "😀é😀"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
    ])
    func texts(_ row: (json: String, text: String)) {
        #expect(JSON(Array(row.json.utf8))?.text.map { Array($0.utf8) } == Array(row.text.utf8))
    }

    @Test(arguments: ["0", "-0", "10", "-1.50", "1e5", "1E+05", "2.5e-3", "123456789012345678901234567890"])
    func numbers(_ text: String) {
        #expect(JSON(Array(text.utf8))?.kind == .number(text))
        #expect(JSON(Array(text.utf8))?.number == Double(text))
    }

    /// One bad text hides no good one, where the reader asks for that.
    @Test(arguments: [
        "\"a\tb\"", #""\'""#, #""\ud800""#, #""\u12""#, "01.5", "-", "1.e5",
    ])
    func aFaultSpoilsItsOwnValueAlone(_ fault: String) throws {
        let text = Array("{\"bad\":\(fault),\"list\":[\(fault),7],\"good\":\"yes\"}".utf8)
        #expect(JSON(text) == nil)
        let json = try #require(JSON(text, keepingFaults: true))
        #expect(json["bad"]?.kind == .unreadable && json["bad"]?.text == nil && json["bad"]?.number == nil)
        #expect(json["bad"].map { String(decoding: $0.source, as: UTF8.self) } == fault)
        #expect(json["list"]?.array?.map(\.number) == [nil, 7] && json["good"]?.text == "yes")
    }

    @Test(arguments: [#"{"a\'":1}"#, #"{"a":"b}"#, #"{"a":"\"}"#, #"{"a":x}"#, #"{"a":01 2}"#, #"{"a":+1}"#])
    func otherFaultsSpoilTheWhole(_ text: String) { #expect(JSON(Array(text.utf8), keepingFaults: true) == nil) }

    /// A number that is too large keeps its digits.
    @Test func aHugeNumber() {
        #expect(JSON(Array("1e999".utf8))?.kind == .number("1e999") && JSON(Array("1e999".utf8))?.number == nil)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "{}{}", "1 2", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#, "{a:1}", "{'a':1}", "{1:1}", "nul", "nulll", "True", "NaN",
        "Infinity", "01", "-", "-a", "+1", ".5", "1.", "1.e5", "1e", "1e+", "0x10", "1_0", "--1", #"""#, #""a"#,
        #""\""#, #""\x""#, #""\u12""#, #""\u00g0""#, #""\ud800""#, #""\ud800x""#, #""\ud800\u0041""#, #""\udc00""#,
        "\"a\nb\"", "\"\u{0}\"", "/* */1", "1//", "\u{A0}1", "\u{FEFF}\u{FEFF}1", "\u{0}1",
    ])
    func isNoJSON(_ text: String) { #expect(JSON(Array(text.utf8)) == nil) }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0x5C, 0x6E, 0xE9, 0x22],
        ] as [[UInt8]])
    func isNoUTF8(_ bytes: [UInt8]) { #expect(JSON(bytes) == nil) }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func isNestedSoDeepAtMost(_ row: (open: String, close: String)) {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: row.open, count: depth) + "1" + String(repeating: row.close, count: depth)).utf8)
        }
        #expect(JSON(nested(512)) != nil && JSON(nested(513)) == nil && JSON(nested(200_000)) == nil)
    }

    /// The reader refuses each text that the decoder refuses.
    @Test func isNoMoreLenientThanTheDecoder() {
        let seed = #"{"payee":"a","amount":41.20,"x":[1,{"y":"}"}],"text":"b\"\\\u00e9","ip":null,"ok":true}"#
        var state: UInt64 = 28
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
        for _ in 0..<4000 {
            var bytes = Array(seed.utf8)
            for _ in 0...random(3) {
                let place = random(bytes.count)
                switch random(3) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = Array(#"{}[],:"\0e-.tn "#.utf8)[random(15)]
                default: bytes.insert(bytes[random(bytes.count)], at: place)
                }
            }
            guard JSON(bytes) != nil else { continue }
            #expect(throws: Never.self) { try JSONDecoder().decode(Anything.self, from: Data(bytes)) }
        }
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
