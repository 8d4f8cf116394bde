import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const LINES_MAX = 300;

const filesUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|css|html)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();

const FILES = [...filesUnder('bin'), ...filesUnder('src')];
const TESTS = [...filesUnder('test'), ...filesUnder('migrations')];
/** Code outside the product's process: browsers, clients, benches. */
const OTHERS = [...filesUnder('web'), ...filesUnder('sdk'), ...filesUnder('bench')].filter(
  (file) => !/^(?:web\/built|sdk\/dist)\//.test(file),
);
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns static and dynamic imports of our own files, with `#` paths resolved as in package.json.
 */
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

/** The folder of `src` that a file is in, or its top-level folder. */
const roomOf = (file: string): string =>
  file.startsWith('src/') ? (file.split('/')[1] ?? '') : (file.split('/')[0] ?? '');

const LAYERS = ['core', 'lib', 'platform', 'machinery', 'slice', 'registry', 'commands', 'bin'];
/** They import the platform; the platform never imports them. */
const MACHINERY = new Set(['backup', 'embedded-postgres']);
const layerOf = (file: string): number => {
  const room = roomOf(file);
  if (MACHINERY.has(room)) {
    return LAYERS.indexOf('machinery');
  }
  return LAYERS.indexOf([...LAYERS, 'migrations'].includes(room) ? room : 'slice');
};

/** The slices that each slice may import; a new slice needs a line here. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  docs: [],
  manifest: ['accounts'],
  operations: ['accounts'],
  contacts: ['accounts'],
  conversations: ['accounts', 'contacts'],
  calendars: ['accounts', 'contacts'],
  opportunities: ['accounts', 'contacts'],
  tasks: ['accounts', 'contacts'],
  catalog: ['accounts', 'contacts'],
  forms: ['accounts', 'contacts'],
  invoices: ['accounts', 'contacts', 'conversations'],
  booking: ['accounts', 'contacts', 'conversations', 'calendars'],
  chat: ['accounts', 'contacts', 'conversations'],
  campaigns: ['accounts', 'contacts', 'conversations'],
  webhooks: ['accounts'],
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
};

/** The kind of a file that is not a use case; other slices may import some kinds only. */
const KIND = /\.([a-z]+)\.ts$/;
const SHARED_KINDS = new Set(['entity', 'events', 'jobs', 'schema', 'store']);

const arrow = ({ from, to }: Import): string => `${from} → ${to}`;

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
  test('are found', () => {
    expect(FILES.length).toBeGreaterThan(100);
    expect(IMPORTS.length).toBeGreaterThan(300);
    const outside = IMPORTS.filter(
      ({ to }) => !FILES.includes(to) && !/^(?:migrations\/|package\.json$)/.test(to),
    );
    expect(outside.map(arrow)).toEqual([]);
  });

  test('run one way: bin → commands → registry → slices → platform → lib → core', () => {
    const upward = IMPORTS.filter((one) => layerOf(one.from) < layerOf(one.to));
    expect(upward.map(arrow)).toEqual([]);
  });

  test('never form a cycle, types included', () => {
    expect(cycles()).toEqual([]);
  });

  test('of core stay in core', () => {
    const outward = IMPORTS.filter(
      ({ from, to }) => roomOf(from) === 'core' && roomOf(to) !== 'core',
    );
    expect(outward.map(arrow)).toEqual([]);
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
    expect(disorderly.map(arrow)).toEqual([]);
    const inward = across.filter(({ to }) => {
      const kind = KIND.exec(to)?.[1];
      return kind !== undefined && !SHARED_KINDS.has(kind);
    });
    expect(inward.map(arrow)).toEqual([]);
  });

  test('of endpoints, sections and job handlers are in the registry only', () => {
    const taken = IMPORTS.filter(
      ({ from, to }) => /\.(?:api|section|performer)\.ts$/.test(to) && roomOf(from) !== 'registry',
    );
    expect(taken.map(arrow)).toEqual([]);
  });

  test('use # between top-level folders and relative paths within one', () => {
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

  test('imports only types from typebox, whose builders load slowly', () => {
    const takers = FILES.filter((file) => /^import (?!type\b).*'typebox';/m.test(textOf(file)));
    expect(takers).toEqual([]);
  });

  test('is not a barrel', () => {
    const barrels = FILES.filter(
      (file) =>
        /^export (?:type )?(?:\*|\{[^}]*\}) from '[#.]/m.test(textOf(file)) ||
        /(?:^|\/)index\.ts$/.test(file),
    );
    expect(barrels).toEqual([]);
  });

  test('contains no syntax that Node cannot strip', () => {
    const untyped =
      /^(?:export )?(?:declare )?(?:const )?(?:enum|namespace|abstract class)\b|^\s*@\w+\(/m;
    expect(FILES.filter((file) => untyped.test(textOf(file)))).toEqual([]);
  });

  test('contains a class only for an entity or a fault', () => {
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

  test('of tests contains no skip and no only', () => {
    const muted = TESTS.filter((file) =>
      /\b(?:test|describe|it)\.(?:skip|only|todo)\b/.test(textOf(file)),
    );
    expect(muted).toEqual([]);
  });
});
