import Foundation
import QR
import TestSupport
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
        // Of one pixel a module no reader is asked to make sense: it is only to be a picture.
        let picture = Data(try QRCode(text).png(scale: scale))
        guard scale > 1 else { return }

        #expect(try textOfQRCode(png: picture) == text + "\n")
    }

    @Test("What does not fit is refused", arguments: ["", String(repeating: "x", count: 5000)])
    func refused(text: String) {
        #expect(throws: QRCode.Problem.text) { try QRCode(text) }
    }
}
