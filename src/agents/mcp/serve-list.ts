import type { Server } from '@modelcontextprotocol/server';
import type { Library } from './library.ts';

/** Serves a list that is returned whole. It gives out no cursor, so each cursor is refused. */
export function serveList(
  server: Server,
  { anyParams, ProtocolError, ProtocolErrorCode }: Library,
  method: 'tools/list' | 'resources/list' | 'resources/templates/list',
  list: () => Record<string, unknown>,
): void {
  // The library's own check of the parameters would respond with an internal error.
  server.setRequestHandler(method, { params: anyParams }, (params) => {
    if ((params as { readonly cursor?: unknown }).cursor !== undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `cursor: is unknown; ${method} returns everything without one`,
      );
    }
    return list();
  });
}
