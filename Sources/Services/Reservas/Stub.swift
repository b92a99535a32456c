package enum Stub {}
