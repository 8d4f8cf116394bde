import { openapi } from '#platform/openapi/document.ts';
import { exampleOf } from '#core/schema/example.ts';
import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';
import { tellingExample } from './telling-example.ts';

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

/** Returns the tags in reading order, each with its operations. */
export function referenceTags(): readonly Tag[] {
  const document = openapi(endpoints, { version: '', baseUrl: BASE_URL, tags }) as Described;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => operationOf(document, path, method, one)),
  );
  return document.tags.map(({ name, description }) => ({
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
  readonly parameters: readonly Omit<Parameter, 'example'>[];
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
  readonly examples?: Readonly<Partial<Record<'least' | 'whole', { readonly value: unknown }>>>;
}

const kinds = new Map(endpoints.map(({ id, kind }) => [id, kind]));

function operationOf(
  { components }: Described,
  path: string,
  method: string,
  described: DescribedOperation,
): Operation {
  const { operationId: id, summary, description, parameters, requestBody, responses } = described;
  const [status = '200', success] = Object.entries(responses).find(([, one]) => !one.$ref) ?? [];
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
      example: tellingExample(exampleOfSchema(one.schema, one.name), one.name),
    })),
    ...(body && {
      body: {
        type: bodyType,
        schema: body.schema,
        example: tellingExample(bodyExample(body)),
      },
    }),
    response: {
      status,
      type,
      schema: content?.schema ?? {},
      example: tellingExample(content?.example),
    },
    errors: Object.entries(responses).flatMap(([code, { $ref }]) => {
      const name = $ref?.split('/').at(-1) ?? '';
      const named = components.responses[name]?.description.split(', ');
      return named ? [{ status: code, codes: named }] : [];
    }),
  };
}

const FEW = 3;

/** What is required, or the first few members where nothing is. */
function bodyExample({ schema, examples }: DescribedContent): unknown {
  const whole = Object.entries((examples?.whole?.value ?? {}) as Readonly<Record<string, unknown>>);
  const accepted = whole.filter(([name]) => !isRefused(schema.properties?.[name]));
  return examples?.least?.value ?? Object.fromEntries(accepted.slice(0, FEW));
}

/** A member that another endpoint changes has a description, which names it, and no type. */
export const isRefused = (schema: Schema | undefined): boolean =>
  schema?.description !== undefined && Object.keys(schema).length === 1;

const exampleOfSchema = (schema: Schema, name: string): unknown => exampleOf(schema, name);

/** `public-booking` as `Public booking`; `Sub-accounts` keeps its hyphen. */
const titleOf = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll(/(?<!^Sub)-/g, ' ');
