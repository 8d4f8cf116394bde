import { pointerToken } from '#core/fault.ts';
import type { EntryIssue, Section } from '#core/section.ts';
import { VARIABLES } from '#platform/config/environment.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The texts of a manifest that contain `${env:NAME}`, by JSON pointer. */
export type References = ReadonlyMap<string, string>;

const REFERENCE = /\$(\$*)\{env:([^}]*)\}/g;
const WHOLE = /^\$\{env:[^}]*\}$/;
const VARIABLE = /^[A-Za-z_]\w*$/;

/**
 * Prefixes of variables that configure Frontdesk, its database client and Node.js. A manifest may come
 * from a customer, and must not be able to send one of their values to an address of its choice.
 */
const OWN_PREFIXES = ['FRONTDESK_', 'DATABASE_', 'PG', 'POSTGRES_', 'NODE_'];
const OWN_NAMES: ReadonlySet<string> = new Set(
  Object.values(VARIABLES).flatMap(({ name }) => [name, `${name}_FILE`]),
);

/** Returns the stored value of a text with references at a path of the manifest. */
export type StoredValue = (path: string, text: string) => string | undefined;

/** The variables of a process, or the values that were stored when the references were applied. */
export type ReferenceValues = { readonly variables: Variables } | { readonly kept: StoredValue };

interface Resolved {
  readonly value: unknown;
  readonly references: References;
  readonly issues: readonly EntryIssue[];
}

/**
 * Returns the manifest with `${env:NAME}` replaced where its sections allow it, never in names of
 * members; the value of a variable is not searched again. `$${env:NAME}` stands for the text
 * `${env:NAME}` everywhere.
 */
export function resolveReferences(
  value: unknown,
  values: ReferenceValues,
  sections: readonly Section[],
): Resolved {
  const issues: EntryIssue[] = [];
  const references = new Map<string, string>();
  const report = (path: string, message: string) => void issues.push({ path, message });
  const checkedText = (text: string, path: string): string => {
    if (text.includes('\0') || !text.isWellFormed()) {
      report(path, 'contains a character that is not allowed: NUL or a lone surrogate');
    }
    return text;
  };
  const resolveText = (text: string, path: string): string => {
    // Most texts contain none, and there are as many sections to look through as there are fields.
    if (!text.includes('{env:')) {
      return checkedText(text, path);
    }
    const isAllowed = sections.some((section) => takesReference(section, path, text));
    const kept = 'kept' in values && isAllowed ? values.kept(path, text) : undefined;
    if (kept !== undefined) {
      references.set(path, text);
      return kept;
    }
    const resolved = text.replaceAll(REFERENCE, (whole, escapes: string, name: string) => {
      if (escapes) {
        return whole.slice(1);
      }
      const wrong = refusalOf(whole, name, values) ?? (isAllowed ? undefined : elsewhere(name));
      if (wrong !== undefined) {
        report(path, wrong(sections));
        return whole;
      }
      references.set(path, text);
      return 'variables' in values ? (values.variables[name] ?? '') : whole;
    });
    return checkedText(resolved, path);
  };
  return { value: mapTexts(value, resolveText), references, issues };
}

type Refusal = (sections: readonly Section[]) => string;

function refusalOf(whole: string, name: string, values: ReferenceValues): Refusal | undefined {
  if (!VARIABLE.test(name)) {
    return () =>
      `contains ${whole}, which is not a valid variable name; write $${whole} for the text itself`;
  }
  if (isOwn(name)) {
    return () =>
      `refers to ${name}, which configures Frontdesk itself; use a variable whose name does not begin with ${OWN_PREFIXES.join(', ')}`;
  }
  if ('kept' in values) {
    return () =>
      `refers to the environment variable ${name}, which the console never reads; keep it where it is stored, or apply the manifest with frontdesk admin apply`;
  }
  return values.variables[name] === undefined
    ? () => `needs the environment variable ${name}, which is not set`
    : undefined;
}

const elsewhere =
  (name: string): Refusal =>
  (sections) =>
    `refers to the environment variable ${name}; \${env:…} is allowed only in ${labelsOf(sections)}; write $\${env:${name}} for the text itself`;

/** Ignores case: Windows does. */
function isOwn(name: string): boolean {
  const upper = name.toUpperCase();
  return OWN_NAMES.has(upper) || OWN_PREFIXES.some((prefix) => upper.startsWith(prefix));
}

const labelsOf = (sections: readonly Section[]): string =>
  sections.flatMap(({ environment }) => environment?.label ?? []).join(', ');

/** Only credentials: any other field is shown, or decides where a value is sent. */
function takesReference(
  { name, match, environment }: Section,
  path: string,
  text: string,
): boolean {
  const [, section, ...rest] = path.split('/');
  const within = `/${(match === 'only' ? rest : rest.slice(1)).join('/')}`;
  return (
    section === name &&
    (environment?.path.test(within) === true ||
      (environment?.wholePath?.test(within) === true && WHOLE.test(text)))
  );
}

function mapTexts(
  value: unknown,
  change: (text: string, path: string) => string,
  path = '',
): unknown {
  if (typeof value === 'string') {
    return change(value, path);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => mapTexts(item, change, `${path}/${index}`));
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          mapTexts(member, change, `${path}/${pointerToken(name)}`),
        ]),
      )
    : value;
}

/** Escapes `${env:…}` in a text, which `resolveReferences` reverses. */
export const escapeReferences = (text: string): string =>
  text.replaceAll(REFERENCE, (whole) => `$${whole}`);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
