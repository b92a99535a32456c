#!/usr/bin/env bash
# Certificates for the tests of TLS, good for two days, in the folder DIR: ca.pem signs server.pem (localhost), expired.pem (the same, but
# over) and client.pem; other-ca.pem is a stranger's authority, which signed other-client.pem. Each NAME.pem has its NAME.key.
set -euo pipefail

if (($# != 1)); then
    echo "usage: scripts/make-certificates.sh DIR" >&2
    exit 2
fi
mkdir -p "$1"
cd "$1"

key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

authority() {
    openssl req -x509 "${key[@]}" -keyout "$1.key" -out "$1.pem" -days 2 -subj "/CN=$1"
}

# certificate NAME AUTHORITY DAYS HOST
certificate() {
    openssl req "${key[@]}" -keyout "$1.key" -out "$1.csr" -subj "/CN=$1"
    openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days "$3" -out "$1.pem" \
        -extfile <(printf 'subjectAltName=DNS:%s\n' "$4")
}

{
    authority ca
    authority other-ca
    certificate server ca 2 localhost
    certificate expired ca -1 localhost
    certificate client ca 2 client
    certificate other-client other-ca 2 client
} 2>openssl.log || {
    tail -n 5 openssl.log >&2
    exit 1
}
