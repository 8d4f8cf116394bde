import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const LINES_MAX = 300;

const filesUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|css|html)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules/'))
    .sort();

const FILES = [...filesUnder('bin'), ...filesUnder('src')];
const TESTS = [...filesUnder('test'), ...filesUnder('migrations')];
/** The checked files: sources, web pages, SDK and benches; not what is built from them. */
const OTHERS = [...filesUnder('web'), ...filesUnder('sdk'), ...filesUnder('bench')].filter(
  (file) => !/^(?:web\/built|sdk\/dist)\//.test(file),
);
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Static and dynamic imports of our own files, with `#` paths resolved as package.json does. */
function importsOf(from: string): Import[] {
  const found = textOf(from).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([#.][^']+)'/g);
  return [...found].map(([, given = '']) => ({
    from,
    to: given.startsWith('#')
      ? `src/${given.slice(1)}`
      : relative(ROOT, resolve(ROOT, dirname(from), given)),
  }));
}

const IMPORTS = FILES.flatMap(importsOf);

/** Returns the room of a file: its folder below `src`, or its top folder. */
const roomOf = (file: string): string =>
  file.startsWith('src/') ? (file.split('/')[1] ?? '') : (file.split('/')[0] ?? '');

const LAYERS = ['core', 'lib', 'platform', 'machinery', 'slice', 'registry', 'commands', 'bin'];
/** Rooms that use the platform and are not used by it. */
const MACHINERY = new Set(['backup', 'embedded-postgres']);
const layerOf = (file: string): number => {
  const room = roomOf(file);
  if (MACHINERY.has(room)) {
    return LAYERS.indexOf('machinery');
  }
  return LAYERS.indexOf([...LAYERS, 'migrations'].includes(room) ? room : 'slice');
};

/** The slices that each slice may import from; a new slice needs a line here. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  docs: [],
  manifest: ['accounts'],
  operations: ['accounts'],
  contacts: ['accounts'],
  files: ['accounts'],
  conversations: ['accounts', 'contacts', 'files'],
  calendars: ['accounts', 'contacts'],
  opportunities: ['accounts', 'contacts'],
  tasks: ['accounts', 'contacts'],
  catalog: ['accounts', 'contacts'],
  forms: ['accounts', 'contacts', 'files'],
  invoices: ['accounts', 'contacts', 'conversations'],
  booking: ['accounts', 'contacts', 'conversations', 'calendars'],
  chat: ['accounts', 'contacts', 'conversations', 'files'],
  campaigns: ['accounts', 'contacts', 'conversations'],
  webhooks: ['accounts'],
  privacy: ['accounts', 'contacts', 'booking'],
  workflows: [
    'accounts',
    'contacts',
    'conversations',
    'calendars',
    'booking',
    'opportunities',
    'tasks',
    'catalog',
    'forms',
    'invoices',
    'campaigns',
    'chat',
  ],
  agents: [
    'accounts',
    'contacts',
    'conversations',
    'calendars',
    'booking',
    'opportunities',
    'tasks',
    'catalog',
    'forms',
    'invoices',
    'campaigns',
    'chat',
    'webhooks',
    'workflows',
    'manifest',
    'operations',
    'console',
    'docs',
  ],
  console: [
    'accounts',
    'contacts',
    'conversations',
    'calendars',
    'booking',
    'opportunities',
    'tasks',
    'catalog',
    'forms',
    'invoices',
    'campaigns',
    'chat',
    'webhooks',
    'workflows',
    'manifest',
    'operations',
  ],
};

/** The kind in a file's name, such as `.entity`; other slices may import files of some kinds only. */
const KIND = /\.([a-z]+)\.ts$/;
const SHARED_KINDS = new Set(['entity', 'events', 'jobs', 'schema', 'store']);

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

/** Each cycle of imports as the path that closes it. */
function cycles(): string[] {
  const importsByFile = Map.groupBy(IMPORTS, ({ from }) => from);
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
    } else if (!finished.has(file)) {
      for (const { to } of importsByFile.get(file) ?? []) {
        visit(to, [...path, file]);
      }
      finished.add(file);
    }
  };
  FILES.forEach((file) => visit(file, []));
  return found;
}

describe('imports', () => {
  test('were found', () => {
    expect(FILES.length).toBeGreaterThan(100);
    expect(IMPORTS.length).toBeGreaterThan(300);
    const outside = IMPORTS.filter(
      ({ to }) =>
        !FILES.includes(to) &&
        !/^(?:migrations\/|package\.json$|docs\/site\/build-site\.ts$|src\/registry\/response-examples\.json$)/.test(
          to,
        ),
    );
    expect(outside.map(shown)).toEqual([]);
  });

  test('run one way: bin → commands → registry → slices → platform → lib → core', () => {
    const upward = IMPORTS.filter((one) => layerOf(one.from) < layerOf(one.to));
    expect(upward.map(shown)).toEqual([]);
  });

  test('never form a cycle, types included', () => {
    expect(cycles()).toEqual([]);
  });

  test('of core stay in core', () => {
    const outward = IMPORTS.filter(
      ({ from, to }) => roomOf(from) === 'core' && roomOf(to) !== 'core',
    );
    expect(outward.map(shown)).toEqual([]);
  });

  test('between slices keep their order', () => {
    const across = IMPORTS.filter(
      ({ from, to }) =>
        LAYERS[layerOf(from)] === 'slice' &&
        LAYERS[layerOf(to)] === 'slice' &&
        roomOf(from) !== roomOf(to),
    );
    for (const file of FILES.filter((one) => LAYERS[layerOf(one)] === 'slice')) {
      expect(MAY_USE, `${roomOf(file)} is a slice without an order`).toHaveProperty(roomOf(file));
    }
    const disorderly = across.filter(
      ({ from, to }) => !MAY_USE[roomOf(from)]?.includes(roomOf(to)),
    );
    expect(disorderly.map(shown)).toEqual([]);
    const inward = across.filter(({ to }) => {
      const kind = KIND.exec(to)?.[1];
      return kind !== undefined && !SHARED_KINDS.has(kind);
    });
    expect(inward.map(shown)).toEqual([]);
  });

  test('of endpoints and sections are in the registry only', () => {
    const taken = IMPORTS.filter(
      ({ from, to }) => /\.(?:api|section)\.ts$/.test(to) && roomOf(from) !== 'registry',
    );
    expect(taken.map(shown)).toEqual([]);
  });

  test('of core, lib, platform and registry use # from outside and a relative path within', () => {
    const wrong = FILES.flatMap((file) =>
      [...textOf(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([#.][^']+)'/g)]
        .map(([, given = '']) => given)
        .filter((given) =>
          given.startsWith('#')
            ? given.startsWith(`#${roomOf(file)}/`) && roomOf(file) !== 'commands'
            : /(?:^|\/)\.\.\/(?:core|lib|platform|registry)\//.test(given),
        )
        .map((given) => `${file} → ${given}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('a file', () => {
  test(`has at most ${LINES_MAX} lines`, () => {
    const long = [...FILES, ...TESTS, ...OTHERS].filter(
      (file) => textOf(file).split('\n').length - 1 > LINES_MAX,
    );
    expect(long).toEqual([]);
  });

  test('exports by name', () => {
    const given = FILES.filter((file) => /^export default\b/m.test(textOf(file)));
    expect(given).toEqual([]);
  });

  test('is no barrel', () => {
    const barrels = FILES.filter(
      (file) =>
        /^export (?:type )?(?:\*|\{[^}]*\}) from '[#.]/m.test(textOf(file)) ||
        /(?:^|\/)index\.ts$/.test(file),
    );
    expect(barrels).toEqual([]);
  });

  test('names private tables of graphile-worker only in the queue', () => {
    const naming = FILES.filter((file) => /graphile_worker\._|_private_/.test(textOf(file)));
    expect(naming).toEqual(['src/platform/queue/private-tables.ts']);
  });

  test('holds nothing that Node cannot strip', () => {
    const untyped =
      /^(?:export )?(?:declare )?(?:const )?(?:enum|namespace|abstract class)\b|^\s*@\w+\(/m;
    expect(FILES.filter((file) => untyped.test(textOf(file)))).toEqual([]);
  });

  test('holds a class only for an entity or a fault', () => {
    const classes = FILES.flatMap((file) =>
      [...textOf(file).matchAll(/^(?:export )?class (\w+) extends (\w+(?:\.\w+)*)/gm)].map(
        ([, name = '', parent = '']) => ({ file, name, parent }),
      ),
    );
    const declared = FILES.filter((file) => /^(?:export )?class /m.test(textOf(file)));
    expect(new Set(classes.map(({ file }) => file))).toEqual(new Set(declared));
    const odd = classes.filter(
      ({ file, parent }) =>
        !(file.endsWith('.entity.ts') && parent.endsWith('.class')) && parent !== 'Error',
    );
    expect(odd).toEqual([]);
  });

  test('of tests never skips and never stands alone', () => {
    const muted = TESTS.filter((file) =>
      /\b(?:test|describe|it)\.(?:skip|only|todo)\b/.test(textOf(file)),
    );
    expect(muted).toEqual([]);
  });
});
