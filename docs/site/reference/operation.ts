import { exampleOf } from '#core/schema/example.ts';
import { tellingExample } from '#platform/openapi/telling-example.ts';
import { endpoints } from '#registry/endpoints.ts';
import { openapiDocument } from '#registry/openapi.ts';
import { inlineReferences } from './inline.ts';

/** JSON Schema, as far as the endpoints use it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly description?: string;
  readonly example: unknown;
}

/** An endpoint of the OpenAPI document, with an example of each part. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  /** Of the heading, unique among all operations. */
  readonly anchor: string;
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly type: string; readonly schema: Schema; readonly example: unknown };
  readonly response: {
    /** The statuses of success, such as `201`, or `200 or 201`. */
    readonly status: string;
    readonly type: string;
    readonly schema: Schema;
    readonly example: unknown;
  };
  /** Error codes by status. */
  readonly errors: readonly { readonly status: string; readonly codes: readonly string[] }[];
}

/** The operations of a tag, on one page. */
export interface Tag {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** The server that the document names; the script of the site shows the real one instead. */
export const BASE_URL = 'https://crm.example.com';

/** Returns the tags in reading order, each with its operations in the order of their declaration. */
export function referenceTags(): readonly Tag[] {
  const named = openapiDocument({ version: '', baseUrl: BASE_URL }) as Described;
  const paths = inlineReferences(named).paths;
  const operations = endpoints.map(({ path: pattern, method: name }) => {
    const [path, method] = [pattern.replaceAll(/:(\w+)/g, '{$1}'), name.toLowerCase()];
    const [described, one] = [paths[path]?.[method], named.paths[path]?.[method]];
    if (!described || !one) {
      throw new Error(`${name} ${pattern} is not in the document`);
    }
    return operationOf({ path, method, described, errors: errorsOf(named, one) });
  });
  return named.tags.map(({ name, description }) => ({
    name,
    title: titleOf(name),
    description,
    operations: operations.filter(({ tag }) => tag === name),
  }));
}

interface Described {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { description: string }>> };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Omit<Parameter, 'example'> & { readonly example?: unknown })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, DescribedContent>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, DescribedContent>>;
}

interface DescribedContent {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

const kinds = new Map(endpoints.map(({ id, kind }) => [id, kind]));

/** The error codes of an operation by status: the descriptions of the shared responses. */
const errorsOf = ({ components }: Described, { responses }: DescribedOperation) =>
  Object.entries(responses).flatMap(([status, { $ref }]) => {
    const codes = components.responses[$ref?.split('/').at(-1) ?? '']?.description.split(', ');
    return codes ? [{ status, codes }] : [];
  });

function operationOf({
  path,
  method,
  described,
  errors,
}: Pick<Operation, 'path' | 'method' | 'errors'> & {
  readonly described: DescribedOperation;
}): Operation {
  const { operationId: id, summary, description, parameters, requestBody, responses } = described;
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const status = successes.map(([one]) => one).join(' or ');
  const success = successes[0]?.[1];
  const [type = '', content] = Object.entries(success?.content ?? {})[0] ?? [];
  const [bodyType = '', body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    id,
    tag: described.tags[0],
    anchor: id.replaceAll('.', '-'),
    kind: kinds.get(id) ?? '',
    method: method.toUpperCase(),
    path,
    summary,
    description,
    parameters: parameters.map((one) => ({
      ...one,
      example: one.example ?? tellingExample(exampleOf(one.schema, one.name), one.name),
    })),
    ...(body && { body: { type: bodyType, schema: body.schema, example: bodyExample(body) } }),
    response: { status, type, schema: content?.schema ?? {}, example: content?.example },
    errors,
  };
}

const FEW = 3;

/** The first example, or its first few members if it shows all of them. */
function bodyExample({ examples = {} }: DescribedContent): unknown {
  const [[name, { value }] = ['', { value: {} }]] = Object.entries(examples);
  return name === 'whole' ? Object.fromEntries(Object.entries(value).slice(0, FEW)) : value;
}

/** `public-booking` as `Public booking`; `Sub-accounts` keeps its hyphen. */
const titleOf = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll(/(?<!^Sub)-/g, ' ');
