import type { TObject } from 'typebox';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { takesFile } from '#core/endpoint/file-body.ts';
import { exampleOf } from '#core/schema/example.ts';
import type { Components } from './components.ts';
import { operationName } from './names.ts';
import { tellingExample } from './telling-example.ts';

/** A body that can be sent as it stands. */
interface BodyExample {
  readonly summary: string;
  readonly value: object;
}

/** Examples by endpoint, where generated ones would be refused. */
export interface RequestExamples {
  /** By name of the example. */
  readonly bodies: Readonly<Record<string, Readonly<Record<string, BodyExample>>>>;
  /** By name of the parameter. */
  readonly queries: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Real responses of endpoints, by id and status. */
export type ResponseExamples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface OperationContext {
  readonly components: Components;
  readonly requestExamples: RequestExamples;
  readonly responseExamples: ResponseExamples;
}

/** Returns the body that an endpoint accepts, with its examples. */
export function requestBodyOf(
  endpoint: Endpoint & { readonly body: TObject },
  { components, requestExamples: { bodies } }: OperationContext,
): object {
  const { id, body, takes = [] } = endpoint;
  if (takesFile(endpoint)) {
    return { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
  }
  const isOptional = 'bodyOptional' in endpoint && endpoint.bodyOptional;
  const schema = components.place(body, `${operationName(id)}Body`);
  return {
    required: !isOptional,
    content: {
      'application/json': { schema, examples: bodies[id] ?? generatedExamples(body) },
      ...textsOf(takes),
    },
  };
}

/** Content of types other than JSON. */
export const textsOf = (types: readonly string[] = []) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

/** Returns example bodies: the required members, if any, and all members. */
function generatedExamples(body: TObject): object {
  const members = Object.entries(body.properties).filter(([, schema]) => !isRefused(schema));
  const whole = Object.fromEntries(
    members.map(([name, schema]) => [name, tellingExample(exampleOf(schema, name), name)]),
  );
  const required = new Set(body.required as string[] | undefined);
  const least = Object.fromEntries(Object.entries(whole).filter(([name]) => required.has(name)));
  const isWhole = required.size === Object.keys(whole).length;
  return {
    ...(required.size > 0 && { least: { summary: 'required members', value: least } }),
    ...(!isWhole && { whole: { summary: 'all members', value: whole } }),
  };
}

/** A member that another endpoint changes has a description, which names it, and no type. */
export const isRefused = (schema: { readonly description?: string }): boolean =>
  schema.description !== undefined && Object.keys(schema).length === 1;
