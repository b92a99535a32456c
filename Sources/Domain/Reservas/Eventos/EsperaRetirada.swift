/// Who waited, or staff, gave the place in the line up.
package struct EsperaRetirada: Evento {
    package static let tipo = "reservas.EsperaRetirada"

    package let inscricao: EsperaID
    package let usuario: UsuarioID
    package let espaco: EspacoID
    /// The UTC day whose stream this is in.
    package let dia: DataCivil
    package let por: UsuarioID
    package let em: Instante

    package init(
        inscricao: EsperaID,
        usuario: UsuarioID,
        espaco: EspacoID,
        dia: DataCivil,
        por: UsuarioID,
        em: Instante
    ) {
        self.inscricao = inscricao
        self.usuario = usuario
        self.espaco = espaco
        self.dia = dia
        self.por = por
        self.em = em
    }
}
