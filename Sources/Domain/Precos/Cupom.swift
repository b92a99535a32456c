/// What is known of a coupon: the stream `cupom-{codigo}`.
package enum Cupom: EstadoDeFluxo, Hashable {
    case inexistente
    case ativo(DadosDoCupom)
    case desativado(DadosDoCupom)

    package static let inicial = Cupom.inexistente

    package consuming func evoluindo(com evento: EventoDePrecos) -> Cupom {
        switch evento {
        case .cupomCriado(let criacao): .ativo(DadosDoCupom(codigo: criacao.codigo, termos: criacao.termos, usos: [:]))
        case .cupomUsado(let uso): mudando { $0.usos[uso.reserva] = UsoDoCupom(usuario: uso.usuario, desconto: uso.desconto) }
        case .cupomDevolvido(let devolucao): mudando { $0.usos[devolucao.reserva] = nil }
        case .cupomDesativado: dados.map(Cupom.desativado) ?? .inexistente
        case .tarifarioPublicado, .planoPublicado, .assinaturaIniciada, .assinaturaRenovada, .planoTrocado, .trocaDePlanoMarcada,
            .trocaDePlanoDesfeita, .assinaturaCancelada,
            .creditosConcedidos, .creditosConsumidos, .creditosDevolvidos:
            self
        }
    }

    /// What the coupon is, active or not; `nil` when there is none.
    package var dados: DadosDoCupom? {
        switch self {
        case .inexistente: nil
        case .ativo(let dados), .desativado(let dados): dados
        }
    }

    /// In place, where nobody else holds the coupon: up to ten thousand bookings use one.
    private consuming func mudando(_ mudanca: (inout DadosDoCupom) -> Void) -> Cupom {
        switch consume self {
        case .inexistente: return .inexistente
        case .ativo(var dados):
            mudanca(&dados)
            return .ativo(dados)
        case .desativado(var dados):
            mudanca(&dados)
            return .desativado(dados)
        }
    }
}

/// What a coupon is, and who uses it.
package struct DadosDoCupom: Hashable, Sendable {
    package let codigo: CodigoDoCupom
    package let termos: TermosDoCupom
    /// The bookings that use it now.
    package fileprivate(set) var usos: [ReservaID: UsoDoCupom]

    package func usos(de usuario: UsuarioID) -> Int {
        usos.values.count { $0.usuario == usuario }
    }
}

/// A booking's use of a coupon.
package struct UsoDoCupom: Hashable, Sendable {
    /// Whose booking it is.
    package let usuario: UsuarioID
    package let desconto: Dinheiro
}

/// A coupon that may be used for a booking, as far as it can be told before the price.
package struct CupomAplicavel: Hashable, Sendable {
    package let codigo: CodigoDoCupom
    let desconto: DescontoDoCupom
    let valorMinimo: Dinheiro?
    /// Whether it is simply not used below its minimum: by a booking that has it already and moves to a cheaper time.
    var dispensavel = false
}

extension Cupom {
    /// The coupon, if a member may use it for a new booking of a space.
    /// - Parameters:
    ///   - usuario: Whose booking it would be; `nil` for who only asks for a price, to whom no limit of a member applies.
    ///   - hoje: The date of the unit on which the booking is made.
    package func aplicavel(
        codigo: CodigoDoCupom,
        espaco: EspacoID,
        tipo: TipoDeEspaco,
        usuario: UsuarioID?,
        hoje: DataCivil
    ) throws(RecusaDePrecos) -> CupomAplicavel {
        let dados: DadosDoCupom
        switch self {
        case .inexistente: throw .cupomInexistente(codigo)
        case .desativado: throw .cupomDesativado
        case .ativo(let ativo): dados = ativo
        }
        let termos = dados.termos
        if let comeco = termos.validoDe, hoje < comeco { throw .cupomAindaNaoVale(desde: comeco) }
        if let fim = termos.validoAte, hoje > fim { throw .cupomVencido(ate: fim) }
        guard termos.serve(espaco, tipo: tipo) else { throw .cupomDeOutroEspaco }
        guard dados.usos.count < termos.limiteDeUsos else { throw .cupomEsgotado }
        if let usuario, let limite = termos.limitePorMembro, dados.usos(de: usuario) >= limite { throw .cupomJaUsado(vezes: limite) }
        return CupomAplicavel(codigo: dados.codigo, desconto: termos.desconto, valorMinimo: termos.valorMinimo)
    }

    /// The coupon for a booking that uses it already and only moves: it keeps what it has, whatever its date or limits say by now, as long as
    /// the price is not below its minimum.
    func mantido(por reserva: ReservaID) -> CupomAplicavel? {
        guard let dados, dados.usos[reserva] != nil else { return nil }
        return CupomAplicavel(
            codigo: dados.codigo, desconto: dados.termos.desconto, valorMinimo: dados.termos.valorMinimo, dispensavel: true
        )
    }
}
