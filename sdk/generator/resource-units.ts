import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { isAboutFile } from '../../src/core/endpoint/file-body.ts';
import { endpoints } from '../../src/registry/endpoints.ts';
import type { Names } from './names.ts';
import { tagUnit } from './tag-unit.ts';
import type { Unit } from './unit.ts';
import { camelCase } from './words.ts';

/** Files are exchanged with `fetch`: the client speaks JSON. */
const isKeyed = (endpoint: Endpoint) => endpoint.kind === 'keyed' && !isAboutFile(endpoint);

/** Public endpoints of the client; pages and streams are for browsers. */
const isPublic = (endpoint: Endpoint) => endpoint.kind === 'public' && !isAboutFile(endpoint);

/** Generates a file per tag, and a file with the list of them. */
export function resourceUnits(names: Names): Unit[] {
  const keyed = tagsOf(endpoints.filter(isKeyed));
  const open = tagsOf(endpoints.filter(isPublic));
  const tags = [...keyed, ...open].toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (new Set(tags.map(([tag]) => tag)).size < tags.length) {
    throw new Error('the endpoints of a tag must all be keyed or all be public');
  }
  return [
    ...tags.map(([tag, own]) => tagUnit(tag, own, names)),
    {
      file: 'resources',
      imports: [
        `import type { Api } from '../api.ts';`,
        ...tags.map(([tag]) => `import { ${camelCase(tag)} } from './${tag}.ts';`),
      ],
      text: [
        resourcesText('keyedResources', 'What takes a key.', keyed),
        resourcesText('publicResources', 'What visitors may call.', open),
      ].join('\n\n'),
    },
  ];
}

type Tag = readonly [string, readonly Endpoint[]];

const tagsOf = (some: readonly Endpoint[]): Tag[] => [
  ...Map.groupBy(some, ({ id }) => id.split('.')[0] ?? ''),
];

function resourcesText(name: string, summary: string, tags: readonly Tag[]): string {
  const members = tags.map(([tag]) => `${camelCase(tag)}: ${camelCase(tag)}(api),`);
  return `/** ${summary} */\nexport const ${name} = (api: Api) => ({\n${members.join('\n')}\n});`;
}
