extension ZonaHoraria {
    /// The moment meant by a local time without offset: of a time that happens twice the first, of one that is skipped none.
    package func instantePedido(_ local: DataHoraLocal) throws(RecusaDeReservas) -> Instante {
        switch instantes(de: local) {
        case .unica(let instante): return instante
        case .ambigua(let primeira, _): return primeira
        case .inexistente(let antes, let depois, _): throw .horaInexistente(antes: antes, depois: depois)
        }
    }
}
