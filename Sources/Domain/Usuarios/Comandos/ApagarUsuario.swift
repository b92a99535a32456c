/// Erases a person: their account ends, their address is free again, and their key is deleted by whoever follows the event.
package struct ApagarUsuario: Hashable, Sendable {
    package let usuario: UsuarioID
    package let via: Via
    package let agora: Instante

    package init(
        usuario: UsuarioID,
        via: Via,
        agora: Instante
    ) {
        self.usuario = usuario
        self.via = via
        self.agora = agora
    }

    /// How it comes to be wanted.
    package enum Via: Hashable, Sendable {
        /// The person asks. What they have booked they give up themselves beforehand: what is given back depends on when, and
        /// nobody is to lose money by a button that says nothing of it.
        case proprioPedido
        /// It was done before, and a backup that was put back does not know: nothing is asked any more.
        case repeticao
    }

    /// - Parameters:
    ///   - endereco: The state of the address's stream: `Conta` names it. Not looked at where there is no account.
    ///   - reservas: The person's bookings that may not be over; not looked at in a repetition. What is booked for them while
    ///     this is decided is cancelled afterwards by `CancelarPorApagamento`.
    package func decidir(
        conta: Conta,
        endereco: EnderecoDeEmail,
        reservas: [Reserva]
    ) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        let dados: DadosDaConta
        switch conta {
        case .inexistente: throw .naoEncontrado
        case .apagada: return []
        case .ativa(let conta), .bloqueada(let conta): dados = conta
        }
        if via == .proprioPedido {
            guard dados.papel < .admin else { throw .aindaAdministra }
            let abertas = reservas.count { $0.estaAberta(de: usuario, em: agora) }
            guard abertas == 0 else { throw .reservasEmAberto(abertas) }
        }
        let apagamento = UsuarioApagado(usuario: usuario, por: via == .proprioPedido ? usuario : nil, em: agora)
        var decididos = [EventosDoFluxo(.usuario(usuario), usuarios: .usuarioApagado(apagamento))]
        if endereco == .reservado(usuario) {
            let liberacao = EmailLiberado(usuario: usuario, em: agora)
            decididos.append(EventosDoFluxo(.email(dados.chaveDoEmail), usuarios: .emailLiberado(liberacao)))
        }
        return decididos
    }
}
