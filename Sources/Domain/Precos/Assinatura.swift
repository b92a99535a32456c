/// What is known of a member's plan and credits: the stream `assinatura-{usuario}`. Credits may be there without a subscription.
package struct Assinatura: EstadoDeFluxo, Hashable {
    package enum Situacao: Hashable, Sendable {
        case nenhuma
        case ativa(DadosDaAssinatura)
        /// Not renewed any more: what it gives, it gives until `terminaEm`.
        case cancelada(DadosDaAssinatura, terminaEm: Instante)
    }

    package private(set) var situacao: Situacao
    package private(set) var carteira: CarteiraDeCreditos

    package static let inicial = Assinatura(situacao: .nenhuma, carteira: .vazia)

    package func evoluindo(com evento: EventoDePrecos) -> Assinatura {
        var nova = self
        switch evento {
        case .assinaturaIniciada(let inicio):
            nova.situacao = .ativa(
                DadosDaAssinatura(
                    usuario: inicio.usuario,
                    plano: inicio.plano,
                    planoVersao: inicio.planoVersao,
                    mensalidade: inicio.mensalidade,
                    periodo: inicio.periodo,
                    desde: inicio.em
                )
            )
        case .assinaturaRenovada(let renovacao): nova.renovar(renovacao)
        case .planoTrocado(let troca): nova.trocar(troca)
        case .trocaDePlanoMarcada(let troca): nova.mudar { $0.seguinte = troca.para }
        case .trocaDePlanoDesfeita: nova.mudar { $0.seguinte = nil }
        case .assinaturaCancelada(let fim):
            if let dados { nova.situacao = .cancelada(dados, terminaEm: fim.terminaEm) }
            nova.carteira.encerrar(fim.lotesEncerrados ?? [], em: fim.terminaEm)
        case .creditosConcedidos(let concessao): nova.carteira.conceder(concessao)
        case .creditosConsumidos(let consumo): nova.carteira.consumir(consumo)
        case .creditosDevolvidos(let devolucao): nova.carteira.receber(devolucao)
        case .tarifarioPublicado, .planoPublicado, .cupomCriado, .cupomUsado, .cupomDevolvido, .cupomDesativado: break
        }
        return nova
    }

    /// The subscription, cancelled or not; `nil` where there never was one.
    package var dados: DadosDaAssinatura? {
        switch situacao {
        case .nenhuma: nil
        case .ativa(let dados), .cancelada(let dados, _): dados
        }
    }

    /// Whether it gives its plan at a moment. One whose renewal is late by a moment still does.
    package func vigora(em agora: Instante) -> Bool {
        switch situacao {
        case .nenhuma: false
        case .ativa: true
        case .cancelada(_, let terminaEm): agora < terminaEm
        }
    }

    /// The plan that prices are computed with.
    package func plano(em agora: Instante) -> PlanoID {
        vigora(em: agora) ? dados?.plano ?? .basic : .basic
    }

    private mutating func mudar(_ mudanca: (inout DadosDaAssinatura) -> Void) {
        guard case .ativa(var dados) = situacao else { return }
        mudanca(&dados)
        situacao = .ativa(dados)
    }

    private mutating func trocar(_ troca: PlanoTrocado) {
        mudar { dados in
            dados.plano = troca.para
            dados.planoVersao = troca.paraVersao
            dados.mensalidade = troca.paraMensalidade
            dados.trocadaEm = troca.periodo.inicio
            dados.seguinte = nil
        }
    }

    private mutating func renovar(_ renovacao: AssinaturaRenovada) {
        guard let dados else { return }
        situacao = .ativa(
            DadosDaAssinatura(
                usuario: dados.usuario,
                plano: renovacao.plano,
                planoVersao: renovacao.planoVersao,
                mensalidade: renovacao.mensalidade,
                periodo: renovacao.periodo,
                desde: dados.desde
            )
        )
    }
}

/// What a subscription is.
package struct DadosDaAssinatura: Hashable, Sendable {
    package let usuario: UsuarioID
    package fileprivate(set) var plano: PlanoID
    package fileprivate(set) var planoVersao: VersaoDeRegra
    /// Of the current period, for all its days.
    package fileprivate(set) var mensalidade: Dinheiro
    package let periodo: PeriodoDaAssinatura
    package let desde: Instante
    /// The plan that it has when it renews, where that is another.
    package fileprivate(set) var seguinte: PlanoID?
    /// When the plan last changed within the period, if it did: the beginning of what is paid for since.
    package fileprivate(set) var trocadaEm: Instante?

    init(
        usuario: UsuarioID,
        plano: PlanoID,
        planoVersao: VersaoDeRegra,
        mensalidade: Dinheiro,
        periodo: PeriodoDaAssinatura,
        desde: Instante
    ) {
        self.usuario = usuario
        self.plano = plano
        self.planoVersao = planoVersao
        self.mensalidade = mensalidade
        self.periodo = periodo
        self.desde = desde
    }

    /// How long after a period begins its fee is due.
    static let prazoDoPagamento = Duracao.horas(5 * 24)
}

/// Why a subscription ends.
package enum MotivoDoFimDaAssinatura: String, Sendable, Codable {
    case membro
    case operador
    /// Its owner was erased.
    case contaApagada = "conta_apagada"
    /// Its owner was blocked when it was to be renewed.
    case contaBloqueada = "conta_bloqueada"
    /// Its fee was not paid in time.
    case faltaDePagamento = "falta_de_pagamento"
}
