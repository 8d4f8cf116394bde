/** The parts of the OpenAPI document that a collection needs. */
interface Described {
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
}

interface DescribedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
}

/**
 * Returns a Postman collection (v2.1, which Bruno and Insomnia import, too) of an OpenAPI document:
 * a folder per tag, a request per operation with its first example. The variables `baseUrl` and
 * `apiKey` hold what differs between installations.
 */
export function collectionOf(document: object): object {
  const { info, servers, tags, paths } = document as Described;
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: { name: operation.summary, request: requestOf(path, method, operation) },
    })),
  );
  return {
    info: {
      name: `${info.title} ${info.version}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: servers[0]?.url ?? '' },
      { key: 'apiKey', value: '' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
}

function requestOf(path: string, method: string, operation: DescribedOperation): object {
  const { description, security, parameters, requestBody } = operation;
  const inPlace = (place: string) => parameters.filter((one) => one.in === place);
  const body = Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.value;
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const query = inPlace('query').map((one) => ({
    ...keyValue(one),
    // Optional parameters are listed and switched off.
    ...(one.example === undefined && { disabled: true }),
  }));
  const sent = query.filter((one) => !('disabled' in one));
  const text = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  return {
    method: method.toUpperCase(),
    description,
    ...(security.length === 0 && { auth: { type: 'noauth' } }),
    header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
    url: {
      raw: `{{baseUrl}}${pattern}${text && `?${text}`}`,
      host: ['{{baseUrl}}'],
      path: pattern.slice(1).split('/'),
      query,
      variable: inPlace('path').map(keyValue),
    },
    ...(body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(body, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  };
}

const keyValue = ({ name, example, description }: DescribedParameter) => ({
  key: name,
  value: typeof example === 'string' || typeof example === 'number' ? String(example) : '',
  ...(description !== undefined && { description }),
});
