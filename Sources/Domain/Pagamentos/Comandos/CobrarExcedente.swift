/// Charges who stayed on after a booking; once.
package struct CobrarExcedente: Hashable, Sendable {
    /// How long it can be paid at the provider. It is owed for longer, and the desk takes it still.
    static let prazo = Duracao.horas(30 * 24)

    package let agora: Instante

    package init(agora: Instante) {
        self.agora = agora
    }

    /// - Parameter pagamento: The stream of the charge of `CausaDaCobranca.excedente`.
    package func decidir(excedente: Excedente, pagamento: Pagamento) -> [EventosDoFluxo] {
        guard case .apurado(let apurado) = excedente, apurado.valor > .zero, case .inexistente = pagamento else { return [] }
        let causa = CausaDaCobranca.excedente(apurado.reserva)
        let criada = CobrancaCriada(
            pagamento: causa.pagamento,
            causa: causa,
            usuario: apurado.usuario,
            unidade: apurado.unidade,
            valor: apurado.valor,
            expiraEm: agora + Self.prazo,
            em: agora
        )
        return [EventosDoFluxo(.pagamento(causa.pagamento), pagamentos: .cobrancaCriada(criada))]
    }
}
