import Foundation
import QR
import Testing

/// What a reader that is not ours sees in our pictures.
@Suite struct QRCodeTests {
    static let texts = [
        "a",
        "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
        "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304ABCD",
        String(repeating: "0123456789abcdef", count: 32),
    ]

    @Test("A reader decodes the picture back to the text", arguments: texts, [1, 3, 6])
    func decode(text: String, scale: Int) throws {
        let picture = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: picture) }
        // Of one pixel a module no reader is asked to make sense: it is only to be a picture.
        let code = try QRCode(text)
        try Data(try code.png(scale: scale)).write(to: picture)
        guard scale > 1 else { return }

        let reader = Process()
        reader.executableURL = URL(filePath: "/usr/bin/zbarimg")
        reader.arguments = ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture.path]
        let output = Pipe()
        reader.standardOutput = output
        reader.standardError = FileHandle.nullDevice
        try reader.run()
        let seen = try output.fileHandleForReading.readToEnd() ?? Data()
        reader.waitUntilExit()

        #expect(String(decoding: seen, as: UTF8.self) == text + "\n")
    }

    @Test("What does not fit is refused", arguments: ["", String(repeating: "x", count: 5000)])
    func refused(text: String) {
        #expect(throws: QRCode.Problem.text) { try QRCode(text) }
    }
}
