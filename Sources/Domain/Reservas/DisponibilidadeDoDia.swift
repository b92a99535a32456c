/// A local date of a space, as someone looking for a slot sees it.
package struct DisponibilidadeDoDia: Hashable, Sendable {
    /// A slot of the shortest duration that can be booked.
    package struct Vaga: Hashable, Sendable {
        package let intervalo: Intervalo
        /// One or more.
        package let livres: Int
    }

    package let data: DataCivil
    /// When the space is open; slots that begin here may end on the next date.
    package let aberturas: [Intervalo]
    package let vagas: [Vaga]
    /// Where seats are taken, buffers included, cut to the date. Says nothing about whose they are.
    package let ocupados: [Agendas.Trecho]
}
