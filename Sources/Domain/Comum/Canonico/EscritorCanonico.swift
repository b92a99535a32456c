/// Writes values in the form that `CargaCanonica` reads, which is Foundation's with sorted keys and slashes as they are. It writes what
/// events are made of; when it is asked for more (fractions, encoders for superclasses, containers that are filled later) it
/// gives up, and Foundation has to write.
///
/// Foundation writes 100,000 `HorarioOcupado` and 14,000 `ReservaSolicitada` a second and core, this 230,000 and 29,000. Writing
/// JSON was six percent of what a booking costs (benchmarks/README.md).
final class EscritorCanonico {
    var rascunho = RascunhoCanonico()

    /// The bytes of one value; `nil` when Foundation has to write it, or to say what is wrong.
    static func escrever(_ valor: some Encodable) -> [UInt8]? {
        let escritor = EscritorCanonico()
        guard (try? escritor.escrever(valor, membro: nil)) != nil, !escritor.rascunho.desistiu else { return nil }
        return escritor.rascunho.bytes
    }

    /// Writes a member of the object that is being written, an element of the list, or the value that is all.
    func escrever(_ valor: some Encodable, membro chave: String?) throws {
        try rascunho.comecar(membro: chave)
        try valor.encode(to: CodificadorCanonico(escritor: self))
        rascunho.terminar()
    }
}

/// The bytes so far, and the values that are not complete yet.
struct RascunhoCanonico {
    private enum Especie {
        case nenhuma
        case escalar
        case lista
        case objeto
    }

    /// A value that is being written: where it begins, the first of its members, and its key in the object around it.
    private struct Quadro {
        let inicio: Int
        let primeiroMembro: Int
        let chave: String?
        var especie = Especie.nenhuma
    }

    /// A member of an object: its key, and where its value stands until the object is put in order.
    private struct Membro {
        let chave: String
        let valor: Range<Int>
    }

    private(set) var bytes: [UInt8] = []
    private(set) var desistiu = false
    private var ordenados: [UInt8] = []
    private var membros: [Membro] = []
    private var quadros: [Quadro] = []

    init() {
        bytes.reserveCapacity(1_024)
    }

    mutating func desistir() {
        desistiu = true
    }

    mutating func comecar(membro chave: String?) throws(ForaDaForma) {
        // Our events are six deep; the limit keeps a value that holds itself off the stack.
        guard quadros.count < 64 else { throw ForaDaForma() }
        if chave == nil { separar() }
        quadros.append(Quadro(inicio: bytes.count, primeiroMembro: membros.count, chave: chave))
    }

    mutating func terminar() {
        let quadro = quadros.removeLast()
        switch quadro.especie {
        case .nenhuma: desistir()
        case .escalar: break
        case .lista:
            if bytes.count == quadro.inicio { bytes.append(UInt8(ascii: "[")) }
            bytes.append(UInt8(ascii: "]"))
        case .objeto: ordenar(quadro)
        }
        if let chave = quadro.chave { membros.append(Membro(chave: chave, valor: quadro.inicio..<bytes.count)) }
    }

    /// Says what the value being written is. Two containers of one kind add to the same object or list.
    mutating func abrir(lista: Bool) {
        let especie = lista ? Especie.lista : .objeto
        let ultimo = quadros.count - 1
        switch quadros[ultimo].especie {
        case especie: break
        case .nenhuma: quadros[ultimo].especie = especie
        default: desistir()
        }
    }

    /// Writes the whole of the value being written.
    mutating func escrever(_ valor: some EscalarCanonico) {
        let ultimo = quadros.count - 1
        if quadros[ultimo].especie != .nenhuma { desistir() }
        quadros[ultimo].especie = .escalar
        valor.escrever(em: &bytes)
    }

    /// Writes a member of the object that is being written.
    mutating func escrever(_ valor: some EscalarCanonico, membro chave: String) {
        let inicio = bytes.count
        valor.escrever(em: &bytes)
        membros.append(Membro(chave: chave, valor: inicio..<bytes.count))
    }

    /// Writes an element of the list that is being written.
    mutating func escrever(elemento valor: some EscalarCanonico) {
        separar()
        valor.escrever(em: &bytes)
    }

    /// What stands before an element. Before the value that is all there is nothing.
    private mutating func separar() {
        guard let quadro = quadros.last else { return }
        bytes.append(UInt8(ascii: bytes.count == quadro.inicio ? "[" : ","))
    }

    private mutating func ordenar(_ quadro: Quadro) {
        let meus = quadro.primeiroMembro..<membros.count
        membros[meus].sort { $0.chave < $1.chave }
        ordenados.removeAll(keepingCapacity: true)
        for indice in meus {
            let membro = membros[indice]
            // Of one key twice Foundation keeps the last, and in letters beyond ASCII its order is not that of strings.
            if indice > meus.lowerBound, membros[indice - 1].chave == membro.chave { desistir() }
            if !membro.chave.utf8.allSatisfy({ $0 < 0x80 }) { desistir() }
            ordenados.append(UInt8(ascii: indice == meus.lowerBound ? "{" : ","))
            membro.chave.escrever(em: &ordenados)
            ordenados.append(UInt8(ascii: ":"))
            ordenados.append(contentsOf: bytes[membro.valor])
        }
        if meus.isEmpty { ordenados.append(UInt8(ascii: "{")) }
        ordenados.append(UInt8(ascii: "}"))
        membros.removeSubrange(meus)
        bytes.removeSubrange(quadro.inicio...)
        bytes.append(contentsOf: ordenados)
    }
}
