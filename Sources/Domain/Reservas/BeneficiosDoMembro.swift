/// What a booking draws on besides money: the plan and the credits of its member, and a coupon. The streams of both are worth guarding
/// in the append, and are written to where something is taken or given back.
package struct BeneficiosDoMembro: Hashable, Sendable {
    /// Whose they are; `nil` for who only asks for a price.
    package let usuario: UsuarioID?
    package let assinatura: Assinatura
    /// The coupon asked for, or the one that the booking uses already.
    package let codigo: CodigoDoCupom?
    /// The state of the stream of `codigo`.
    package let cupom: Cupom
    /// Whether bookings may use only what they use already: for several that are decided at once, which could otherwise all reckon
    /// with the same credits.
    package let apenasEmUso: Bool

    package init(
        usuario: UsuarioID?,
        assinatura: Assinatura,
        codigo: CodigoDoCupom? = nil,
        cupom: Cupom = .inicial,
        apenasEmUso: Bool = false
    ) {
        self.usuario = usuario
        self.assinatura = assinatura
        self.codigo = codigo
        self.cupom = cupom
        self.apenasEmUso = apenasEmUso
    }

    /// The same, for several bookings that are decided at once.
    package var paraVarias: BeneficiosDoMembro {
        BeneficiosDoMembro(usuario: usuario, assinatura: assinatura, codigo: codigo, cupom: cupom, apenasEmUso: true)
    }

    package static let nenhum = BeneficiosDoMembro(usuario: nil, assinatura: .inicial)

    private var carteira: CarteiraDeCreditos { assinatura.carteira }

    /// What a price may draw on.
    /// - Parameters:
    ///   - movendo: A booking that only moves: what it uses already it may use again, and it keeps its coupon.
    ///   - hoje: The date of the unit on which the booking is made.
    package func paraCotar(
        espaco: EspacoID,
        tipo: TipoDeEspaco,
        movendo: ReservaID?,
        hoje: DataCivil,
        agora: Instante
    ) throws(RecusaDePrecos) -> BeneficiosDaCotacao {
        guard let movendo else {
            let aplicavel = try codigo.map { codigo throws(RecusaDePrecos) in
                try cupom.aplicavel(codigo: codigo, espaco: espaco, tipo: tipo, usuario: usuario, hoje: hoje)
            }
            return BeneficiosDaCotacao(creditos: saldo(em: agora), cupom: aplicavel)
        }
        return BeneficiosDaCotacao(
            creditos: carteira.usados(por: movendo) + saldo(em: agora),
            cupom: cupom.mantido(por: movendo)
        )
    }

    private func saldo(em agora: Instante) -> Int {
        apenasEmUso ? 0 : carteira.saldo(em: agora)
    }

    /// What is taken, or given back, so that a booking uses what its quote says.
    /// - Parameter devolvendo: Which share of the credits that it uses no more comes back.
    func ajuste(
        de reserva: ReservaID,
        para cotacao: Cotacao,
        devolvendo percentual: Percentual = .todo,
        em agora: Instante
    ) -> [EventosDoFluxo] {
        guard let usuario else { return [] }
        return creditos(usuario, reserva, cotacao.creditos?.valor ?? 0, percentual, agora) + cupom(usuario, reserva, cotacao, agora)
    }

    private func creditos(
        _ usuario: UsuarioID,
        _ reserva: ReservaID,
        _ minutos: Int,
        _ percentual: Percentual,
        _ agora: Instante
    ) -> [EventosDoFluxo] {
        let usados = carteira.usados(por: reserva)
        if minutos > usados {
            let lotes = carteira.tirar(minutos - usados, em: agora)
            let consumo = CreditosConsumidos(usuario: usuario, reserva: reserva, lotes: lotes, em: agora)
            return [EventosDoFluxo(.assinatura(usuario), precos: .creditosConsumidos(consumo))]
        }
        return devolucao(usuario, reserva, carteira.devolver((usados - minutos) * percentual.valor / 100, de: reserva), nil, agora)
    }

    private func cupom(_ usuario: UsuarioID, _ reserva: ReservaID, _ cotacao: Cotacao, _ agora: Instante) -> [EventosDoFluxo] {
        guard let dados = cupom.dados else { return [] }
        switch (dados.usos[reserva] != nil, cotacao.cupom == dados.codigo) {
        case (true, true), (false, false): return []
        case (true, false): return cupomDevolvido(reserva, agora)
        case (false, true):
            let uso = CupomUsado(
                codigo: dados.codigo,
                reserva: reserva,
                usuario: usuario,
                desconto: cotacao.descontoDoCupom,
                em: agora
            )
            return [EventosDoFluxo(.cupom(dados.codigo), precos: .cupomUsado(uso))]
        }
    }

    /// What a booking that is given up gives back: that share of its credits, and its coupon where it gives back everything.
    /// - Parameter confirmados: How many of the minutes had it stand, where not all did: the others come back whatever the share is.
    func devolucao(
        de reserva: ReservaID,
        _ percentual: Percentual,
        confirmados: Int = .max,
        em agora: Instante
    ) -> [EventosDoFluxo] {
        guard let usuario else { return [] }
        let usados = carteira.usados(por: reserva)
        let firmes = min(confirmados, usados)
        let lotes = carteira.devolver(usados - firmes + firmes * percentual.valor / 100, de: reserva)
        return devolucao(usuario, reserva, lotes, percentual, agora) + (percentual == .todo ? cupomDevolvido(reserva, agora) : [])
    }

    /// Takes again what a booking gave back when it expired, for one that is paid for all the same. All of it, or a refusal.
    package func retomada(por dados: DadosDaReserva, em agora: Instante) throws(RecusaDePrecos) -> [EventosDoFluxo] {
        let falta = (dados.cotacao.creditos?.valor ?? 0) - carteira.usados(por: dados.reserva)
        guard falta <= carteira.saldo(em: agora) else { throw .creditosInsuficientes }
        if let codigo = dados.cotacao.cupom, let cupom = cupom.dados, cupom.usos[dados.reserva] == nil {
            guard cupom.usos.count < cupom.termos.limiteDeUsos else { throw .cupomEsgotado }
            let limite = cupom.termos.limitePorMembro ?? .max
            guard cupom.codigo == codigo, cupom.usos(de: dados.usuario) < limite else { throw .cupomJaUsado(vezes: limite) }
        }
        return ajuste(de: dados.reserva, para: dados.cotacao, em: agora)
    }

    private func devolucao(
        _ usuario: UsuarioID,
        _ reserva: ReservaID,
        _ lotes: [ParcelaDeLote],
        _ percentual: Percentual?,
        _ agora: Instante
    ) -> [EventosDoFluxo] {
        guard !lotes.isEmpty else { return [] }
        let devolucao = CreditosDevolvidos(usuario: usuario, reserva: reserva, lotes: lotes, percentual: percentual, em: agora)
        return [EventosDoFluxo(.assinatura(usuario), precos: .creditosDevolvidos(devolucao))]
    }

    private func cupomDevolvido(_ reserva: ReservaID, _ agora: Instante) -> [EventosDoFluxo] {
        guard let dados = cupom.dados, let uso = dados.usos[reserva] else { return [] }
        let devolucao = CupomDevolvido(
            codigo: dados.codigo,
            reserva: reserva,
            usuario: uso.usuario,
            desconto: uso.desconto,
            em: agora
        )
        return [EventosDoFluxo(.cupom(dados.codigo), precos: .cupomDevolvido(devolucao))]
    }
}

extension DadosDaReserva {
    /// The streams of what the booking draws on: none for one that is paid for with money alone.
    package var fluxosDosBeneficios: [NomeDeFluxo] {
        (cotacao.creditos == nil ? [] : [.assinatura(usuario)]) + (cotacao.cupom.map { [.cupom($0)] } ?? [])
    }
}

extension Reserva {
    /// What a booking that is given up gives back of what it drew on: as large a share as of its money. What was never confirmed was never
    /// sold, be it all of it or the time that it was moved to.
    func devolucao(_ beneficios: BeneficiosDoMembro, como reembolso: Reembolso?, em agora: Instante) -> [EventosDoFluxo] {
        guard let dados else { return [] }
        var confirmados = Int.max
        if case .pendente = self { confirmados = dados.creditosConfirmados }
        let percentual = dados.confirmadaEm == nil ? .todo : reembolso?.percentual ?? .todo
        return beneficios.devolucao(de: dados.reserva, percentual, confirmados: confirmados, em: agora)
    }
}
