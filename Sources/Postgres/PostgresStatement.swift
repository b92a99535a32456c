/// A statement and its parameters, as a step of a pipeline.
package struct PostgresStatement: Sendable {
    package let sql: String
    package let parameters: [any PostgresEncodable]

    package init(_ sql: String, _ parameters: any PostgresEncodable...) {
        self.sql = sql
        self.parameters = parameters
    }

    package init(_ sql: String, parameters: [any PostgresEncodable]) {
        self.sql = sql
        self.parameters = parameters
    }
}
