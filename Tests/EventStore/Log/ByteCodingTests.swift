import FoundationEssentials
import Testing

@testable import EventStore

@Suite struct ByteCodingTests {
    @Test func `what is written is read`() throws {
        // given
        let id = UUID()
        var writer = ByteWriter()
        writer.write(UInt8(200))
        writer.write(Int8(-3))
        writer.write(Int16.min)
        writer.write(Int32(-70_000))
        writer.write(Int64.min)
        writer.write(Int64.max)
        writer.write(id)
        writer.write([1, 2, 3] as [UInt8])
        writer.write("ação\u{0}🙂")
        // when
        var reader = ByteReader(writer.bytes)
        // then
        #expect(try reader.read(UInt8.self) == 200)
        #expect(try reader.read(Int8.self) == -3)
        #expect(try reader.read(Int16.self) == .min)
        #expect(try reader.read(Int32.self) == -70_000)
        #expect(try reader.read(Int64.self) == .min)
        #expect(try reader.read(Int64.self) == .max)
        #expect(try reader.readUUID() == id)
        #expect(try reader.readBytes() == [1, 2, 3])
        #expect(try reader.readString() == "ação\u{0}🙂")
        #expect(reader.isAtEnd)
        #expect(throws: ByteReader.Malformed.self) { try reader.read(UInt8.self) }
    }

    @Test func `integers are little-endian`() {
        var writer = ByteWriter()
        writer.write(UInt32(0x0102_0304))
        #expect(writer.bytes == [4, 3, 2, 1])
    }

    @Test(
        arguments: [
            [255, 255, 255, 255],  // a length of four gigabytes
            [5, 0, 0, 0, 1, 2],  // longer than what follows
            [2, 0, 0],  // a length cut short
            [],
        ] as [[UInt8]])
    func `a length that cannot be is an error`(_ bytes: [UInt8]) {
        var asBytes = ByteReader(bytes)
        #expect(throws: ByteReader.Malformed.self) { try asBytes.readBytes() }
        var asText = ByteReader(bytes)
        #expect(throws: ByteReader.Malformed.self) { try asText.readString() }
        var asCount = ByteReader(bytes)
        #expect(throws: ByteReader.Malformed.self) { try asCount.readCount(minimumSize: 4) }
    }

    @Test func `text that is not UTF-8 is an error`() {
        var reader = ByteReader([2, 0, 0, 0, 0xC3, 0x28])
        #expect(throws: ByteReader.Malformed.self) { try reader.readString() }
    }
}
