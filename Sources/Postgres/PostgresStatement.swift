/// A statement and its parameters, as a step of a pipeline.
package struct PostgresStatement: Sendable {
    /// The statement's text, a constant where possible: it is what prepared statements are remembered by.
    package let sql: String
    /// The values of `$1`, `$2`, ….
    package let parameters: [any PostgresEncodable]

    /// A statement with its parameters listed.
    package init(_ sql: String, _ parameters: any PostgresEncodable...) {
        self.sql = sql
        self.parameters = parameters
    }

    /// A statement with its parameters in an array.
    package init(_ sql: String, parameters: [any PostgresEncodable]) {
        self.sql = sql
        self.parameters = parameters
    }
}
