import Basics
import FoundationEssentials
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("2030-01-01T00:00:00Z", 1_893_456_000), ("2030-01-01T00:00:00.000Z", 1_893_456_000),
            ("2030-01-01T00:00:00.5Z", 1_893_456_000.5), ("2030-01-01T00:00:00,25Z", 1_893_456_000.25),
            ("2030-01-01T00:00:00.123456789012345Z", 1_893_456_000.123456789), ("2030-01-01t00:00:00z", 1_893_456_000),
            ("2030-01-01 00:00:00Z", 1_893_456_000), ("2030-01-01T02:00:00+02:00", 1_893_456_000),
            ("2029-12-31T18:30:00-05:30", 1_893_456_000), ("2030-01-01T02:00:00+0200", 1_893_456_000),
            ("2030-01-01T02:00:00+02", 1_893_456_000), ("2030-01-01T00:00:00-00:00", 1_893_456_000),
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("2000-02-29T12:00:00Z", 951_825_600), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Double)])
    func reads(_ text: String, _ seconds: Double) {
        #expect(Timestamp.parse(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "now", "2030-01-01", "2030-01-01T00:00:00", "2030-01-01T00:00Z", "2030-01-01T00:00:00.Z",
        "2030-13-01T00:00:00Z",
        "2030-00-01T00:00:00Z", "2030-01-00T00:00:00Z", "2030-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2030-04-31T00:00:00Z", "2030-01-01T24:00:00Z", "2030-01-01T00:60:00Z", "2030-01-01T00:00:61Z",
        "2030-01-01T00:00:00+24:00", "2030-01-01T00:00:00+02:60", "2030-01-01T00:00:00+2", "2030-01-01T00:00:00+02:0",
        "2030-01-01T00:00:00Z ", "2030-01-01T00:00:00ZZ", "02030-01-01T00:00:00Z", "30-01-01T00:00:00Z",
        "2030-1-1T0:0:0Z", "+2030-01-01T00:00:00Z", "2030-01-01T00:00:00+02:00Z", "1893456000",
        "٢٠٣٠-01-01T00:00:00Z", "2030-01-01T00:00:00." + String(repeating: "1", count: 64) + "Z",
    ])
    func refuses(_ text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    @Test(
        arguments: [
            (1_893_456_000, "2030-01-01T00:00:00Z"), (1_893_456_000.999, "2030-01-01T00:00:00Z"),
            (-0.5, "1969-12-31T23:59:59Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (1e300, "9999-12-31T23:59:59Z"), (-1e300, "0000-01-01T00:00:00Z"), (.infinity, "9999-12-31T23:59:59Z"),
        ] as [(Double, String)])
    func writes(_ seconds: Double, _ text: String) {
        #expect(Timestamp.format(Date(timeIntervalSince1970: seconds)) == text)
    }

    /// In JSON it is its text, which loses nothing of it.
    @Test(arguments: [1_893_456_000, 1_893_456_000.999, -0.5, 1e300, -1e300])
    func travelsAsItsText(_ seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let time = Timestamp(date)
        let json = try JSONForm.encode(["at": time])
        #expect(String(decoding: json, as: UTF8.self) == #"{"at":"\#(Timestamp.format(date))"}"#)
        #expect(try JSONForm.decode([String: Timestamp].self, from: json) == ["at": time])
        #expect(time.text.hasPrefix(time.day + "T"))
        #expect(throws: DecodingError.self) {
            try JSONForm.decode([String: Timestamp].self, from: Array(#"{"at":"2030-01-01"}"#.utf8))
        }
    }

    @Test func timesAreInOrder() {
        #expect(Timestamp(Date(timeIntervalSince1970: -1)) < Timestamp(Date(timeIntervalSince1970: 10)))
    }

    @Test func everyDayComesBack() {
        for day in stride(from: -719_000.0, to: 2_932_000, by: 97) {
            let date = Date(timeIntervalSince1970: day * 86400 + 3661)
            #expect(Timestamp.parse(Timestamp.format(date)) == date)
        }
    }
}
