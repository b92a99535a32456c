/// A session is over. Lives in the stream of the session.
package struct SessaoRevogada: Evento {
    package static let tipo = "usuarios.SessaoRevogada"

    package let sessao: SessaoID
    package let usuario: UsuarioID
    package let motivo: MotivoDeRevogacao
    package let em: Instante

    package init(
        sessao: SessaoID,
        usuario: UsuarioID,
        motivo: MotivoDeRevogacao,
        em: Instante
    ) {
        self.sessao = sessao
        self.usuario = usuario
        self.motivo = motivo
        self.em = em
    }
}
