/// Somebody wants their bookings to be followed as a calendar, under a new secret.
package struct CompartilharAgenda: Hashable, Sendable {
    package let usuario: UsuarioID
    package let chave: ChaveDeAgenda
    package let agora: Instante

    package init(usuario: UsuarioID, chave: ChaveDeAgenda, agora: Instante) {
        self.usuario = usuario
        self.chave = chave
        self.agora = agora
    }

    package func decidir(conta: Conta, preferencias: Preferencias) throws(RecusaDeUsuarios) -> [EventosDoFluxo] {
        _ = try conta.exigirAtiva()
        guard preferencias.agenda != chave else { return [] }
        let evento = AgendaCompartilhada(usuario: usuario, chave: chave, em: agora)
        return [EventosDoFluxo(.preferencias(usuario), notificacoes: .agendaCompartilhada(evento))]
    }
}

/// Nobody is to follow somebody's bookings as a calendar any more.
package struct RecolherAgenda: Hashable, Sendable {
    package let usuario: UsuarioID
    package let agora: Instante

    package init(usuario: UsuarioID, agora: Instante) {
        self.usuario = usuario
        self.agora = agora
    }

    package func decidir(preferencias: Preferencias) -> [EventosDoFluxo] {
        guard preferencias.agenda != nil else { return [] }
        return [EventosDoFluxo(.preferencias(usuario), notificacoes: .agendaRecolhida(AgendaRecolhida(usuario: usuario, em: agora)))]
    }
}
