#ifndef OPENAPI_DOCUMENT_H
#define OPENAPI_DOCUMENT_H

#include <stddef.h>

/// The API's contract, `openapi.json`, as it is in the sources. It lives as long as the process; no zero ends it.
const unsigned char *openapi_document(void);

/// In bytes.
size_t openapi_document_length(void);

#endif
