/// Computes what became of a unit's local day, once it is over. Computed again it records the next revision, or nothing where nothing
/// changed.
package struct ApurarOcupacao: Sendable {
    package let unidade: UnidadeID
    package let dia: DataCivil
    /// The zone by whose clock the day ends, and when it does.
    package let fechamento: (zona: ZonaHoraria, fim: Instante)
    package let agora: Instante

    package init(
        unidade: UnidadeID,
        dia: DataCivil,
        fechamento: (zona: ZonaHoraria, fim: Instante),
        agora: Instante
    ) {
        self.unidade = unidade
        self.dia = dia
        self.fechamento = fechamento
        self.agora = agora
    }

    /// - Parameters:
    ///   - espacos: every space of the unit.
    ///   - reservas: every booking of these spaces that may fall on the day; others do no harm.
    package func decidir(
        dia estado: OcupacaoDoDia,
        espacos: [EspacoID: HistoricoDeEspacos],
        reservas: [Reserva]
    ) throws(ErroDeDinheiro) -> [EventosDoFluxo] {
        guard agora >= fechamento.fim else { return [] }
        let ocupacoes = try apurar(espacos, reservas)
        let revisao: Int
        switch estado {
        case .emAberto: revisao = 1
        case .apurada(let ultima):
            if ultima.espacos == ocupacoes && ultima.fuso == fechamento.zona.nome { return [] }
            revisao = ultima.revisao + 1
        }
        let apuracao = OcupacaoDiariaApurada(
            unidade: unidade,
            dia: dia,
            revisao: revisao,
            fuso: fechamento.zona.nome,
            espacos: ocupacoes,
            proximoFechamento: revisao == 1 ? fechamento.zona.inicioDoDia(dia.somandoDias(2)) : nil,
            em: agora
        )
        return [EventosDoFluxo(.ocupacao(unidade, dia), analytics: .ocupacaoDiariaApurada(apuracao))]
    }

    private struct Contagem {
        var ocupado: Int64 = 0
        var reservas = 0
        var faltas = 0
        var canceladas = 0
        var valor = Dinheiro.zero
    }

    private func apurar(
        _ espacos: [EspacoID: HistoricoDeEspacos],
        _ reservas: [Reserva]
    ) throws(ErroDeDinheiro) -> [OcupacaoDoEspaco] {
        var contagens: [EspacoID: Contagem] = [:]
        for reserva in reservas {
            guard let dados = reserva.dados, dados.unidade == unidade else { continue }
            try contar(reserva, dados, em: &contagens[dados.espaco, default: Contagem()])
        }
        var ocupacoes: [OcupacaoDoEspaco] = []
        for (espaco, historico) in espacos.sorted(by: { $0.key < $1.key }) {
            let contagem = contagens[espaco] ?? Contagem()
            let ocupacao = OcupacaoDoEspaco(
                espaco: espaco,
                aberto: aberto(historico),
                ocupado: contagem.ocupado,
                reservas: contagem.reservas,
                faltas: contagem.faltas,
                canceladas: contagem.canceladas,
                valor: contagem.valor
            )
            if ocupacao.temAlgo { ocupacoes.append(ocupacao) }
        }
        return ocupacoes
    }

    /// A booking counts on the day on which it begins, its time on the days on which it falls; both by the clock that it was made by.
    private func contar(_ reserva: Reserva, _ dados: DadosDaReserva, em contagem: inout Contagem) throws(ErroDeDinheiro) {
        let comeca = dados.horario.inicioLocal.data == dia
        switch reserva {
        case .inexistente, .pendente, .expirada: break
        case .cancelada: contagem.canceladas += comeca ? 1 : 0
        case .ausente:
            guard comeca else { return }
            contagem.faltas += 1
            contagem.valor = try contagem.valor.somando(dados.cotacao.total.subtraindo(dados.reembolso?.valor ?? .zero))
        case .confirmada, .concluida:
            let segundos = dados.horario.trechosLocais.filter { $0.dia == dia }.reduce(0) { $0 + $1.segundos }
            contagem.ocupado += segundos * Int64(dados.horario.lugares)
            guard comeca else { return }
            contagem.reservas += 1
            contagem.valor = try contagem.valor.somando(dados.cotacao.total)
        }
    }

    private func aberto(_ historico: HistoricoDeEspacos) -> Int64 {
        guard case .ativo(let dados) = historico.espaco(antesDe: fechamento.fim) else { return 0 }
        let trechos = dados.aberturas(de: dia, ate: dia, zona: fechamento.zona).flatMap(fechamento.zona.trechosLocais)
        return trechos.filter { $0.dia == dia }.reduce(0) { $0 + $1.segundos } * Int64(dados.ficha.lugares)
    }
}

extension OcupacaoDoEspaco {
    fileprivate var temAlgo: Bool { aberto > 0 || ocupado > 0 || reservas > 0 || faltas > 0 || canceladas > 0 }
}

extension TrechoLocal {
    /// From whole second to whole second on the clock's face.
    fileprivate var segundos: Int64 { ate.microssegundos / 1_000_000 - de.microssegundos / 1_000_000 }
}
