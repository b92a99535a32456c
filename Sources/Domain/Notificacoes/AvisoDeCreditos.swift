/// What somebody is told of credits of theirs that will expire.
package struct AvisoDeCreditos: Hashable, Sendable {
    /// How long before a lot expires its owner is told: a week, so that whoever books by days of the week can still use each of them once.
    package static let antecedencia = Duracao.horas(7 * 24)

    package let restantes: Minutos
    package let expiraEm: Instante
    private let zona: ZonaHoraria

    /// - Parameter zona: On whose wall clock that is told.
    init(restantes: Minutos, expiraEm: Instante, zona: ZonaHoraria) {
        self.restantes = restantes
        self.expiraEm = expiraEm
        self.zona = zona
    }

    /// What there is to tell of a lot at a moment; nil where nothing of it is left, where it never expires, and where it has expired, or
    /// was ended, by then.
    package init?(lote: LoteID, de carteira: CarteiraDeCreditos, em agora: Instante, zona: ZonaHoraria) {
        guard let lote = carteira.lotes.first(where: { $0.id == lote }), let expiraEm = lote.expiraEm, lote.vale(em: agora),
            let restantes = Minutos(lote.restantes), restantes > .zero
        else { return nil }
        self.init(restantes: restantes, expiraEm: expiraEm, zona: zona)
    }

    /// When the owner of a lot is told of it: at once, where it does not last so long; nil where it never expires.
    package static func quando(_ concessao: CreditosConcedidos) -> Instante? {
        concessao.expiraEm.map { max(concessao.em, $0 - antecedencia) }
    }

    func titulo(em idioma: Idioma) -> String {
        idioma.escolher("Créditos a expirar: \(horas)", "Credits about to expire: \(horas)")
    }

    func texto(em idioma: Idioma) -> String {
        let ate = zona.extenso(expiraEm, em: idioma)
        return idioma.escolher(
            "Você ainda tem \(horas) de créditos que só valem para reservas feitas até \(ate).",
            "You still have \(horas) of credits that only count for bookings made until \(ate)."
        )
    }

    func linhas(em idioma: Idioma) -> [LinhaDoAviso] {
        [
            LinhaDoAviso(idioma.escolher("Créditos", "Credits"), horas),
            LinhaDoAviso(idioma.escolher("Expiram em", "Expire on"), "\(zona.extenso(expiraEm, em: idioma)) (\(zona.nome))"),
        ]
    }

    /// `90 min` as `1 h 30 min`: credits are hours of a seat, never days.
    private var horas: String {
        let (horas, minutos) = restantes.valor.quotientAndRemainder(dividingBy: 60)
        return [horas > 0 ? "\(horas) h" : nil, minutos > 0 ? "\(minutos) min" : nil].compactMap(\.self).joined(separator: " ")
    }
}
