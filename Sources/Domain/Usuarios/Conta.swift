/// What is known of an account: the stream `usuario-{id}`.
package enum Conta: EstadoDeFluxo {
    case inexistente
    case ativa(DadosDaConta)
    case bloqueada(DadosDaConta)
    /// Nothing of it may be used or changed any more.
    case apagada

    package static let inicial = Conta.inexistente

    package func evoluindo(com evento: EventoDeUsuarios) -> Conta {
        switch evento {
        case .usuarioCadastrado(let cadastro):
            .ativa(
                DadosDaConta(
                    usuario: cadastro.usuario,
                    nome: cadastro.nome,
                    email: cadastro.email,
                    chaveDoEmail: cadastro.chaveDoEmail,
                    senha: cadastro.senha,
                    papel: cadastro.papel
                )
            )
        case .perfilAtualizado(let perfil):
            alterando { dados in
                dados.nome = perfil.nome ?? dados.nome
                dados.email = perfil.email ?? dados.email
                dados.chaveDoEmail = perfil.chaveDoEmail ?? dados.chaveDoEmail
            }
        case .senhaAlterada(let alteracao): alterando { $0.senha = alteracao.senha }
        case .papelAlterado(let alteracao):
            alterando { dados in
                dados.papel = alteracao.para
                dados.unidades = alteracao.unidades.map { Set($0) }
            }
        case .usuarioBloqueado: bloqueada
        case .usuarioDesbloqueado: desbloqueada
        case .usuarioApagado: .apagada
        case .emailReservado, .emailLiberado, .loginRealizado, .sessaoRevogada: self
        }
    }

    private var bloqueada: Conta {
        switch self {
        case .inexistente, .apagada: self
        case .ativa(let dados), .bloqueada(let dados): .bloqueada(dados)
        }
    }

    private var desbloqueada: Conta {
        switch self {
        case .inexistente, .apagada, .ativa: self
        case .bloqueada(let dados): .ativa(dados)
        }
    }

    private func alterando(_ alterar: (inout DadosDaConta) -> Void) -> Conta {
        switch self {
        case .inexistente, .apagada:
            return self
        case .ativa(var dados):
            alterar(&dados)
            return .ativa(dados)
        case .bloqueada(var dados):
            alterar(&dados)
            return .bloqueada(dados)
        }
    }

    /// What the account holds when it may be used; otherwise why not.
    package func exigirAtiva() throws(RecusaDeUsuarios) -> DadosDaConta {
        switch self {
        case .inexistente, .apagada: throw .naoEncontrado
        case .bloqueada: throw .contaBloqueada
        case .ativa(let dados): return dados
        }
    }

    /// What every command in a person's name rests on: that the account may be used, with a role as wide as the one claimed, in all the
    /// units that it is claimed for. A token claims what the person had when it was issued.
    package func exigir(_ alegado: Ator) throws(RecusaDeUsuarios) {
        guard try exigirAtiva().ator.cobre(alegado) else { throw .papelPerdido }
    }
}

/// What an account holds.
package struct DadosDaConta: Hashable, Sendable {
    package let usuario: UsuarioID
    package internal(set) var nome: Selado
    package internal(set) var email: Selado
    package internal(set) var chaveDoEmail: ChaveDeEmail
    /// The PHC string of the password, sealed.
    package internal(set) var senha: Selado
    package internal(set) var papel: Papel
    /// The units that the role is for; nil where it is for all.
    package internal(set) var unidades: Set<UnidadeID>?

    /// Whoever it belongs to, as they may act now.
    package var ator: Ator { Ator(usuario: usuario, papel: papel, unidades: unidades) }
}
