package import Domain

/// A quote as the API shows it: amounts as decimal numbers for old clients, with the exact cents beside them.
package struct QuoteView: Encodable, Sendable {
    package struct Line: Encodable, Sendable {
        /// `time`, `plan_discount`, `credits`, `coupon` or `daily_cap`.
        let kind: String
        let date: String
        let description: String
        let amount: Double
        let amountCents: Int64
    }

    let basePrice: Double
    let basePriceCents: Int64
    let hours: Double
    let discount: Double
    let discountCents: Int64
    /// The coupon that takes something off.
    let coupon: String?
    let couponDiscount: Double
    let couponDiscountCents: Int64
    /// Minutes of one seat that credits pay for, and what they are worth here.
    let creditMinutes: Int
    let creditsCents: Int64
    let total: Double
    let totalCents: Int64
    let currency: String
    let lines: [Line]
    let plan: String
    let planVersion: Int
    let tariffVersion: Int

    package init(_ quote: Cotacao, interval: Intervalo, zone: ZonaHoraria) {
        basePriceCents = quote.precoBase.centavos
        basePrice = quote.precoBase.decimal
        hours = Double(interval.duracao.microssegundos) / 3_600_000_000
        discountCents = quote.descontoDoPlano.centavos
        discount = quote.descontoDoPlano.decimal
        coupon = quote.cupom?.texto
        couponDiscountCents = quote.descontoDoCupom.centavos
        couponDiscount = quote.descontoDoCupom.decimal
        creditMinutes = quote.creditos?.valor ?? 0
        creditsCents = quote.pagoComCreditos.centavos
        totalCents = quote.total.centavos
        total = quote.total.decimal
        currency = quote.total.moeda.rawValue
        lines = quote.linhas.map { Line($0, zone: zone) }
        plan = quote.plano.texto
        planVersion = quote.planoVersao.numero
        tariffVersion = quote.tarifarioVersao.numero
    }
}

extension QuoteView.Line {
    package init(_ line: LinhaDaCotacao, zone: ZonaHoraria) {
        amountCents = line.valor.centavos
        amount = line.valor.decimal
        switch line {
        case .tempo(let time):
            kind = "time"
            date = time.dia.texto
            let from = zone.local(de: time.intervalo.inicio).hora.texto
            let until = zone.local(de: time.intervalo.fim).hora.texto
            let seats = time.lugares == 1 ? "" : " × \(time.lugares)"
            let rate = time.multiplicador.map { ", \($0) × \(Double(time.milesimos) / 1000)" } ?? ""
            description = "\(from)–\(until)\(seats), \(time.valorHora)/h\(rate)"
        case .desconto(let discount):
            kind = "plan_discount"
            date = discount.dia.texto
            description = "\(discount.percentual.valor) %, \(discount.base)"
        case .creditos(let credits):
            kind = "credits"
            date = credits.dia.texto
            description = "\(credits.minutos.valor) min, \(credits.base)"
        case .cupom(let coupon):
            kind = "coupon"
            date = coupon.dia.texto
            description = "\(coupon.codigo)\(coupon.percentual.map { ", \($0.valor) %" } ?? ""), \(coupon.base)"
        case .teto(let cap):
            kind = "daily_cap"
            date = cap.dia.texto
            description = "\(cap.teto)"
        }
    }
}

extension Dinheiro {
    /// The amount in reais, for fields that old clients read as a number; exact amounts travel as cents.
    package var decimal: Double { Double(centavos) / 100 }
}
