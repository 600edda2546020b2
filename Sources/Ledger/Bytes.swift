package func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// 8 bytes.
package func bigEndian(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
}
