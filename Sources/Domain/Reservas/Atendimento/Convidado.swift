/// Somebody who comes along to a booking, or for whom it was made, and who has no account. Sealed under the key of the booking's owner.
package struct Convidado: Hashable, Sendable, Codable {
    package let nome: Selado
    package let email: Selado?

    package init(nome: Selado, email: Selado? = nil) {
        self.nome = nome
        self.email = email
    }
}

extension Convidado: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        nome = try carga.valor(CodingKeys.nome, de: ficha)
        email = try carga.valorSeHouver(CodingKeys.email, de: ficha)
    }
}
