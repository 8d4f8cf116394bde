/** The values that statements of this slice refer to by name. */
export interface Bindings {
  readonly sub: string;
  readonly contacts: readonly string[];
  readonly addresses: readonly string[];
  readonly records: readonly string[];
  readonly patterns: readonly string[];
  /** The rows of a batch: those after one key, until another one. */
  readonly after?: readonly string[] | undefined;
  readonly until?: readonly string[] | undefined;
}

const TYPES: Readonly<Record<keyof Bindings, string>> = {
  sub: 'uuid',
  contacts: 'uuid[]',
  addresses: 'text[]',
  records: 'text[]',
  patterns: 'text[]',
  after: 'text[]',
  until: 'text[]',
};

/** A name after one colon: two are a cast. */
const NAME = /(?<!:):(sub|contacts|addresses|records|patterns|after|until)\b/g;

/** Returns a statement with numbered parameters for its names: `:sub` becomes `$1::uuid`. */
export function bound(
  text: string,
  bindings: Bindings,
): { readonly text: string; readonly values: unknown[] } {
  const used: (keyof Bindings)[] = [];
  const numbered = text.replaceAll(NAME, (_, name: keyof Bindings) => {
    const index = used.includes(name) ? used.indexOf(name) : used.push(name) - 1;
    return `$${index + 1}::${TYPES[name]}`;
  });
  return { text: numbered, values: used.map((name) => bindings[name]) };
}
