/// Publishes the next version of a unit's tariff. Bookings already made keep their price.
package struct PublicarTarifario: Hashable, Sendable {
    package let unidade: UnidadeID
    /// The local date of the first start it applies to.
    package let vigenteDesde: DataCivil
    package let tarifas: [Tarifa]
    /// No two may hold at one moment.
    package let multiplicadores: [Multiplicador]
    package let por: Autoridade
    package let agora: Instante

    package init(
        unidade: UnidadeID,
        vigenteDesde: DataCivil,
        tarifas: [Tarifa],
        multiplicadores: [Multiplicador],
        por: Autoridade,
        agora: Instante
    ) {
        self.unidade = unidade
        self.vigenteDesde = vigenteDesde
        self.tarifas = tarifas
        self.multiplicadores = multiplicadores
        self.por = por
        self.agora = agora
    }

    /// The highest hourly rate and daily cap: ten million reais.
    private static let maximo = Dinheiro(centavos: 1_000_000_000)

    package func decidir(tarifario: Tarifario) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        guard por.gere(em: unidade) else { throw .soGestor }
        try validar()
        let ultima = tarifario.versoes.last
        if let ultima, ultima.vigenteDesde == vigenteDesde, ultima.tarifas == tarifas, ultima.multiplicadores == multiplicadores {
            return []
        }
        let publicacao = TarifarioPublicado(
            unidade: unidade,
            versao: (ultima?.versao ?? .nenhuma).seguinte,
            vigenteDesde: vigenteDesde,
            tarifas: tarifas,
            multiplicadores: multiplicadores,
            em: agora
        )
        return [EventosDoFluxo(.tarifario(unidade), precos: .tarifarioPublicado(publicacao))]
    }

    private func validar() throws(RecusaDePrecos) {
        let alvos = Set(tarifas.map(\.alvo))
        guard (1...1_000).contains(tarifas.count), alvos.count == tarifas.count else { throw .campoInvalido(.tarifas) }
        let precos = Dinheiro.zero...Self.maximo
        guard tarifas.allSatisfy({ precos.contains($0.valorHora) }) else { throw .campoInvalido(.valorHora) }
        guard tarifas.allSatisfy({ precos.contains($0.tetoDiario ?? .zero) }) else { throw .campoInvalido(.tetoDiario) }
        let corretos = multiplicadores.allSatisfy { multiplicador in
            multiplicador.nome.temConteudo(ate: 60) && !multiplicador.dias.isEmpty && (0...10_000).contains(multiplicador.milesimos)
        }
        let colidem = multiplicadores.indices.contains { indice in
            multiplicadores[..<indice].contains { $0.colide(com: multiplicadores[indice]) }
        }
        guard corretos, !colidem, multiplicadores.count <= 100 else { throw .campoInvalido(.multiplicadores) }
    }
}
