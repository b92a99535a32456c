/// The credits of one member: lots of minutes, what bookings use of them, what is left. No lot ever has less than nothing left.
package struct CarteiraDeCreditos: Hashable, Sendable {
    package struct Lote: Hashable, Sendable {
        package let id: LoteID
        package let concedidos: Minutos
        package fileprivate(set) var expiraEm: Instante?
        package let origem: OrigemDosCreditos
        package let concedidoEm: Instante
        fileprivate(set) var usados: Int

        package var restantes: Int { concedidos.valor - usados }

        /// Whether a booking that is made at a moment may use it.
        package func vale(em agora: Instante) -> Bool { expiraEm.map { agora < $0 } ?? true }
    }

    /// The most minutes of one lot: a year.
    static let maiorLote = 527_040

    package static let vazia = CarteiraDeCreditos(lotes: [], usos: [:])

    /// In the order in which they were granted.
    package private(set) var lotes: [Lote]
    /// What each booking uses, oldest use first. A booking that gave part back has the rest here.
    private var usos: [ReservaID: [ParcelaDeLote]]

    private init(lotes: [Lote], usos: [ReservaID: [ParcelaDeLote]]) {
        self.lotes = lotes
        self.usos = usos
    }

    /// The minutes that a booking made at a moment may use.
    package func saldo(em agora: Instante) -> Int {
        lotes.reduce(0) { $0 + ($1.vale(em: agora) ? $1.restantes : 0) }
    }

    /// The lots that a plan included since, and that can still be used; nil where there are none.
    func incluidos(desde inicio: Instante, em agora: Instante) -> [LoteID]? {
        let incluidos = lotes.filter { $0.origem == .plano && $0.concedidoEm >= inicio && $0.vale(em: agora) }.map(\.id)
        return incluidos.isEmpty ? nil : incluidos
    }

    /// The minutes that a booking uses.
    package func usados(por reserva: ReservaID) -> Int {
        usos[reserva, default: []].reduce(0) { $0 + $1.minutos.valor }
    }

    /// Where so many minutes are taken from: what expires first goes first, and of two lots the one that was granted first.
    /// Fewer minutes than asked for where the wallet has no more.
    func tirar(_ minutos: Int, em agora: Instante) -> [ParcelaDeLote] {
        let ordem = lotes.enumerated().filter { $0.element.vale(em: agora) && $0.element.restantes > 0 }.sorted { a, b in
            switch (a.element.expiraEm, b.element.expiraEm) {
            case (let fimDeA?, let fimDeB?) where fimDeA != fimDeB: fimDeA < fimDeB
            case (nil, .some): false
            case (.some, nil): true
            case (nil, nil), (.some, .some): a.offset < b.offset
            }
        }
        var falta = minutos
        return ordem.compactMap { lote in
            let parte = min(falta, lote.element.restantes)
            guard parte > 0, let parcela = Minutos(parte) else { return nil }
            falta -= parte
            return ParcelaDeLote(lote: lote.element.id, minutos: parcela)
        }
    }

    /// What a booking gives back when it gives back a share of what it uses, rounded down to whole minutes.
    func devolver(_ percentual: Percentual, de reserva: ReservaID) -> [ParcelaDeLote] {
        devolver(usados(por: reserva) * percentual.valor / 100, de: reserva)
    }

    /// Which lots get so many minutes of a booking back: what it took last first, since that expires last.
    func devolver(_ minutos: Int, de reserva: ReservaID) -> [ParcelaDeLote] {
        var falta = minutos
        return usos[reserva, default: []].reversed().compactMap { uso in
            let parte = min(falta, uso.minutos.valor)
            guard parte > 0, let parcela = Minutos(parte) else { return nil }
            falta -= parte
            return ParcelaDeLote(lote: uso.lote, minutos: parcela)
        }
    }
}

// MARK: What happened

extension CarteiraDeCreditos {
    mutating func conceder(_ concessao: CreditosConcedidos) {
        lotes.append(
            Lote(
                id: concessao.lote, concedidos: concessao.minutos, expiraEm: concessao.expiraEm, origem: concessao.origem,
                concedidoEm: concessao.em, usados: 0)
        )
    }

    mutating func encerrar(_ ids: [LoteID], em fim: Instante) {
        for posicao in lotes.indices where ids.contains(lotes[posicao].id) { lotes[posicao].expiraEm = fim }
    }

    mutating func consumir(_ consumo: CreditosConsumidos) {
        for parcela in consumo.lotes { mudar(parcela.lote, por: parcela.minutos.valor) }
        usos[consumo.reserva, default: []] += consumo.lotes
    }

    mutating func receber(_ devolucao: CreditosDevolvidos) {
        var restos = usos[devolucao.reserva] ?? []
        for parcela in devolucao.lotes {
            mudar(parcela.lote, por: -parcela.minutos.valor)
            guard let indice = restos.lastIndex(where: { $0.lote == parcela.lote }) else { continue }
            let resto = Minutos(max(0, restos[indice].minutos.valor - parcela.minutos.valor)) ?? .zero
            restos[indice] = ParcelaDeLote(lote: parcela.lote, minutos: resto)
        }
        restos.removeAll { $0.minutos == .zero }
        usos[devolucao.reserva] = restos.isEmpty ? nil : restos
    }

    private mutating func mudar(_ id: LoteID, por minutos: Int) {
        guard let indice = lotes.firstIndex(where: { $0.id == id }) else { return }
        lotes[indice].usados += minutos
    }
}
