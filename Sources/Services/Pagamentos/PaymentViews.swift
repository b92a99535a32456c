import Domain
import FoundationEssentials
import HTTP
import QR

/// What came of wanting to pay.
struct ChargeView: Encodable, Sendable {
    struct Pix: Encodable, Sendable {
        let copiaECola: String
        /// A PNG in base64.
        let qrPng: String
        let expiresAt: String
    }

    let paymentId: String
    let transactionId: String
    /// `pending`, `approved` or `refused`.
    let status: String
    let method: String
    let amount: Double
    let amountCents: Int64
    let currency: String
    /// Why it was refused.
    let refusal: String?
    let pix: Pix?

    init(
        _ payment: PagamentoID,
        _ transaction: TransacaoID,
        _ method: MetodoDePagamento,
        _ amount: Dinheiro,
        status: String,
        refusal: MotivoDaRecusa? = nil,
        pix: Pix? = nil
    ) {
        paymentId = payment.texto
        transactionId = transaction.texto
        self.status = status
        self.method = method.codigo
        self.amount = amount.decimal
        amountCents = amount.centavos
        currency = amount.moeda.rawValue
        self.refusal = refusal?.rawValue
        self.pix = pix
    }

    init(_ pix: PixGerado, zone: ZonaHoraria) throws {
        self.init(
            pix.pagamento,
            pix.transacao,
            .pix,
            pix.valor,
            status: "pending",
            pix: Pix(
                copiaECola: pix.copiaECola,
                qrPng: Data(try QRCode(pix.copiaECola).png()).base64EncodedString(),
                expiresAt: pix.expiraEm.texto(em: zone)
            )
        )
    }

    init(_ told: TentativaRespondida) {
        let status = told.recusa == nil ? "approved" : "refused"
        self.init(told.pagamento, told.transacao, told.metodo, told.valor, status: status, refusal: told.recusa)
    }

    /// What the events say of the try that they record; nil where they record none.
    init?(_ events: [EventoDoDominio], zone: ZonaHoraria) throws {
        for case .pagamentos(let event) in events {
            switch event {
            case .pixGerado(let event):
                try self.init(event, zone: zone)
                return
            case .pagamentoAprovado(let event):
                self.init(event.pagamento, event.transacao, event.metodo, event.valor, status: "approved")
                return
            case .tentativaRespondida(let event):
                self.init(event)
                return
            case .cobrancaCriada, .cobrancaAlterada, .pagamentoRecusado, .cobrancaExpirada, .estornoSolicitado, .pagamentoEstornado,
                .estornoRecusado:
                continue
            }
        }
        return nil
    }
}

/// What came of giving money back.
struct RefundView: Encodable, Sendable {
    let paymentId: String
    let refundId: String
    /// `refunded`, `processing` or `refused`.
    let status: String
    let refundAmount: Double
    let refundAmountCents: Int64

    init(_ asked: EstornoSolicitado, _ progress: RefundProgress) {
        paymentId = asked.pagamento.texto
        refundId = asked.estorno.texto
        refundAmount = asked.valor.decimal
        refundAmountCents = asked.valor.centavos
        status =
            switch progress {
            case .processing: "processing"
            case .done: "refunded"
            case .refused: "refused"
            }
    }
}
