import Domain
import Testing

@Suite struct DocumentoTests {
    @Test(arguments: ["529.982.247-25", "52998224725", "111.444.777-35", "012.345.678-90"])
    func aCPF(_ texto: String) throws {
        let cpf = try #require(CPF(texto))
        #expect(cpf.digitos == texto.filter(\.isNumber))
        #expect(CPF(cpf.formatado) == cpf)
    }

    @Test(arguments: [
        "529.982.247-24", "529.982.247-35", "111.111.111-11", "000.000.000-00", "529982247-25", "529.982.24725", "5299822472",
        "529982247255",
        "529.982.247-2A", "", "５２９.982.247-25",
    ])
    func noCPF(_ texto: String) {
        #expect(CPF(texto) == nil)
    }

    @Test(arguments: ["12.ABC.345/01DE-35", "12.abc.345/01de-35", "12ABC34501DE35", "11.222.333/0001-81", "11222333000181"])
    func aCNPJ(_ texto: String) throws {
        let cnpj = try #require(CNPJ(texto))
        #expect(cnpj.caracteres.count == 14)
        #expect(CNPJ(cnpj.formatado) == cnpj)
        #expect(CNPJ(cnpj.formatado.lowercased()) == cnpj)
    }

    @Test(arguments: [
        "12.ABC.345/01DE-34", "12.ABC.345/01DE-53", "11.222.333/0001-80", "00.000.000/0000-00", "11222333/000181", "12.ABC.345/01DE-3A",
        "1122233300018", "112223330001811", "", "12.ÁBC.345/01DE-35",
    ])
    func noCNPJ(_ texto: String) {
        #expect(CNPJ(texto) == nil)
    }

    @Test func oneWrongDigitIsAlwaysFound() throws {
        for (texto, le) in [("52998224725", { CPF($0) != nil }), ("11222333000181", { CNPJ($0) != nil })] as [(String, (String) -> Bool)] {
            let letras = Array(texto)
            for posicao in letras.indices {
                for digito in "0123456789" where digito != letras[posicao] {
                    var outras = letras
                    outras[posicao] = digito
                    #expect(!le(String(outras)), "\(String(outras))")
                }
            }
        }
    }
}
