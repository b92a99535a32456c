/// A booking in words: what, where and when.
package struct ReservaDescrita: Hashable, Sendable {
    package let dados: DadosDaReserva
    package let espaco: String
    package let unidade: String
    package let endereco: String

    package init(dados: DadosDaReserva, espaco: String, unidade: String, endereco: String) {
        self.dados = dados
        self.espaco = espaco
        self.unidade = unidade
        self.endereco = endereco
    }

    /// The space, and the unit it is in.
    package var lugar: String { "\(espaco) (\(unidade))" }

    /// Date and time on the unit's wall clock; the second date only where it is another.
    package func quando(em idioma: Idioma) -> String {
        let (inicio, fim) = (dados.horario.inicioLocal, dados.horario.fimLocal)
        let ate = inicio.data == fim.data ? fim.hora.texto : "\(fim.data.extenso(em: idioma)), \(fim.hora)"
        return "\(inicio.data.extenso(em: idioma)), \(inicio.hora)–\(ate)"
    }

    func linhas(em idioma: Idioma) -> [LinhaDoAviso] {
        [
            LinhaDoAviso(idioma.escolher("Espaço", "Space"), espaco),
            LinhaDoAviso(idioma.escolher("Unidade", "Unit"), "\(unidade), \(endereco)"),
            LinhaDoAviso(idioma.escolher("Quando", "When"), "\(quando(em: idioma)) (\(dados.horario.fuso))"),
            LinhaDoAviso(idioma.escolher("Valor da reserva", "Price of the booking"), "\(dados.cotacao.total)"),
            LinhaDoAviso(idioma.escolher("Código da reserva", "Booking code"), dados.reserva.texto),
        ]
    }
}

extension DataCivil {
    private static let meses = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `24/11/2026`, or `24 Nov 2026`.
    func extenso(em idioma: Idioma) -> String {
        let partes = texto.split(separator: "-")
        return idioma.escolher(partes.reversed().joined(separator: "/"), "\(dia) \(Self.meses[mes - 1]) \(partes[0])")
    }
}

extension ZonaHoraria {
    /// `24/11/2026, 08:00` on the wall clock.
    func extenso(_ instante: Instante, em idioma: Idioma) -> String {
        let local = local(de: instante)
        return "\(local.data.extenso(em: idioma)), \(local.hora)"
    }
}
