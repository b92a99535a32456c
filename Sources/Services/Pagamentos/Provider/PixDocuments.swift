/// A charge (`cob`) as the Pix API has it.
struct PixCharge: Decodable {
    struct Input: Encodable {
        struct Calendario: Encodable {
            /// Seconds from now.
            let expiracao: Int64
        }

        struct Valor: Encodable {
            /// `\d{1,10}\.\d{2}`
            let original: String
        }

        let calendario: Calendario
        let valor: Valor
        let chave: String
    }

    struct Valor: Decodable {
        let original: String
    }

    struct Loc: Decodable {
        let location: String
    }

    struct Pix: Decodable {
        let endToEndId: String
        let valor: String
    }

    let txid: String
    let status: String
    let valor: Valor
    let location: String?
    let loc: Loc?
    let pixCopiaECola: String?
    let pix: [Pix]?
}

/// A refund (`devolucao`) as the Pix API has it.
struct PixRefund: Decodable {
    struct Input: Encodable {
        let valor: String
    }

    let rtrId: String?
    let valor: String
    let status: String
}

/// What the Pix API's webhooks say.
struct PixWebhook: Decodable {
    struct Pix: Decodable {
        let endToEndId: String
        let txid: String?
    }

    let pix: [Pix]
}
