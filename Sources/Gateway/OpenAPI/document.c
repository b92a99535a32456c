#include "OpenAPIDocument.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "openapi.json"
};

const unsigned char *openapi_document(void) { return document; }

size_t openapi_document_length(void) { return sizeof document; }
