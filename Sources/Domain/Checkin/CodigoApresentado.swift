/// A code that was shown at the desk, after its signature was found good.
package struct CodigoApresentado: Hashable, Sendable {
    package let id: CodigoID
    package let reserva: ReservaID
    /// From then on it opens nothing.
    package let vence: Instante

    package init(
        id: CodigoID,
        reserva: ReservaID,
        vence: Instante
    ) {
        self.id = id
        self.reserva = reserva
        self.vence = vence
    }

    func exigirValido(em agora: Instante) throws(RecusaDeCheckin) {
        guard agora < vence else { throw .codigoVencido }
    }
}
