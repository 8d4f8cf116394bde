import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { pagedOf } from '../../src/platform/openapi/success.ts';
import { methodText } from './method-text.ts';
import type { Names } from './names.ts';
import type { Unit } from './unit.ts';
import { camelCase } from './words.ts';

/** The methods of the endpoints of one tag: `contacts.list`, `contacts.get`, … */
export function tagUnit(tag: string, endpoints: readonly Endpoint[], names: Names): Unit {
  const parts = endpoints.map((endpoint) => methodText(endpoint, names));
  const declarations = parts.flatMap((part) => part.declarations);
  const methods = parts.flatMap((part) => part.methods);
  const iterators = [
    ...(endpoints.some((endpoint) => pagedOf(endpoint) === 'feed') ? ['iterateFeed'] : []),
    ...(endpoints.some((endpoint) => pagedOf(endpoint) === true) ? ['iterateList'] : []),
    ...(endpoints.some((endpoint) => pagedOf(endpoint) === 'size') ? ['wholeList'] : []),
  ];
  return {
    file: tag,
    imports: [
      `import type { Api } from '../api.ts';`,
      ...(iterators.length > 0 ? [`import { ${iterators.join(', ')} } from '../iterate.ts';`] : []),
      `import type { CallOptions } from '../options.ts';`,
      `import { path } from '../path.ts';`,
    ],
    text: [
      ...declarations,
      `export const ${camelCase(tag)} = (api: Api) => ({\n${methods.join('\n\n')}\n});`,
    ].join('\n\n'),
  };
}
