extension EventoDeCheckin {
    /// - Parameter zona: of the unit.
    package func explicacao(em idioma: Idioma, zona: ZonaHoraria) -> Explicacao {
        switch self {
        case .checkinRealizado(let evento):
            Explicacao(
                idioma.escolher("Entrada em \(evento.em.porExtenso(zona)).", "Checked in at \(evento.em.porExtenso(zona))."),
                [evento.meio.razao(idioma)]
            )
        case .checkoutRealizado(let evento): evento.explicacao(idioma, zona)
        case .naoComparecimentoRegistrado(let evento):
            Explicacao(
                idioma.escolher("Ninguém compareceu.", "Nobody came."),
                [
                    idioma.escolher(
                        "A regra do espaço espera \(evento.tolerancia.texto(idioma)): até \(evento.limite.porExtenso(zona)).",
                        "The rule of the space waits for \(evento.tolerancia.texto(idioma)): until \(evento.limite.porExtenso(zona))."
                    )
                ]
            )
        case .excedenteApurado(let evento): evento.explicacao(idioma)
        case .painelAutorizado: Explicacao(idioma.escolher("Um painel foi autorizado.", "A display was set up."), [])
        case .painelRevogado: Explicacao(idioma.escolher("Um painel foi revogado.", "A display was taken back."), [])
        }
    }
}

extension CheckoutRealizado {
    fileprivate func explicacao(_ idioma: Idioma, _ zona: ZonaHoraria) -> Explicacao {
        var razoes = [meio.razao(idioma)]
        if let liberadoDesde {
            let desde = liberadoDesde.porExtenso(zona)
            razoes.append(
                idioma.escolher("O resto do horário foi liberado desde \(desde).", "The rest of the time was freed from \(desde)."))
        }
        return Explicacao(idioma.escolher("Saída em \(em.porExtenso(zona)).", "Checked out at \(em.porExtenso(zona))."), razoes)
    }
}

extension ExcedenteApurado {
    fileprivate func explicacao(_ idioma: Idioma) -> Explicacao {
        let ficou = Minutos(completosEm: intervalo.duracao).texto(idioma)
        let passo = passo.texto(idioma)
        return Explicacao(
            idioma.escolher("Tempo excedente de \(ficou): \(valor).", "Overtime of \(ficou): \(valor)."),
            [
                idioma.escolher(
                    "\(passos) × \(passo) iniciados, a \(preco.valorHora)/h por lugar (tarifário versão \(preco.tarifarioVersao.numero)), \(preco.lugares) lugar(es), desconto de \(preco.desconto.valor) %.",
                    "\(passos) × \(passo) begun, at \(preco.valorHora)/h a seat (tariff version \(preco.tarifarioVersao.numero)), \(preco.lugares) seat(s), discount of \(preco.desconto.valor) %."
                ),
                idioma.escolher(
                    "Até \(tolerancia.texto(idioma)) depois do fim nada se cobra.",
                    "Nothing is charged up to \(tolerancia.texto(idioma)) after the end."
                ),
            ]
        )
    }
}

extension MeioDePresenca {
    fileprivate func razao(_ idioma: Idioma) -> String {
        switch self {
        case .membro: idioma.escolher("O membro avisou.", "The member said so.")
        case .recepcao: idioma.escolher("A recepção registrou.", "The desk recorded it.")
        case .codigo: idioma.escolher("O código foi lido na recepção.", "The code was read at the desk.")
        case .prazo: idioma.escolher("Ninguém avisou até o prazo.", "Nobody said so in time.")
        }
    }
}
