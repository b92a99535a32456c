package import Domain
import FoundationEssentials
package import Hummingbird

/// What our handlers know about a request besides its content.
package struct CoworkRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Who asks; nil for somebody who has not signed in.
    package var identity: Identity?
    /// Goes through all parts that work on a request, and into the metadata of the events it causes.
    package var requestID = ""

    package init(source: Source) {
        coreContext = .init(source: source)
    }

    /// - Throws: 401 unless signed in.
    package func signedIn() throws(Problem) -> Identity {
        guard let identity else { throw .unauthenticated }
        return identity
    }

    /// - Throws: 401 unless signed in, 403 unless with this role or a wider one.
    package func signedIn(atLeast role: Papel) throws(Problem) -> Identity {
        let identity = try signedIn()
        guard identity.role >= role else { throw .forbidden }
        return identity
    }

    /// - Throws: 401 unless signed in, 404 unless they work for this unit: another unit's desk is nobody else's business.
    package func signedIn(workingIn unit: UnidadeID) throws(Problem) -> Identity {
        let identity = try signedIn(atLeast: .recepcao)
        guard identity.actor.opera(em: unit) else { throw .notFound }
        return identity
    }

    /// The path parameter as a typed id; a text that is no id names nothing, so it is 404.
    package func id<Mark>(_ name: String, as type: Identificador<Mark>.Type = Identificador<Mark>.self) throws(Problem) -> Identificador<
        Mark
    > {
        guard let text = parameters.get(name), let id = Identificador<Mark>(text) else { throw .notFound }
        return id
    }
}
