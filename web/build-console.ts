import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import {
  build,
  context,
  type BuildOptions,
  type BuildResult,
  type Metafile,
  type Plugin,
} from 'esbuild';
import { mergeScripts } from './merge-scripts.ts';

export const CONSOLE_FOLDER = join(import.meta.dirname, 'built/console');
const SOURCES = join(import.meta.dirname, 'console');

/** The first versions with `light-dark()`. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];
/** Where the server serves the files. */
const PUBLIC_PATH = '/console/';
const ENTRY = 'main';

interface ConsoleOptions {
  /** Readable, with the pages that only developers see. */
  readonly isDevelopment?: boolean;
}

/** Returns the files of the console by name: the page, its script and style, and a script for each page. */
export async function buildConsole(options: ConsoleOptions = {}): Promise<Map<string, Uint8Array>> {
  return filesOf(await build(optionsOf(options)), !options.isDevelopment);
}

/** Writes the console, and again whenever a source changes, until the signal aborts. */
export async function watchConsole(signal: AbortSignal): Promise<void> {
  const write: Plugin = {
    name: 'write',
    setup: ({ onEnd }) =>
      onEnd(async (result) => {
        if (result.errors.length === 0) {
          await writeConsole(await filesOf(result, false));
        }
      }),
  };
  const options = optionsOf({ isDevelopment: true });
  const watching = await context({
    ...options,
    logLevel: 'warning',
    plugins: [...(options.plugins ?? []), write],
  });
  signal.addEventListener('abort', () => void watching.dispose());
  await watching.watch();
}

/** Replaces the built files. */
export async function writeConsole(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await mkdir(CONSOLE_FOLDER, { recursive: true });
  for (const [name, bytes] of files) {
    await writeFile(join(CONSOLE_FOLDER, name), bytes);
  }
  const old = globSync('*', { cwd: CONSOLE_FOLDER }).filter((name) => !files.has(name));
  await Promise.all(old.map((name) => rm(join(CONSOLE_FOLDER, name))));
}

/** A build keeps its files in memory. */
type Built = Pick<BuildResult, 'metafile' | 'outputFiles'>;

const optionsOf = ({ isDevelopment = false }: ConsoleOptions) =>
  ({
    absWorkingDir: import.meta.dirname,
    entryPoints: { [ENTRY]: 'console/main.tsx' },
    outdir: 'built/console',
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    minify: !isDevelopment,
    define: {
      'process.env.NODE_ENV': isDevelopment ? '"development"' : '"production"',
      IS_DEVELOPMENT: String(isDevelopment),
    },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    target: BROWSERS,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    write: false,
    plugins: [everyStyle, fewLocales],
  }) as const satisfies BuildOptions;

/** All style sheets are in one file: esbuild does not load those of a page's script with it. */
const everyStyle: Plugin = {
  name: 'every-style',
  setup({ onLoad }) {
    onLoad({ filter: /every-style\.css$/ }, async ({ path }) => {
      const parts = globSync('**/*.module.css', { cwd: SOURCES }).sort();
      const imports = parts.map((part) => `@import './${part}';`).join('\n');
      return { contents: `${await readFile(path, 'utf8')}\n${imports}`, loader: 'css' };
    });
  },
};

const LANGUAGES = /^(?:en|de|fr|es)-/;

/** React Aria brings texts in 30 languages; the console speaks four. */
const fewLocales: Plugin = {
  name: 'few-locales',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.m?js$/ }, ({ path }) =>
      LANGUAGES.test(basename(path)) ? undefined : { contents: 'export default {};' },
    );
  },
};

const NO_FILES: Metafile = { inputs: {}, outputs: {} };

/** Returns the scripts that are loaded before a script runs, in the order in which they are found. */
function partsOf({ outputs }: Metafile, script: string): readonly string[] {
  const found = new Set([script]);
  for (const path of found) {
    for (const { kind, path: next } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') {
        found.add(next);
      }
    }
  }
  found.delete(script);
  return [...found];
}

/** Returns the files of a build. `merge` makes one script of those that are always loaded. */
async function filesOf(
  { outputFiles = [], metafile = NO_FILES }: Built,
  merge: boolean,
): Promise<Map<string, Uint8Array>> {
  const entry = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'console/main.tsx',
  );
  const [path = '', { cssBundle = '' } = {}] = entry ?? [];
  const first = partsOf(metafile, path).map((part) => basename(part));
  const split = new Map(
    outputFiles.map(({ path: file, contents }) => [relative(CONSOLE_FOLDER, file), contents]),
  );
  const style = split.get(basename(cssBundle));
  // The style sheets of single pages are part of the main one.
  const scripts = new Map([...split].filter(([name]) => name.endsWith('.js')));
  if (!scripts.has(basename(path)) || !style) {
    throw new Error('The build of the console has no entry');
  }
  const merged = merge
    ? await mergeScripts({ metafile, scripts, first, target: [...BROWSERS] })
    : { scripts, nameOf: (name: string) => name };
  const page = await pageOf({
    style: basename(cssBundle),
    script: merged.nameOf(basename(path)),
    parts: [...new Set(first.map((name) => merged.nameOf(name)))],
  });
  return new Map([
    ['index.html', Buffer.from(page)],
    [basename(cssBundle), style],
    ...merged.scripts,
  ]);
}

interface PageParts {
  readonly style: string;
  readonly script: string;
  /** What the script imports. */
  readonly parts: readonly string[];
}

async function pageOf({ style, script, parts }: PageParts): Promise<string> {
  const template = await readFile(join(SOURCES, 'index.html'), 'utf8');
  const links = parts.map((part) => `<link rel="modulepreload" href="${PUBLIC_PATH}${part}" />`);
  return template
    .replace('{{parts}}', links.join('\n    '))
    .replace('{{style}}', PUBLIC_PATH + style)
    .replace('{{script}}', PUBLIC_PATH + script);
}
