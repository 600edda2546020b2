/// Two lower-case digits for each byte.
package func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The number in 8 bytes, the highest first.
package func bigEndian(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
}
