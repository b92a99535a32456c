import Clibpng
import Clibqrencode

/// A QR code as a picture.
package struct QRCode: Sendable {
    /// Why there is no picture.
    package enum Problem: Error, Sendable, Equatable {
        /// The text does not fit into a QR code, or is empty.
        case text
        case picture
    }

    /// Modules of white around the code that readers need (ISO/IEC 18004).
    private static let margin = 4
    /// Longer texts than a BR Code or a check-in code has are refused before any work is done.
    private static let longest = 1024

    /// Modules a side, without the margin.
    private let width: Int
    /// Row after row; true is black.
    private let modules: [Bool]

    /// Error correction of level M: a seventh may be damaged.
    package init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        guard (1...Self.longest).contains(bytes.count),
            let code = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { throw .text }
        // Ours alone until it is freed here; it has width × width bytes, of which the lowest bit is the module.
        defer { unsafe QRcode_free(code) }
        let width = unsafe Int(code.pointee.width)
        self.width = width
        modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// A greyscale PNG.
    ///
    /// - Parameter scale: pixels a side of a module, 1 to 32.
    package func png(scale: Int = 6) throws(Problem) -> [UInt8] {
        precondition((1...32).contains(scale), "a module has 1 to 32 pixels a side")
        let side = (width + 2 * Self.margin) * scale
        var pixels = [UInt8](repeating: 0xFF, count: side * side)
        for row in 0..<width {
            for column in 0..<width where modules[row * width + column] {
                for line in 0..<scale {
                    let start = ((row + Self.margin) * scale + line) * side + (column + Self.margin) * scale
                    for pixel in start..<(start + scale) { pixels[pixel] = 0 }
                }
            }
        }
        return try Self.encode(pixels, side: side)
    }

    private static func encode(_ pixels: [UInt8], side: Int) throws(Problem) -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe image.width = png_uint_32(side)
        unsafe image.height = png_uint_32(side)
        // One byte a pixel, 0 is black: PNG_FORMAT_GRAY, which is no flag at all.
        unsafe image.format = 0
        var size: png_alloc_size_t = 0
        guard unsafe png_image_write_to_memory(&image, nil, &size, 0, pixels, 0, nil) != 0, size > 0 else { throw .picture }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        guard unsafe png_image_write_to_memory(&image, &bytes, &size, 0, pixels, 0, nil) != 0 else { throw .picture }
        return Array(bytes.prefix(Int(size)))
    }
}
