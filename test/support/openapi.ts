import { inlineReferences } from '../../docs/site/reference/inline.ts';
import { consoleDocument, openapiDocument } from '#registry/openapi.ts';

const ABOUT = { version: '1.2.3', baseUrl: 'http://localhost:3000' };

/** The document as a client reads it: through JSON, so that nothing hides in symbols or functions. */
const parsed = (document: object) => JSON.parse(JSON.stringify(document));

/** A document without references. */
export const inlined = (document: object) => inlineReferences(document) as any;

export const DOCUMENT = parsed(openapiDocument(ABOUT));

/** The document of the endpoints that only the console has. */
export const CONSOLE_DOCUMENT = parsed(consoleDocument(ABOUT));

export const INLINED = inlined(DOCUMENT as object);
