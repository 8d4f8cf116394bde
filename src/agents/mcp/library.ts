type Server = typeof import('@modelcontextprotocol/server');

/** The library of the protocol, and what is made once because compiling it takes a millisecond. */
export interface Library extends Server {
  /** The parameters of a method of ours, which checks them itself. */
  readonly anyParams: ReturnType<Server['fromJsonSchema']>;
}

let loaded: Promise<Library> | undefined;

/** Loads the library with the first request: servers without agents never need it. */
export const loadLibrary = (): Promise<Library> => (loaded ??= load());

async function load(): Promise<Library> {
  const server = await import('@modelcontextprotocol/server');
  return { ...server, anyParams: server.fromJsonSchema({ type: 'object' }) };
}
