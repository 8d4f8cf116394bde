import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { invalid, type Issue } from '#core/fault.ts';

/** The arguments of a tool or action, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The parts of a call, as a request has them. */
export interface CallParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Arguments;
  /** Undefined without a body. */
  readonly body: Arguments | undefined;
}

type Properties = Readonly<Record<string, object>>;

const propertiesOf = (schema: { readonly properties?: object } | undefined): Properties =>
  (schema?.properties ?? {}) as Properties;

/** Returns whether the path of an endpoint names a record by `:id`. */
export const hasId = ({ path }: KeyedEndpoint): boolean => /\/:id\b/.test(path);

/** Returns the argument that stands for `:id` in the path, such as `contactId`. */
export function idArgument({ path, body }: KeyedEndpoint): string {
  const noun = /\/([a-z-]+)\/:id\b/.exec(path)?.[1] ?? '';
  const name = `${noun.replace(/ies$/, 'y').replace(/s$/, '')}Id`;
  // Merging takes two contacts: the body names the other one.
  return name in propertiesOf(body) ? 'id' : name;
}

const argumentOf = (endpoint: KeyedEndpoint, param: string): string =>
  param === 'id' ? idArgument(endpoint) : param;

/** Returns the arguments of an endpoint with their schemas, and those that are required. */
export function argumentsOf(endpoint: KeyedEndpoint): {
  readonly properties: Properties;
  readonly required: readonly string[];
} {
  const { params, query, body } = endpoint;
  const fromPath = Object.entries(propertiesOf(params)).map(
    ([name, schema]) => [argumentOf(endpoint, name), schema] as const,
  );
  const required = [query, body].flatMap((part) => (part?.['required'] as string[]) ?? []);
  return {
    properties: {
      ...Object.fromEntries(fromPath),
      ...propertiesOf(query),
      ...propertiesOf(body),
    },
    required: [...fromPath.map(([name]) => name), ...required],
  };
}

/**
 * Throws VALIDATION_ERROR if an argument that stands for an id in the path is missing, or no string: the
 * endpoint would find no record, and a person who approves the call would see another value.
 */
export function refuseMissingIds(endpoint: KeyedEndpoint, given: Arguments): void {
  const issues = Object.keys(propertiesOf(endpoint.params))
    .map((param) => argumentOf(endpoint, param))
    .filter((name) => typeof given[name] !== 'string')
    .map((name): Issue => {
      const message = given[name] === undefined ? 'is required' : 'must be a string';
      return { in: 'body', path: `/${name}`, message };
    });
  if (issues.length > 0) {
    throw invalid(issues);
  }
}

/** Sorts arguments into path, query and body. Unknown ones go into the last part, which refuses them. */
export function partsOf(endpoint: KeyedEndpoint, given: Arguments): CallParts {
  const params: Record<string, string> = {};
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  const inPath = new Map(
    Object.keys(propertiesOf(endpoint.params)).map((name) => [argumentOf(endpoint, name), name]),
  );
  const queryNames = propertiesOf(endpoint.query);
  const bodyNames = propertiesOf(endpoint.body);
  const hasBody = endpoint.method !== 'GET' && endpoint.body !== undefined;
  for (const [name, value] of Object.entries(given)) {
    const param = inPath.get(name);
    if (param !== undefined) {
      params[param] = String(value);
    } else if (Object.hasOwn(queryNames, name) || (!hasBody && !Object.hasOwn(bodyNames, name))) {
      query[name] = value;
    } else {
      body[name] = value;
    }
  }
  return { params, query, body: hasBody || Object.keys(body).length > 0 ? body : undefined };
}

/** Returns the query as a URL carries it: lists separated by commas. */
export function searchOf(query: Arguments): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) {
      search.append(name, Array.isArray(value) ? value.join(',') : textOf(value));
    }
  }
  return search;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Returns the path of a call with its ids. */
export const pathOf = ({ path }: KeyedEndpoint, params: CallParts['params']): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
