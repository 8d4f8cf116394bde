/** The library of the protocol, loaded with the first request: servers without agents never need it. */
export type Library = typeof import('@modelcontextprotocol/server');

let loaded: Promise<Library> | undefined;

export const loadLibrary = (): Promise<Library> =>
  (loaded ??= import('@modelcontextprotocol/server'));
