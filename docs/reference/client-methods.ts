import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { isAboutFile } from '#core/endpoint/file-body.ts';
import { isKeyed } from '#platform/openapi/responses.ts';
import { pagedOf } from '#platform/openapi/success.ts';
import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';
import { camelCase, pascalCase } from '../../sdk/generator/words.ts';
import { tableOf } from './markdown.ts';

/** Returns a section per resource of the client: a table of its methods. */
export const clientMethodSections = (): string[] =>
  Object.entries(tags).flatMap(([tag, summary]) => {
    const own = endpoints.filter((endpoint) => isOfClient(endpoint) && tagOf(endpoint) === tag);
    return own.length === 0 ? [] : [`## ${camelCase(tag)}`, summary, methodTable(own)];
  });

/** The client speaks JSON, with a key or as a visitor. */
const isOfClient = (endpoint: Endpoint): boolean =>
  (isKeyed(endpoint) || endpoint.kind === 'public') && !isAboutFile(endpoint);

const tagOf = ({ id }: Endpoint): string => id.split('.')[0] ?? '';

const methodTable = (own: readonly Endpoint[]): string =>
  tableOf(['Method', 'Call', 'Scope', 'What it does'], own.flatMap(rowsOf));

function rowsOf(endpoint: Endpoint): readonly (readonly string[])[] {
  const { id, method, path, summary } = endpoint;
  const [tag = '', verb = ''] = id.split('.').map(camelCase);
  const call = `\`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``;
  const rowOf = (name: string, does: string) => [
    `\`${tag}.${name}(${parametersOf(endpoint)})\``,
    call,
    scopeOf(endpoint),
    does,
  ];
  const iterator = verb === 'list' ? 'iterate' : `iterate${pascalCase(verb)}`;
  const paged = pagedOf(endpoint);
  const iterates =
    paged === true || paged === 'feed' ? [rowOf(iterator, `Iterate over all of \`${verb}\``)] : [];
  return [rowOf(verb, summary), ...iterates];
}

/** The ids of the path, then the body and the query, as the client takes them. */
const parametersOf = ({ path, body, query }: Endpoint): string =>
  [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => name),
    ...(body ? ['body'] : []),
    ...(query ? ['query'] : []),
  ].join(', ');

function scopeOf(endpoint: Endpoint): string {
  if (!isKeyed(endpoint)) {
    return 'no key';
  }
  const { access } = endpoint;
  if (access.kind === 'key') {
    return `\`${access.scope}\``;
  }
  return access.kind === 'agency' ? 'agency key' : 'any key';
}
