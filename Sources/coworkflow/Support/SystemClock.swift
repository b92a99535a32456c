import FoundationEssentials

/// The system's clock, in microseconds since the Unix epoch.
func systemMicroseconds() -> Int64 {
    Int64((Date.now.timeIntervalSince1970 * 1_000_000).rounded())
}
