import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, parse } from 'node:path';
import {
  build,
  type BuildOptions,
  type Metafile,
  type OnResolveResult,
  type Plugin,
} from 'esbuild';

type Files = ReadonlyMap<string, Uint8Array>;

interface MergeInput {
  readonly metafile: Metafile;
  /** The scripts by name, as esbuild split them. */
  readonly scripts: Files;
  /** The names of the scripts that are always loaded first. */
  readonly first: readonly string[];
  readonly target: string[];
}

interface Merged {
  readonly scripts: Map<string, Uint8Array>;
  /** The new name of each script. */
  readonly nameOf: (old: string) => string;
}

/**
 * Merges the scripts that are always loaded into one. esbuild makes one for each set of pages that share
 * something: there were 49, and each cost a request and 0.8 kB of headers, and was compressed alone.
 */
export async function mergeScripts({
  metafile,
  scripts,
  first,
  target,
}: MergeInput): Promise<Merged> {
  // Names change with how the scripts are merged, too: browsers keep them for a year.
  const hash = hashOf(first.join() + (await readFile(import.meta.filename, 'utf8')));
  const shared = `shared-${hash}.js`;
  const nameOf = (old: string): string =>
    old === shared || first.includes(old) ? shared : renamed(old, hash);
  const members = membersOf(metafile, first);
  const page = Object.entries(metafile.outputs)
    .filter(([, { entryPoint }]) => entryPoint !== undefined)
    .map(([path]) => basename(path))
    .find((name) => first.includes(name));
  if (page !== undefined) {
    throw new Error(`${page} is loaded first and by an import(), which needs a script of its own`);
  }
  const external = (name: string): Resolved => ({ path: `./${nameOf(name)}`, external: true });
  const inside = (name: string): Resolved => ({ path: name, namespace: 'built' });
  const options = { target, bundle: true, minify: true, format: 'esm', charset: 'utf8' } as const;
  const one = await buildFrom(options, {
    entries: ['all'],
    resolve: (name) => (first.includes(name) || name === 'all' ? inside(name) : external(name)),
    load: (name) => (name === 'all' ? exportAll(members) : textOf(scripts, name)),
  });
  const rest = [...scripts.keys()].filter((name) => !first.includes(name));
  const others = await buildFrom(options, {
    entries: rest,
    resolve: (name, isEntry) => (isEntry || first.includes(name) ? inside(name) : external(name)),
    load: (name) =>
      first.includes(name) ? importFrom(shared, members.get(name)) : textOf(scripts, name),
  });
  const merged = others.map((bytes, index) => [nameOf(rest[index] ?? ''), bytes] as const);
  return { scripts: new Map([...one.map((bytes) => [shared, bytes] as const), ...merged]), nameOf };
}

/** An export, and a name that it alone has in the merged script. */
interface Member {
  readonly name: string;
  readonly unique: string;
}

/** The exports of each script. */
type Members = ReadonlyMap<string, readonly Member[]>;

function membersOf({ outputs }: Metafile, first: readonly string[]): Members {
  let count = 0;
  const exportsOf = new Map(
    Object.entries(outputs).map(([path, output]) => [basename(path), output.exports]),
  );
  return new Map(
    first.map((script) => [
      script,
      (exportsOf.get(script) ?? []).map((name) => ({ name, unique: `_${(count++).toString(36)}` })),
    ]),
  );
}

const exportAll = (members: Members): string =>
  [...members]
    .map(([script, names]) => {
      const list = names.map(({ name, unique }) => `${name} as ${unique}`);
      return `import './${script}'; export { ${list.join()} } from './${script}';`;
    })
    .join('\n');

const importFrom = (shared: string, members: readonly Member[] = []): string => {
  const list = members.map(({ name, unique }) => `${unique} as ${name}`);
  return `import './${shared}'; export { ${list.join()} } from './${shared}';`;
};

const textOf = (scripts: Files, name: string): string =>
  Buffer.from(scripts.get(name) ?? []).toString();

/** A script changes with the shared one, whose exports it names. */
function renamed(old: string, hash: string): string {
  const { name, ext } = parse(old);
  return `${name.slice(0, name.lastIndexOf('-'))}-${hashOf(name + hash)}${ext}`;
}

/** Eight letters and digits, as esbuild writes them. */
const hashOf = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString(36)
    .toUpperCase()
    .slice(0, 8);

type Resolved = Pick<OnResolveResult, 'path' | 'external' | 'namespace'>;

interface Sources {
  readonly entries: readonly string[];
  readonly resolve: (name: string, isEntry: boolean) => Resolved;
  readonly load: (name: string) => string;
}

/** Builds scripts from memory; returns them in the order of the entries. */
async function buildFrom(
  options: BuildOptions,
  { entries, resolve, load }: Sources,
): Promise<Uint8Array[]> {
  const memory: Plugin = {
    name: 'memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) =>
        resolve(basename(path), kind === 'entry-point'),
      );
      onLoad({ filter: /.*/, namespace: 'built' }, ({ path }) => ({ contents: load(path) }));
    },
  };
  const { outputFiles } = await build({
    ...options,
    entryPoints: Object.fromEntries(entries.map((name, index) => [String(index), name])),
    outdir: '/',
    write: false,
    logLevel: 'silent',
    plugins: [memory],
  });
  const byIndex = new Map(outputFiles?.map(({ path, contents }) => [parse(path).name, contents]));
  return entries.map((_name, index) => byIndex.get(String(index)) ?? new Uint8Array());
}
