/** A file that a browser sent with a form. */
export interface SentFile {
  readonly name: string;
  /** The declared content type. */
  readonly type: string;
  readonly bytes: Buffer;
}

type SentFiles = ReadonlyMap<string, SentFile>;

/** The files of submitted forms, which the schemas of their bodies do not describe. */
const filesOf = new WeakMap<object, SentFiles>();

/** Keeps the files of a submitted form for `prepare` of its endpoint. */
export const keepSentFiles = (body: object, files: SentFiles): void =>
  void filesOf.set(body, files);

/** Returns the files of a submitted form by the names of their inputs, once. */
export function takeSentFiles(body: object): SentFiles {
  const files = filesOf.get(body) ?? new Map<string, SentFile>();
  filesOf.delete(body);
  return files;
}
