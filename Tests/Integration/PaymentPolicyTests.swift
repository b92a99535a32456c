import Domain
import EventStore
import PagamentosService
import Testing

/// What the policy of payments asks for, from an event alone.
@Suite struct PaymentPolicyTests {
    private let payment = PagamentoID(alto: 0x0189_0A5D_AC96_774B, baixo: 6)
    private let made = Instante(segundos: 1_772_463_600)

    @Test("A PIX has its provider asked while it can be paid, and once more after; what was asked long ago is not asked again")
    func pix() throws {
        let expires = made + .horas(30)
        let pix = PixGerado(
            pagamento: payment, causa: .reserva(ReservaID(alto: 1, baixo: 1)), transacao: try #require(TransacaoID(payment, tentativa: 1)),
            valor: Dinheiro(centavos: 6_000), copiaECola: "000201", expiraEm: expires, em: made
        )
        let commands = PagamentosPolicy().react(to: .pagamentos(.pixGerado(pix)))
        let times = [2, 15, 60, 360, 1_440].map { made + .minutos($0) } + [expires + .minutos(10)]
        #expect(commands.map(\.due) == times.map(\.microssegundos))
        for command in commands {
            #expect(command.kind == PrazoDaCobranca.conferir.rawValue && command.aggregate == payment.texto && command.leavesNoTrace)
        }
        #expect(Set(commands.map(\.commandID)).count == commands.count)
    }
}
