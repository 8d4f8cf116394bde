import { UsageFault } from './fault.ts';

/** An environment variable: its validation, `config/frontdesk.example.env` and docs derive from this. */
export interface Variable<T = any> {
  readonly name: string;
  readonly meaning: string;
  /** The accepted values in words, for the example file and error messages. */
  readonly takes: string;
  /** The default value. */
  readonly default?: string;
  /** The default in words if it is not a fixed value. */
  readonly otherwise?: string;
  /** The hint if the variable is required and missing. */
  readonly hint?: string;
  /** Errors do not repeat the value; of a `url` they omit user, password and query. */
  readonly secret?: true | 'url';
  /** Returns undefined if the text is not valid. */
  readonly parse: (text: string) => T | undefined;
}

export type Variables = Readonly<Record<string, Variable>>;

type Parsed<V> = V extends Variable<infer T> ? T : never;

/** The values of variables; those with a default are always present. */
export type Values<V extends Variables> = {
  readonly [K in keyof V]: V[K] extends { default: string }
    ? Parsed<V[K]>
    : Parsed<V[K]> | undefined;
};

type VariableInput<V extends Variables, R extends keyof V> = Values<V> & {
  readonly [K in R]: Parsed<V[K]>;
};

export const defineVariable = <T, const D extends Omit<Variable<T>, 'parse'>>(
  declared: D & { readonly parse: (text: string) => T | undefined },
): D & Variable<T> => declared;

/** Reads all variables. Throws a UsageFault with a line for each that is wrong or missing. */
export function readVariables<V extends Variables, R extends keyof V = never>(
  variables: V,
  source: Readonly<Record<string, string | undefined>>,
  required: readonly R[] = [],
): VariableInput<V, R> {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(variables).map(([key, variable]) => {
      const text = source[variable.name] || variable.default;
      const value: unknown = text === undefined ? undefined : variable.parse(text);
      if (text !== undefined && value === undefined) {
        problems.push(`${variable.name}: ${shown(variable, text)}. Use ${variable.takes}`);
      } else if (text === undefined && (required as readonly string[]).includes(key)) {
        const hint = variable.hint === undefined ? '' : `. ${variable.hint}`;
        problems.push(`${variable.name} is not set. Use ${variable.takes}${hint}`);
      }
      return [key, value];
    }),
  );
  if (problems.length > 0) {
    throw new UsageFault(problems.join('\n'));
  }
  return values as VariableInput<V, R>;
}

function shown({ secret }: Variable, text: string): string {
  const visible = secret === 'url' ? withoutCredentials(text) : secret ? undefined : text;
  return visible === undefined
    ? `invalid value of ${text.length} characters`
    : `invalid value ${JSON.stringify(visible)}`;
}

/** Returns scheme, host and path of a URL, or undefined for text that may contain a password. */
function withoutCredentials(text: string): string | undefined {
  if (WORD.test(text)) {
    return text;
  }
  const parts = URL_PARTS.exec(text);
  return parts ? `${parts[1]}${parts[2] === undefined ? '' : '***@'}${parts[3]}` : undefined;
}

/** A user and password end at the last @. */
const URL_PARTS = /^([a-z][a-z\d+.-]*:\/\/)(?:(.*)@)?([\w.[\]-]*(?::\d*)?(?:\/[\w.-]*)*)(?:\?.*)?$/;
/** The name of a scheme or store, written without an address. */
const WORD = /^[a-z]{1,12}$/;

/** Returns an environment file that explains every variable and sets none. */
export function exampleOf(variables: Variables): string {
  const entries = Object.values(variables).map(
    ({ name, meaning, takes, default: value, otherwise }) => {
      const fallback = otherwise ?? value;
      const without = fallback === undefined ? '' : ` Default: ${fallback}.`;
      return `# ${meaning} Use ${takes}.${without}\n#${name}=${value ?? ''}\n`;
    },
  );
  return entries.join('\n');
}
