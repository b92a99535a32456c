import Domain
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A provider that follows the Central Bank's Pix API (2.x): what it takes, what it refuses and how it answers are the contract's.
actor PixStandIn {
    struct Pix: Sendable {
        let endToEndId: String
        let txid: String
        let valor: String
        var devolucoes: [String: (valor: String, status: String)] = [:]
    }

    struct Cob: Sendable {
        let txid: String
        let original: String
        let chave: String
        let location: String
        var status = "ATIVA"
    }

    let receiver: String
    private(set) var cobs: [String: Cob] = [:]
    private(set) var pix: [String: Pix] = [:]
    /// What requests did that the contract does not allow.
    private(set) var violations: [String] = []
    private(set) var tokens = 0
    private(set) var puts = 0
    /// Whether a charge that is there is refused the second time, as some providers do, rather than answered.
    var refusesRepeats = false
    /// What becomes of a refund at first.
    var refundStatus = "DEVOLVIDO"
    var isDown = false

    init(receiver: String) {
        self.receiver = receiver
    }

    func set(refusesRepeats: Bool? = nil, refundStatus: String? = nil, isDown: Bool? = nil) {
        self.refusesRepeats = refusesRepeats ?? self.refusesRepeats
        self.refundStatus = refundStatus ?? self.refundStatus
        self.isDown = isDown ?? self.isDown
    }

    /// Forgets all tokens, as a provider does that revokes them.
    func revoke() { tokens += 1_000 }

    func token() -> String {
        tokens += 1
        return "token-\(tokens)"
    }

    func accepts(_ authorization: String?) -> Bool { authorization == "Bearer token-\(tokens)" }

    func pay(_ txid: String) throws {
        guard var cob = cobs[txid] else { throw HTTPError(.notFound) }
        cob.status = "CONCLUIDA"
        cobs[txid] = cob
        let id = "E00000000202603021200\(txid.suffix(11))"
        pix[id] = Pix(endToEndId: id, txid: txid, valor: cob.original)
    }

    func settle(_ id: String, as status: String) {
        for (payment, var known) in pix where known.devolucoes[id] != nil {
            known.devolucoes[id]?.status = status
            pix[payment] = known
        }
    }

    // MARK: What is asked

    struct CobInput: Decodable {
        struct Calendario: Decodable { let expiracao: Int }
        struct Valor: Decodable { let original: String }
        let calendario: Calendario
        let valor: Valor
        let chave: String
    }

    func put(_ txid: String, _ input: CobInput) -> (HTTPResponse.Status, String) {
        puts += 1
        if txid.wholeMatch(of: /[a-zA-Z0-9]{26,35}/) == nil { violations.append("txid \(txid)") }
        if input.valor.original.wholeMatch(of: /\d{1,10}\.\d{2}/) == nil { violations.append("valor \(input.valor.original)") }
        if input.chave != receiver { violations.append("chave \(input.chave)") }
        if input.calendario.expiracao < 1 { violations.append("expiracao \(input.calendario.expiracao)") }
        guard violations.isEmpty else { return (.badRequest, problem("CobOperacaoInvalida")) }
        if let known = cobs[txid] {
            guard !refusesRepeats, known.original == input.valor.original else { return (.conflict, problem("CobOperacaoInvalida")) }
            return (.ok, text(of: known))
        }
        let cob = Cob(txid: txid, original: input.valor.original, chave: input.chave, location: "pix.example.com/qr/v2/\(txid)")
        cobs[txid] = cob
        return (.created, text(of: cob))
    }

    func get(_ txid: String) -> (HTTPResponse.Status, String) {
        guard let cob = cobs[txid] else { return (.notFound, problem("CobNaoEncontrado")) }
        return (.ok, text(of: cob))
    }

    func refund(_ payment: String, _ id: String, _ valor: String) -> (HTTPResponse.Status, String) {
        if id.wholeMatch(of: /[a-zA-Z0-9]{1,35}/) == nil { violations.append("devolucao \(id)") }
        if valor.wholeMatch(of: /\d{1,10}\.\d{2}/) == nil { violations.append("valor \(valor)") }
        guard var known = pix[payment] else { return (.notFound, problem("PixNaoEncontrado")) }
        if let devolucao = known.devolucoes[id] {
            guard devolucao.valor == valor else { return (.conflict, problem("PixDevolucaoInvalida")) }
            return (.ok, text(id, devolucao))
        }
        let gone = known.devolucoes.values.filter { $0.status != "NAO_REALIZADO" }.compactMap { Double($0.valor) }.reduce(0, +)
        guard let asked = Double(valor), let original = Double(known.valor), asked + gone <= original + 0.001 else {
            violations.append("more goes back than came in")
            return (.badRequest, problem("PixDevolucaoInvalida"))
        }
        known.devolucoes[id] = (valor, refundStatus)
        pix[payment] = known
        return (.created, text(id, (valor, refundStatus)))
    }

    func refund(_ payment: String, _ id: String) -> (HTTPResponse.Status, String) {
        guard let devolucao = pix[payment]?.devolucoes[id] else { return (.notFound, problem("PixDevolucaoNaoEncontrada")) }
        return (.ok, text(id, devolucao))
    }

    private func text(of cob: Cob) -> String {
        let paid = pix.values.filter { $0.txid == cob.txid }.map {
            "{\"endToEndId\":\"\($0.endToEndId)\",\"txid\":\"\($0.txid)\",\"valor\":\"\($0.valor)\",\"horario\":\"2026-03-02T12:00:00.000Z\"}"
        }
        return """
            {"calendario":{"criacao":"2026-03-02T12:00:00.000Z","expiracao":840},"txid":"\(cob.txid)","revisao":0,\
            "loc":{"id":1,"location":"\(cob.location)","tipoCob":"cob"},"location":"\(cob.location)","status":"\(cob.status)",\
            "valor":{"original":"\(cob.original)"},"chave":"\(cob.chave)","pix":[\(paid.joined(separator: ","))]}
            """
    }

    private func text(_ id: String, _ devolucao: (valor: String, status: String)) -> String {
        "{\"id\":\"\(id)\",\"rtrId\":\"D00000000202603021200abcdefghijk\",\"valor\":\"\(devolucao.valor)\",\"horario\":{},\"status\":\"\(devolucao.status)\"}"
    }

    private func problem(_ name: String) -> String {
        "{\"type\":\"https://pix.bcb.gov.br/api/v2/error/\(name)\",\"title\":\"\(name)\",\"status\":400}"
    }
}

extension PixStandIn {
    /// Its routes, as the contract has them.
    nonisolated func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.post("token") { request, _ in
            let body = String(buffer: try await request.body.collect(upTo: 4096))
            let expected = "Basic \(Data("cliente:segredo".utf8).base64EncodedString())"
            guard request.headers[.authorization] == expected, body.hasPrefix("grant_type=client_credentials") else {
                return Self.answer((.unauthorized, "{}"))
            }
            return Self.answer((.ok, "{\"access_token\":\"\(await self.token())\",\"token_type\":\"Bearer\",\"expires_in\":3600}"))
        }
        @Sendable func guarded(
            _ request: Request,
            _ body: () async throws -> (HTTPResponse.Status, String)
        ) async throws -> Response {
            if await self.isDown { return Self.answer((.serviceUnavailable, "{}")) }
            guard await self.accepts(request.headers[.authorization]) else { return Self.answer((.unauthorized, "{}")) }
            return Self.answer(try await body())
        }
        router.put("cob/:txid") { request, context in
            try await guarded(request) {
                let input = try JSONDecoder().decode(CobInput.self, from: Data(Array(buffer: try await request.body.collect(upTo: 4096))))
                return await self.put(try context.parameters.require("txid"), input)
            }
        }
        router.get("cob/:txid") { request, context in
            try await guarded(request) { await self.get(try context.parameters.require("txid")) }
        }
        router.put("pix/:payment/devolucao/:id") { request, context in
            try await guarded(request) {
                let body = try JSONDecoder().decode(
                    [String: String].self, from: Data(Array(buffer: try await request.body.collect(upTo: 4096))))
                let (payment, id) = (try context.parameters.require("payment"), try context.parameters.require("id"))
                return await self.refund(payment, id, body["valor"] ?? "")
            }
        }
        router.get("pix/:payment/devolucao/:id") { request, context in
            try await guarded(request) {
                await self.refund(try context.parameters.require("payment"), try context.parameters.require("id"))
            }
        }
        return router
    }

    private static func answer(_ answer: (status: HTTPResponse.Status, body: String)) -> Response {
        Response(
            status: answer.status, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(string: answer.body))
        )
    }
}
