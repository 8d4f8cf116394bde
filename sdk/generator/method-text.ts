import type { TObject } from 'typebox';
import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { isKeyed, isRepeatable } from '../../src/platform/openapi/responses.ts';
import { metaOf, pagedOf } from '../../src/platform/openapi/success.ts';
import { declarationText, type Names } from './names.ts';
import { tsdoc } from './tsdoc.ts';
import { ownText, typeText } from './type-text.ts';
import { camelCase, pascalCase } from './words.ts';

/** The code of an endpoint. */
export interface MethodText {
  readonly methods: readonly string[];
  /** Types of this endpoint only, such as its body. */
  readonly declarations: readonly string[];
}

/** Returns a method, and an iterating one for paged lists. */
export function methodText(endpoint: Endpoint, names: Names): MethodText {
  const { id, method, body, query } = endpoint;
  const paged = pagedOf(endpoint);
  const { types, declarations } = typesOf(endpoint, names);
  const verb = camelCase(id.split('.')[1] ?? '');
  const place = `path\`${endpoint.path.replaceAll(/:(\w+)/g, '${$1}')}\``;
  const given = [
    ...(body ? ['body'] : []),
    ...(query ? ['query'] : []),
    'options',
    // Every keyed POST is repeatable.
    ...(isRepeatable(endpoint) && !isKeyed(endpoint) ? ['isRepeatable: true'] : []),
    ...(method === 'POST' && isKeyed(endpoint) && !endpoint.write ? ['isLookup: true'] : []),
  ].join(', ');
  const call = types.meta ? `answer<${types.data}, ${types.meta}>` : `data<${types.data}>`;
  const parameters = parametersOf(endpoint, types);
  const item = types.data?.replace(/\[\]$/, '');
  const result =
    paged === 'size'
      ? `wholeList<${item}>(api, ${place}, query, options)`
      : `api.${call}('${method}', ${place}, { ${given} })`;
  const methods = [`${tsdoc(paragraphsOf(endpoint))}\n${verb}: (${parameters}) => ${result},`];
  if (paged === true || paged === 'feed') {
    const iterate = paged === 'feed' ? 'iterateFeed' : 'iterateList';
    methods.push(
      `${tsdoc([`Iterates over all of \`${verb}\`, page by page.`])}
      ${verb === 'list' ? 'iterate' : `iterate${pascalCase(verb)}`}: (${parameters}) =>
        ${iterate}<${item}, ${types.meta}>(api, ${place}, query, options),`,
    );
  }
  return { methods, declarations };
}

type Types = Readonly<Partial<Record<'body' | 'query' | 'data' | 'meta', string>>>;

/** The types of its parts: names, or short texts. */
function typesOf(endpoint: Endpoint, names: Names) {
  const { id, body, query, data } = endpoint;
  const stem = id.split('.').map(pascalCase).join('');
  const declarations: string[] = [];
  const declared = (part: string, text: string): string => {
    const name = stem + pascalCase(part);
    declarations.push(`export ${declarationText(name, text)}`);
    return name;
  };
  const taken = (use: 'body' | 'query', schema: TObject | undefined) =>
    schema && { [use]: declared(use, ownText(schema, names.naming(use))) };
  const given = (part: 'data' | 'meta', schema = part === 'data' ? data : metaOf(endpoint)) => {
    const text = schema && typeText(schema, names.naming('answer'));
    return { [part]: text?.includes('\n') ? declared(part, text) : text };
  };
  const types: Types = {
    ...taken('body', body),
    ...taken('query', query),
    ...given('data'),
    ...given('meta'),
  };
  return { types, declarations };
}

/** The parameters: ids of the path, body, query, options. */
function parametersOf(endpoint: Endpoint, types: Types): string {
  const { path, query } = endpoint;
  const bodyOptional = isKeyed(endpoint) && endpoint.bodyOptional;
  const orNone = (isRequired: boolean) => (isRequired ? '' : ' = {}');
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`),
    types.body && `body: ${types.body}${orNone(!bodyOptional)}`,
    types.query && `query: ${types.query}${orNone(query?.required !== undefined)}`,
    'options?: CallOptions',
  ]
    .filter(Boolean)
    .join(', ');
}

function paragraphsOf(endpoint: Endpoint): string[] {
  const { summary, description, deprecated } = endpoint;
  const access = isKeyed(endpoint) ? endpoint.access : undefined;
  const scope = access?.kind === 'key' ? `Scope: \`${access.scope}\`.` : undefined;
  const agency = access?.kind === 'agency' ? 'Takes the key of an agency.' : undefined;
  const anyKey = access?.kind === 'any' ? 'Takes any key; no scope.' : undefined;
  const ends = deprecated && `@deprecated Ends on ${deprecated.sunset}.`;
  return [`${summary}.`, description, scope, agency, anyKey, ends].filter(
    (one) => one !== undefined,
  );
}
