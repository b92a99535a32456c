/// How somebody wants to be told things; all of it, replacing what was before.
package struct PreferenciasDefinidas: Evento {
    package static let tipo = "notificacoes.PreferenciasDefinidas"

    package let usuario: UsuarioID
    package let idioma: IdiomaDoAviso
    /// By kind; a kind that is not named goes where it goes by default.
    package let escolhas: [EscolhaDeCanais]
    package let silencio: HorasDeSilencio?
    package let telefone: Selado?
    package let dispositivo: Selado?
    package let em: Instante

    package init(
        usuario: UsuarioID,
        idioma: IdiomaDoAviso,
        escolhas: [EscolhaDeCanais],
        silencio: HorasDeSilencio? = nil,
        telefone: Selado? = nil,
        dispositivo: Selado? = nil,
        em: Instante
    ) {
        self.usuario = usuario
        self.idioma = idioma
        self.escolhas = escolhas
        self.silencio = silencio
        self.telefone = telefone
        self.dispositivo = dispositivo
        self.em = em
    }
}
