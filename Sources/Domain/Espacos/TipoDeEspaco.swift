/// The kinds of space we rent.
package enum TipoDeEspaco: String, CaseIterable, Sendable, Codable {
    case salaDeReuniao = "sala_de_reuniao"
    case salaPrivativa = "sala_privativa"
    case mesaCompartilhada = "mesa_compartilhada"
    case auditorio
    case estudio
    case cabine
}
