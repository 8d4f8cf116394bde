import { Type, type TSchema } from 'typebox';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { EventType } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';
import { SCOPE_GRANTS } from '#core/scope.ts';
import { INFO, SCHEMES, type Credential } from './about.ts';
import { openComponents, type Components } from './components.ts';
import { operationOf, PARAMETERS } from './operation.ts';
import type { RequestExamples } from './request-body.ts';
import { FAULT_EXAMPLES, HEADERS, refusalsOf } from './responses.ts';
import { webhookOf, type DeliveryHeaders } from './webhooks.ts';

/** What the document describes. */
export interface Declarations {
  readonly endpoints: readonly Endpoint[];
  /** The credentials of callers. */
  readonly behind: Credential;
  /** Descriptions by tag: the first word of an endpoint's id. */
  readonly tags: Readonly<Record<string, string>>;
  /** Schemas that have names of their own, by name. */
  readonly schemas: ReadonlyMap<string, TSchema>;
  readonly requestExamples: RequestExamples;
  /** What subscriptions receive, if the callers can subscribe. */
  readonly webhooks?: Webhooks;
}

interface Webhooks {
  readonly events: readonly EventType[];
  /** The members that the data of every event has. */
  readonly common: TSchema;
  readonly deliveryHeaders: DeliveryHeaders;
}

export interface About {
  readonly version: string;
  readonly baseUrl: string;
}

/** Returns the OpenAPI 3.1 document, derived from the declarations. Paths and schemas are sorted. */
export function openapi(declarations: Declarations, { version, baseUrl }: About): object {
  const { endpoints, tags, schemas, behind, webhooks } = declarations;
  const components = openComponents(new Map<string, object>([...ERRORS, ...schemas]));
  const paths = pathsOf(declarations, components);
  const received = webhooks && webhooksOf(webhooks, components);
  components.place(ERROR, 'ApiError');
  const refusals = endpoints.flatMap(refusalsOf);
  const used = new Set<string>(refusals.flatMap(({ codes }) => codes));
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      ...INFO[behind],
      version,
      contact: { name: 'Documentation of this server', url: `${baseUrl}/docs` },
      license: { name: 'UNLICENSED', url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl, description: 'this server' }],
    security: [{ [behind]: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    ...(received && { webhooks: received }),
    components: {
      securitySchemes: SCHEMES[behind],
      schemas: components.all(),
      parameters: PARAMETERS[behind],
      responses: Object.fromEntries(
        refusals
          .map(({ name, response }) => [name, response] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      headers: HEADERS,
      examples: Object.fromEntries(
        Object.entries(FAULT_EXAMPLES).filter(([code]) => used.has(code)),
      ),
    },
    'x-scopes': SCOPE_GRANTS,
  };
}

function pathsOf({ endpoints, requestExamples }: Declarations, components: Components): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints.toSorted(byPath)) {
    const path = pathOf(endpoint);
    const operation = operationOf(endpoint, { components, requestExamples });
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  return paths;
}

const webhooksOf = ({ events, ...rest }: Webhooks, components: Components): object =>
  Object.fromEntries(
    events.map((event) => [event.name, { post: webhookOf(event, { ...rest, components }) }]),
  );

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const pathOf = ({ path }: Endpoint): string => path.replaceAll(/:(\w+)/g, '{$1}');

const byPath = (a: Endpoint, b: Endpoint): number =>
  pathOf(a) === pathOf(b)
    ? METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
    : pathOf(a) < pathOf(b)
      ? -1
      : 1;

const ISSUE = Type.Object({
  in: s.oneOf(['body', 'query', 'path', 'header'], { description: 'the part of the request' }),
  path: Type.String({ description: 'a JSON pointer into that part; empty for the whole' }),
  message: Type.String({ description: 'what is wrong' }),
});

const DETAILS = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ description: 'a more exact reason, where one is defined' }),
    ),
    issues: Type.Optional(Type.Array(ISSUE)),
  },
  { additionalProperties: true },
);

const FAILURE = Type.Object({
  code: Type.String({ description: 'the reason, for decisions of your program' }),
  message: Type.String({ description: 'the same in words, for logs and people' }),
  details: Type.Optional(DETAILS),
});

const ERROR = Type.Object({ error: FAILURE });

const ERRORS = [
  ['ApiError', ERROR],
  ['Failure', FAILURE],
  ['FailureDetails', DETAILS],
  ['Issue', ISSUE],
] as const;
