import Domain
import Testing

/// What no sample shows could be lost or renamed unnoticed: a payload without an optional field is written back to the same bytes whether
/// or not the field is still known.
@Suite struct CoberturaDasAmostrasTests {
    @Test func whateverMayBeAbsentIsThereInSomeSample() throws {
        let ausentes = try Self.vistas().ausentes
        #expect(ausentes.isEmpty, "in no sample: \(ausentes.joined(separator: ", "))")
    }

    @Test func everyCaseOfAUnionIsInSomeSample() throws {
        let vistas = try Self.vistas()
        #expect(vistas.casosAusentes.isEmpty, "in no sample: \(vistas.casosAusentes.joined(separator: ", "))")
        #expect(vistas.desconhecidas.isEmpty, "make a `Uniao` of: \(vistas.desconhecidas.sorted().joined(separator: ", "))")
    }

    /// What all samples of today's forms show. What an older form becomes says nothing of how today's is stored.
    private static func vistas() throws -> Vistas {
        var vistas = Vistas()
        for amostra in try Amostra.todas() {
            let evento = try amostra.lida().evento
            let tipo = type(of: evento)
            guard amostra.forma == FormaGravada(tipo: tipo.tipo, versao: tipo.versaoDoEsquema) else { continue }
            vistas.olhar(evento)
        }
        return vistas
    }

    // MARK: That it is seen

    @Test func whatIsAbsentIsSeenHoweverDeep() {
        var vistas = Vistas()
        func ausentes(depoisDe evento: any Evento) -> [String] {
            vistas.olhar(evento)
            return vistas.ausentes.map { $0.split(separator: ".").suffix(2).joined(separator: ".") }
        }
        #expect(ausentes(depoisDe: Vazia(fora: nil, dentro: nil, lista: [])) == ["Vazia.dentro", "Vazia.fora", "Vazia.lista"])
        let um = Vazia.Parte(texto: nil, numeros: nil)
        #expect(ausentes(depoisDe: Vazia(fora: 0, dentro: nil, lista: [um])) == ["Parte.numeros", "Parte.texto", "Vazia.dentro"])
        // What was there once stays seen; a list that is there may still be empty.
        let outro = Vazia.Parte(texto: "", numeros: [])
        #expect(ausentes(depoisDe: Vazia(fora: nil, dentro: outro, lista: [])) == ["Parte.numeros?"])
        #expect(ausentes(depoisDe: Vazia(fora: nil, dentro: Vazia.Parte(texto: nil, numeros: [1]), lista: [])) == [])
    }

    @Test func whatAUnionDoesNotShowIsSeen() {
        var vistas = Vistas()
        vistas.olhar(AlvoDaTarifa.tipo(.salaDeReuniao))
        #expect(vistas.casosAusentes == ["Domain.AlvoDaTarifa.espaco"])
        vistas.olhar([AlvoDaTarifa.espaco(id(4))])
        #expect(vistas.casosAusentes == [])
        #expect(vistas.desconhecidas == [])
        vistas.olhar(Result<Int, ErroDeDinheiro>.success(1))
        #expect(vistas.desconhecidas.count == 1)
    }
}

/// An event that may be quite empty.
private struct Vazia: Evento {
    static let tipo = "teste.Vazia"

    struct Parte: Codable, Equatable, Sendable {
        let texto: String?
        let numeros: [Int]?
    }

    let fora: Int?
    let dentro: Parte?
    let lista: [Parte]
}

// MARK: What is looked at

/// What values have shown of their types, by reflection: of each property that may hold nothing whether it ever held something, of each
/// union which of its cases there were.
private struct Vistas {
    private var cheios: [String: Bool] = [:]
    private var casos: [String: (todos: Set<String>, vistos: Set<String>)] = [:]
    /// Enums that carry something, and are no `Uniao`.
    private(set) var desconhecidas: Set<String> = []

    /// Properties, with their type, that held nothing in any value; a list that is empty holds nothing.
    var ausentes: [String] { cheios.filter { !$0.value }.keys.sorted() }

    var casosAusentes: [String] {
        casos.flatMap { tipo, caso in caso.todos.subtracting(caso.vistos).map { "\(tipo).\($0)" } }.sorted()
    }

    /// - Parameter lugar: The property that holds the value.
    mutating func olhar(_ valor: Any, em lugar: String = "") {
        let espelho = Mirror(reflecting: valor)
        let tipo = String(reflecting: espelho.subjectType)
        switch espelho.displayStyle {
        case .optional?:
            anotar(lugar, cheio: !espelho.children.isEmpty)
            for filho in espelho.children { olhar(filho.value, em: "\(lugar)?") }
        case .collection?, .set?, .dictionary?:
            anotar(lugar, cheio: !espelho.children.isEmpty)
            for filho in espelho.children { olhar(filho.value, em: "\(lugar)[]") }
        case .enum?:
            if let uniao = valor as? any Uniao {
                anotar(uniao, tipo)
            } else if !espelho.children.isEmpty {
                desconhecidas.insert(tipo)
            }
            fallthrough
        default:
            for filho in espelho.children { olhar(filho.value, em: "\(tipo).\(filho.label ?? "")") }
        }
    }

    private mutating func anotar(_ lugar: String, cheio: Bool) {
        cheios[lugar, default: false] = cheios[lugar, default: false] || cheio
    }

    private mutating func anotar<U: Uniao>(_ uniao: U, _ tipo: String) {
        let todos = Set(U.Caso.allCases.map { "\($0)" })
        casos[tipo, default: (todos, [])].vistos.insert("\(uniao.caso)")
    }
}

// MARK: Unions

/// An enum inside events whose cases carry something. One that gets another case does not compile here until `Caso` has it, and fails then
/// until a sample shows it.
private protocol Uniao {
    associatedtype Caso: CaseIterable

    var caso: Caso { get }
}

extension LinhaDaCotacao: Uniao {
    fileprivate enum Caso: CaseIterable {
        case tempo, desconto, creditos, cupom, teto
    }

    fileprivate var caso: Caso {
        switch self {
        case .tempo: .tempo
        case .desconto: .desconto
        case .creditos: .creditos
        case .cupom: .cupom
        case .teto: .teto
        }
    }
}

extension CausaDaCobranca: Uniao {
    fileprivate enum Caso: CaseIterable {
        case reserva, diferenca, excedente, mensalidade
    }

    fileprivate var caso: Caso {
        switch self {
        case .reserva: .reserva
        case .diferenca: .diferenca
        case .excedente: .excedente
        case .mensalidade: .mensalidade
        }
    }
}

extension AlvoDaTarifa: Uniao {
    fileprivate enum Caso: CaseIterable {
        case espaco, tipo
    }

    fileprivate var caso: Caso {
        switch self {
        case .espaco: .espaco
        case .tipo: .tipo
        }
    }
}

extension DescontoDoCupom: Uniao {
    fileprivate enum Caso: CaseIterable {
        case percentual, valor
    }

    fileprivate var caso: Caso {
        switch self {
        case .percentual: .percentual
        case .valor: .valor
        }
    }
}

extension AssuntoDoLancamento: Uniao {
    fileprivate enum Caso: CaseIterable {
        case reserva, assinatura, despesa
    }

    fileprivate var caso: Caso {
        switch self {
        case .reserva: .reserva
        case .assinatura: .assinatura
        case .despesa: .despesa
        }
    }
}

extension ContaContabil: Uniao {
    fileprivate enum Caso: CaseIterable {
        case caixa, aReceber, receitaAntecipada, receitaDeReservas, receitaDePlanos, estornos, despesas
    }

    fileprivate var caso: Caso {
        switch self {
        case .caixa: .caixa
        case .aReceber: .aReceber
        case .receitaAntecipada: .receitaAntecipada
        case .receitaDeReservas: .receitaDeReservas
        case .receitaDePlanos: .receitaDePlanos
        case .estornos: .estornos
        case .despesas: .despesas
        }
    }
}

extension RegraDeRecorrencia.Termino: Uniao {
    fileprivate enum Caso: CaseIterable {
        case vezes, ateData, ateLocal, ate
    }

    fileprivate var caso: Caso {
        switch self {
        case .vezes: .vezes
        case .ateData: .ateData
        case .ateLocal: .ateLocal
        case .ate: .ate
        }
    }
}
