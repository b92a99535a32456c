import Domain
import FoundationEssentials
import Testing

/// Every rule that says no says which it is, in both languages.
@Suite struct RecusasTests {
    /// A refusal, and what its sentence must name in any language.
    private struct Exemplo {
        let recusa: any Recusa
        let nomeia: [String]

        init(_ recusa: some Recusa, _ nomeia: String...) {
            self.recusa = recusa
            self.nomeia = nomeia
        }

        /// `RecusaDeReservas.passo`.
        var nome: String { "\(type(of: recusa)).\(String("\(recusa)".prefix { $0 != "(" }))" }
    }

    private func exemplos() throws -> [Exemplo] {
        let dia = try data("2026-03-09")
        let hora = try local("2026-03-09T14:30:00")
        let cupom = try #require(CodigoDoCupom("VERAO10"))
        let mes = try #require(MesCivil("2026-03"))
        let plano = PlanoID.basic
        let pendencias = PendenciasDoMes(reservas: [id(1)], quantasReservas: 2, lancamentos: 0, eventos: 0, separados: 0)
        return [
            Exemplo(RecusaDeCheckin.reservaNaoEncontrada), Exemplo(RecusaDeCheckin.soEquipe), Exemplo(RecusaDeCheckin.naoConfirmada),
            Exemplo(RecusaDeCheckin.encerrada), Exemplo(RecusaDeCheckin.cedo(abre: hora), "14:30"),
            Exemplo(RecusaDeCheckin.tarde(fim: hora), "14:30"), Exemplo(RecusaDeCheckin.naoCompareceu), Exemplo(RecusaDeCheckin.semEntrada),
            Exemplo(RecusaDeCheckin.jaSaiu), Exemplo(RecusaDeCheckin.codigoInvalido), Exemplo(RecusaDeCheckin.codigoVencido),
            Exemplo(RecusaDeCheckin.codigoUsado), Exemplo(RecusaDeCheckin.painelNaoEncontrado),
            Exemplo(RecusaDeCheckin.valorForaDosLimites),

            Exemplo(RecusaDeEspacos.unidadeNaoEncontrada), Exemplo(RecusaDeEspacos.espacoNaoEncontrado),
            Exemplo(RecusaDeEspacos.campoInvalido(.capacidade), "capacity"), Exemplo(RecusaDeEspacos.reservasAdiante(7), "7"),
            Exemplo(RecusaDeEspacos.lugaresJaReservados(3), "3"), Exemplo(RecusaDeEspacos.fechamentosDemais),
            Exemplo(RecusaDeEspacos.soAdministrador), Exemplo(RecusaDeEspacos.soEquipe),

            Exemplo(RecusaDeFinanceiro.despesaNaoEncontrada), Exemplo(RecusaDeFinanceiro.despesaJaEstornada),
            Exemplo(RecusaDeFinanceiro.campoInvalido(.valor), "amount_cents"), Exemplo(RecusaDeFinanceiro.despesaNoFuturo(hoje: dia)),
            Exemplo(RecusaDeFinanceiro.mesEmCurso(mes)),
            Exemplo(RecusaDeFinanceiro.mesComPendencias(mes, pendencias)),
            Exemplo(RecusaDeFinanceiro.livrosAlemDoPrazo(try #require(AnoDosLivros(2020))), "2020"),
            Exemplo(RecusaDeFinanceiro.soEquipe), Exemplo(RecusaDeFinanceiro.soGestao),
            Exemplo(RecusaDeFinanceiro.outraUnidade),

            Exemplo(RecusaDeNotificacoes.notificacaoNaoEncontrada), Exemplo(RecusaDeNotificacoes.webhookNaoEncontrado),
            Exemplo(RecusaDeNotificacoes.proibido), Exemplo(RecusaDeNotificacoes.canalDesligado(.sms), "sms"),
            Exemplo(RecusaDeNotificacoes.semEndereco(.push), "push"), Exemplo(RecusaDeNotificacoes.destinatarioNaoEncontrado),
            Exemplo(RecusaDeNotificacoes.avisoObrigatorio), Exemplo(RecusaDeNotificacoes.tiposDemais(maximo: 20), "20"),
            Exemplo(RecusaDeNotificacoes.webhooksDemais(maximo: 50), "50"),

            Exemplo(RecusaDePagamentos.pagamentoNaoEncontrado), Exemplo(RecusaDePagamentos.nadaAPagar), Exemplo(RecusaDePagamentos.jaPago),
            Exemplo(RecusaDePagamentos.cobrancaEncerrada), Exemplo(RecusaDePagamentos.tentativasDemais),
            Exemplo(RecusaDePagamentos.soEquipe), Exemplo(RecusaDePagamentos.naoPago), Exemplo(RecusaDePagamentos.valorInvalido),
            Exemplo(RecusaDePagamentos.acimaDoPago(resto: reais(1_234)), "12,34"), Exemplo(RecusaDePagamentos.numeroDeCartao, "token"),
            Exemplo(RecusaDePagamentos.tokenInvalido, "token"), Exemplo(RecusaDePagamentos.metodoIndisponivel(.pix), "PIX"),
            Exemplo(RecusaDePagamentos.metodoIndisponivel(.cartao)), Exemplo(RecusaDePagamentos.justificativaObrigatoria),
            Exemplo(RecusaDePagamentos.valorDiferente(devido: reais(1_234)), "12,34"), Exemplo(RecusaDePagamentos.estornoDoProvedor),

            Exemplo(RecusaDePrecos.tarifaInexistente(data: dia)), Exemplo(RecusaDePrecos.planoInexistente(plano), "basic"),
            Exemplo(RecusaDePrecos.soGestor), Exemplo(RecusaDePrecos.soEquipe), Exemplo(RecusaDePrecos.outraUnidade),
            Exemplo(RecusaDePrecos.campoInvalido(.tarifas), "rates"),
            Exemplo(RecusaDePrecos.periodoLongoDemais), Exemplo(RecusaDePrecos.valorForaDosLimites),
            Exemplo(RecusaDePrecos.cupomInexistente(cupom), "VERAO10"), Exemplo(RecusaDePrecos.cupomJaExiste(cupom), "VERAO10"),
            Exemplo(RecusaDePrecos.cupomDesativado), Exemplo(RecusaDePrecos.cupomAindaNaoVale(desde: dia)),
            Exemplo(RecusaDePrecos.cupomVencido(ate: dia)), Exemplo(RecusaDePrecos.cupomDeOutroEspaco),
            Exemplo(RecusaDePrecos.cupomEsgotado),
            Exemplo(RecusaDePrecos.cupomJaUsado(vezes: 3), "3"), Exemplo(RecusaDePrecos.cupomAbaixoDoMinimo(reais(5_000)), "50,00"),
            Exemplo(RecusaDePrecos.creditosInsuficientes), Exemplo(RecusaDePrecos.planoSemAssinatura),
            Exemplo(RecusaDePrecos.jaAssina(plano: plano, ate: nil), "basic"),
            Exemplo(RecusaDePrecos.jaAssina(plano: plano, ate: dia), "basic"),
            Exemplo(RecusaDePrecos.semAssinatura),
            Exemplo(RecusaDePrecos.renovando),

            Exemplo(RecusaDeAtendimento.aguardaAprovacao), Exemplo(RecusaDeAtendimento.naoAguardaAprovacao),
            Exemplo(RecusaDeAtendimento.soGestor), Exemplo(RecusaDeAtendimento.mudancaPedeGestor),
            Exemplo(RecusaDeAtendimento.semJustificativa),
            Exemplo(RecusaDeAtendimento.convidadosDemais(maximo: 4), "4"),

            Exemplo(RecusaDeEspera.livre), Exemplo(RecusaDeEspera.jaEspera), Exemplo(RecusaDeEspera.cheia),
            Exemplo(RecusaDeEspera.longa, "24"),
            Exemplo(RecusaDeEspera.naoEncontrada), Exemplo(RecusaDeEspera.encerrada),

            Exemplo(RecusaDeReservas.reservaNaoEncontrada), Exemplo(RecusaDeReservas.espacoNaoEncontrado),
            Exemplo(RecusaDeReservas.espacoInativo), Exemplo(RecusaDeReservas.proibido), Exemplo(RecusaDeReservas.fimAntesDoInicio),
            Exemplo(RecusaDeReservas.noPassado), Exemplo(RecusaDeReservas.passo(try minutos(30)), "30"),
            Exemplo(RecusaDeReservas.duracaoMinima(try minutos(45)), "45"), Exemplo(RecusaDeReservas.duracaoMaxima(try minutos(50)), "50"),
            Exemplo(RecusaDeReservas.antecedencia(try minutos(20)), "20"), Exemplo(RecusaDeReservas.horizonte(try minutos(2_880))),
            Exemplo(RecusaDeReservas.foraDoHorario(data: dia, horario: [try faixa("08:00", "18:00")]), "08:00", "18:00"),
            Exemplo(RecusaDeReservas.foraDoHorario(data: dia, horario: [])), Exemplo(RecusaDeReservas.fechado(motivo: "Obras"), "Obras"),
            Exemplo(RecusaDeReservas.lugaresInvalidos(maximo: 8), "8"), Exemplo(RecusaDeReservas.conflito),
            Exemplo(RecusaDeReservas.lugaresInsuficientes(livres: 2), "2"),
            Exemplo(RecusaDeReservas.horaInexistente(antes: hora, depois: hora)), Exemplo(RecusaDeReservas.preco(.cupomEsgotado)),
            Exemplo(RecusaDeReservas.retencaoVencida), Exemplo(RecusaDeReservas.jaComecou), Exemplo(RecusaDeReservas.encerrada),
            Exemplo(RecusaDeReservas.serie(.vazia)), Exemplo(RecusaDeReservas.espera(.cheia)),
            Exemplo(RecusaDeReservas.atendimento(.soGestor)),

            Exemplo(RecusaDeSerie.regraInvalida(parte: "FREQ=X"), "FREQ=X"), Exemplo(RecusaDeSerie.longa(maximo: 366), "366"),
            Exemplo(RecusaDeSerie.vazia), Exemplo(RecusaDeSerie.naoEncontrada), Exemplo(RecusaDeSerie.ocorrenciaNaoEncontrada),
            Exemplo(RecusaDeSerie.comConflitos(quantas: 3, primeira: hora, codigo: "slot_taken"), "3"),
            Exemplo(RecusaDeSerie.nenhuma(codigo: "slot_taken")),

            Exemplo(RecusaDeUsuarios.naoEncontrado), Exemplo(RecusaDeUsuarios.emailEmUso), Exemplo(RecusaDeUsuarios.contaBloqueada),
            Exemplo(RecusaDeUsuarios.soAdministrador), Exemplo(RecusaDeUsuarios.contraSiMesmo), Exemplo(RecusaDeUsuarios.aindaAdministra),
            Exemplo(RecusaDeUsuarios.reservasEmAberto(5), "5"), Exemplo(RecusaDeUsuarios.sessaoInvalida),
            Exemplo(RecusaDeUsuarios.papelPerdido), Exemplo(RecusaDeUsuarios.papelSemUnidades),
            Exemplo(RecusaDeUsuarios.unidadesInvalidas(maximo: 20), "20"),
        ]
    }

    @Test("A refusal is a sentence in each language, that names what the rule looked at; its code is for machines")
    func frases() throws {
        for exemplo in try exemplos() {
            let (portugues, ingles) = (exemplo.recusa.frase(em: .portugues), exemplo.recusa.frase(em: .ingles))
            #expect(portugues != ingles, "\(exemplo.nome)")
            for frase in [portugues, ingles] {
                #expect(frase.count >= 12 && frase.last.map { ".!?".contains($0) } == true, "\(exemplo.nome): \(frase)")
                #expect(!frase.contains("Optional(") && !frase.contains("nil"), "\(exemplo.nome): \(frase)")
                for nome in exemplo.nomeia { #expect(frase.contains(nome), "\(exemplo.nome): \(frase)") }
            }
            let codigo = exemplo.recusa.codigo
            #expect(codigo.allSatisfy { $0 == "_" || ("a"..."z").contains($0) } && !codigo.isEmpty, "\(exemplo.nome): \(codigo)")
        }
    }

    @Test("Two rules of a context do not say the same")
    func distintas() throws {
        var vistas: [String: [String]] = [:]
        for exemplo in try exemplos() {
            vistas["\(type(of: exemplo.recusa)) \(exemplo.recusa.frase(em: .portugues))", default: []].append(exemplo.nome)
        }
        for (frase, nomes) in vistas { #expect(Set(nomes).count == 1, "\(frase) \(nomes)") }
    }

    /// Every case of every type that conforms, as the sources declare them.
    private func declaradas(arquivo: String = #filePath) throws -> Set<String> {
        let raiz = URL(filePath: arquivo).deletingLastPathComponent().appending(path: "../../../Sources/Domain").standardized
        var nomes: Set<String> = []
        for caminho in try FileManager.default.subpathsOfDirectory(atPath: raiz.path) where caminho.hasSuffix(".swift") {
            let texto = String(decoding: try Data(contentsOf: raiz.appending(path: caminho)), as: UTF8.self)
            var tipo: String?
            for linha in texto.split(separator: "\n") {
                if linha.hasPrefix("package enum "), linha.contains(": Recusa {") {
                    tipo = linha.dropFirst("package enum ".count).split(separator: ":").first.map(String.init)
                } else if linha == "}" {
                    tipo = nil
                } else if let tipo, linha.hasPrefix("    case ") {
                    nomes.insert("\(tipo).\(linha.dropFirst("    case ".count).prefix { $0 != "(" })")
                }
            }
        }
        return nomes
    }

    @Test("None is left out")
    func todas() throws {
        let declaradas = try declaradas()
        #expect(declaradas.count > 90)
        #expect(Set(try exemplos().map(\.nome)) == declaradas)
    }
}
