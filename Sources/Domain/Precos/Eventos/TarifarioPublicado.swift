/// A unit has a new version of its tariff, for bookings that begin on `vigenteDesde` (local date) or later.
package struct TarifarioPublicado: Evento {
    package static let tipo = "precos.TarifarioPublicado"

    package let unidade: UnidadeID
    package let versao: VersaoDeRegra
    package let vigenteDesde: DataCivil
    package let tarifas: [Tarifa]
    package let multiplicadores: [Multiplicador]
    package let em: Instante

    package init(
        unidade: UnidadeID,
        versao: VersaoDeRegra,
        vigenteDesde: DataCivil,
        tarifas: [Tarifa],
        multiplicadores: [Multiplicador],
        em: Instante
    ) {
        self.unidade = unidade
        self.versao = versao
        self.vigenteDesde = vigenteDesde
        self.tarifas = tarifas
        self.multiplicadores = multiplicadores
        self.em = em
    }

    private enum CodingKeys: String, CodingKey {
        case unidade
        case versao
        case vigenteDesde = "vigente_desde"
        case tarifas
        case multiplicadores
        case em
    }
}
