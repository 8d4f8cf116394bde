type Server = typeof import('@modelcontextprotocol/server');
type Params<T = unknown> = ReturnType<
  typeof import('@modelcontextprotocol/server').fromJsonSchema<T>
>;

/** The library of the protocol, and what is made once because compiling it takes a millisecond. */
export interface Library extends Server {
  /** The parameters of a method of ours, which checks them itself. */
  readonly anyParams: Params;
  /** The parameters of `resources/read`. */
  readonly readParams: Params<{ readonly uri: string }>;
}

let loaded: Promise<Library> | undefined;

/** Loads the library with the first request: servers without agents never need it. */
export const loadLibrary = (): Promise<Library> => (loaded ??= load());

async function load(): Promise<Library> {
  const server = await import('@modelcontextprotocol/server');
  const read = { type: 'object', required: ['uri'], properties: { uri: { type: 'string' } } };
  return {
    ...server,
    anyParams: server.fromJsonSchema({ type: 'object' }),
    readParams: server.fromJsonSchema(read),
  };
}
