/// A stretch of time, half-open: `[inicio, fim)`. Never empty. Two that only touch do not overlap.
package struct Intervalo: Hashable, Sendable {
    package let inicio: Instante
    package let fim: Instante

    /// `nil` unless it begins before it ends.
    package init?(inicio: Instante, fim: Instante) {
        guard inicio < fim else { return nil }
        self.inicio = inicio
        self.fim = fim
    }

    package var duracao: Duracao { fim - inicio }

    package func contem(_ instante: Instante) -> Bool {
        inicio <= instante && instante < fim
    }

    package func contem(_ outro: Intervalo) -> Bool {
        inicio <= outro.inicio && outro.fim <= fim
    }

    package func sobrepoe(_ outro: Intervalo) -> Bool {
        inicio < outro.fim && outro.inicio < fim
    }

    /// What both have in common, `nil` when nothing.
    package func intersecao(_ outro: Intervalo) -> Intervalo? {
        Intervalo(inicio: max(inicio, outro.inicio), fim: min(fim, outro.fim))
    }

    /// This interval with room before and after it.
    package func estendido(antes: Minutos, depois: Minutos) -> Intervalo {
        Intervalo(certoDe: inicio - antes.duracao, ate: fim + depois.duracao)
    }

    /// The UTC dates that this interval touches, in order.
    package var diasUTC: [DataCivil] {
        let ultimo = Instante(microssegundos: fim.microssegundos - 1).diaUTC
        return (inicio.diaUTC.diasDesde1970...ultimo.diasDesde1970).map(DataCivil.init(diasDesde1970:))
    }

    private init(certoDe inicio: Instante, ate fim: Instante) {
        self.inicio = inicio
        self.fim = fim
    }

    /// The union of intervals as the fewest that do not touch, in order.
    package static func unir(_ intervalos: [Intervalo]) -> [Intervalo] {
        var unidos: [Intervalo] = []
        for intervalo in intervalos.sorted(by: { $0.inicio < $1.inicio }) {
            if let ultimo = unidos.last, intervalo.inicio <= ultimo.fim {
                unidos[unidos.count - 1] = Intervalo(certoDe: ultimo.inicio, ate: max(ultimo.fim, intervalo.fim))
            } else {
                unidos.append(intervalo)
            }
        }
        return unidos
    }

    /// What remains of `intervalos` outside every one of `outros`. The first list must be ordered and disjoint, as `unir` gives it.
    package static func subtrair(_ outros: [Intervalo], de intervalos: [Intervalo]) -> [Intervalo] {
        let cortes = unir(outros)
        return intervalos.flatMap { intervalo in
            var restos: [Intervalo] = []
            var inicio = intervalo.inicio
            for corte in cortes where corte.sobrepoe(intervalo) {
                if let resto = Intervalo(inicio: inicio, fim: corte.inicio) { restos.append(resto) }
                inicio = max(inicio, corte.fim)
            }
            if let resto = Intervalo(inicio: inicio, fim: intervalo.fim) { restos.append(resto) }
            return restos
        }
    }
}

extension Intervalo: Codable {
    private enum CodingKeys: String, CodingKey {
        case inicio
        case fim
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        let inicio = try caixa.decode(Instante.self, forKey: .inicio)
        let fim = try caixa.decode(Instante.self, forKey: .fim)
        guard let intervalo = Intervalo(inicio: inicio, fim: fim) else {
            throw DecodingError.dataCorruptedError(forKey: .fim, in: caixa, debugDescription: "ends before it begins")
        }
        self = intervalo
    }
}

extension Intervalo: LidoDaForma {
    init(_ ficha: Int, de carga: CargaCanonica) throws(ForaDaForma) {
        let inicio: Instante = try carga.valor(CodingKeys.inicio, de: ficha)
        let fim: Instante = try carga.valor(CodingKeys.fim, de: ficha)
        guard let intervalo = Intervalo(inicio: inicio, fim: fim) else { throw ForaDaForma() }
        self = intervalo
    }
}

/// A stretch of the wall clock, half-open. Never empty.
package struct PeriodoLocal: Hashable, Sendable {
    package let inicio: DataHoraLocal
    package let fim: DataHoraLocal

    /// `nil` unless it begins before it ends.
    package init?(inicio: DataHoraLocal, fim: DataHoraLocal) {
        guard inicio < fim else { return nil }
        self.inicio = inicio
        self.fim = fim
    }

    /// Whole local days, both included; `nil` when the last comes before the first.
    package init?(de primeiro: DataCivil, ate ultimo: DataCivil) {
        self.init(inicio: primeiro.meiaNoite, fim: ultimo.somandoDias(1).meiaNoite)
    }

    /// By the wall clock, as if no clock were ever set.
    package var duracao: Duracao { Duracao(microssegundos: fim.microssegundos - inicio.microssegundos) }

    package func sobrepoe(_ outro: PeriodoLocal) -> Bool {
        inicio < outro.fim && outro.inicio < fim
    }
}

extension PeriodoLocal: Codable {
    private enum CodingKeys: String, CodingKey {
        case inicio
        case fim
    }

    package init(from decoder: any Decoder) throws {
        let caixa = try decoder.container(keyedBy: CodingKeys.self)
        let inicio = try caixa.decode(DataHoraLocal.self, forKey: .inicio)
        let fim = try caixa.decode(DataHoraLocal.self, forKey: .fim)
        guard let periodo = PeriodoLocal(inicio: inicio, fim: fim) else {
            throw DecodingError.dataCorruptedError(forKey: .fim, in: caixa, debugDescription: "ends before it begins")
        }
        self = periodo
    }
}
