import { Type, type Static } from 'typebox';
import type { Endpoint } from './endpoint.ts';

/**
 * The body of an endpoint that takes a file: the bytes of the request, whatever their type, up to
 * FRONTDESK_FILES_MAX_MB. Handlers get the bytes, the declared type, and the id that the file will have.
 */
export const fileBody = Type.Object({
  id: Type.String(),
  bytes: Type.Unsafe<Buffer>({}),
  type: Type.String(),
});
export type FileBody = Static<typeof fileBody>;

/** Whether the body of an endpoint is a file instead of JSON. */
export const takesFile = ({ body }: { readonly body?: unknown }): boolean => body === fileBody;

/** Whether an endpoint exchanges files instead of JSON, in either direction. */
export const isAboutFile = (endpoint: Pick<Endpoint, 'body' | 'documents' | 'data'>): boolean =>
  takesFile(endpoint) ||
  (endpoint.documents !== undefined && (endpoint.data as { type?: unknown }).type === 'null');
