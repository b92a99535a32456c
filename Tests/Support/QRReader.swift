package import Foundation

/// What a QR reader that is not ours sees in a picture: zbarimg (Debian's zbar-tools), with the line break that it ends each text with.
package func textOfQRCode(png: Data) throws -> String {
    let picture = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: picture) }
    try png.write(to: picture)
    let reader = Process()
    reader.executableURL = URL(filePath: "/usr/bin/zbarimg")
    reader.arguments = ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture.path]
    let output = Pipe()
    reader.standardOutput = output
    reader.standardError = FileHandle.nullDevice
    try reader.run()
    let seen = try output.fileHandleForReading.readToEnd() ?? Data()
    reader.waitUntilExit()
    return String(decoding: seen, as: UTF8.self)
}
