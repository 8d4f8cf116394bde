import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { buildSite } from '../docs/site/build-site.ts';
import { allCommands } from '../src/commands/all-commands.ts';
import { DECLARATIONS } from '../src/commands/declared-commands.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** What the bundle is made of; `bin/frontdesk` compares its age with the same. */
export const BUNDLE_INPUTS = ['bin', 'docs', 'migrations', 'src', 'web/docs', 'package-lock.json'];
export const BUNDLE_FOLDER = join(ROOT, 'dist');
const PROGRAM = 'frontdesk.js';

/**
 * Bundles the program and the packages it uses into a folder, and writes the declarations of the commands
 * to it and the documentation to its `docs/`. Packages that are resolved at run time stay outside: the
 * embedded PostgreSQL, and the SDK of Twilio.
 */
export async function buildBundle(folder: string): Promise<void> {
  const { outputFiles } = await build({ ...OPTIONS, write: false });
  if (!outputFiles.some(({ path, text }) => path.endsWith('.js') && NAME_HELPER.test(text))) {
    throw new Error("esbuild's helper for names is another one: adapt NAME_HELPER in bin/build.ts");
  }
  const site = await buildSite();
  const unfinished = `${folder}.${randomUUID()}`;
  try {
    await mkdir(join(unfinished, 'docs'), { recursive: true });
    // JSON leaves out the functions: help needs none.
    await writeFile(join(unfinished, DECLARATIONS), JSON.stringify(await allCommands()));
    for (const [name, content] of site) {
      await writeFile(join(unfinished, 'docs', name), content);
    }
    for (const { path, contents, text } of outputFiles) {
      await writeFile(
        join(unfinished, basename(path)),
        path.endsWith('.js') ? withoutArrowNames(text) : contents,
      );
    }
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Leaves arrow functions without the names that `keepNames` gives them: esbuild's helper defines a
 * property each time that one is created, a thirtieth of the time of a request. Classes and other
 * functions have a prototype.
 */
function withoutArrowNames(code: string): string {
  return code.replace(
    NAME_HELPER,
    '(target,value)=>target.prototype===void 0?target:$1(target,"name"',
  );
}

const NAME_HELPER = /\(target,\s?value\)=>(\w+)\(target,"name"/;

/** Packages that are published as CommonJS load built-in modules with it. */
const REQUIRE = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/**
 * An ES import of node:http reads all of its exports, which loads undici: 60 ms of a start. Taken as
 * an object it does not.
 */
const builtinHttp: Plugin = {
  name: 'builtin-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?https?$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin-http' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'builtin-http' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** listhen imports a library of 0.3 MB that only its generator of certificates uses: 20 ms of a start. */
const forgeOnDemand: Plugin = {
  name: 'forge-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node-forge$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'forge-on-demand' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'forge-on-demand' }, ({ path }) => ({
      contents: `export default new Proxy({}, { get: (_, name) => require(${JSON.stringify(path)})[name] });`,
      resolveDir: ROOT,
    }));
  },
};

/**
 * A package that loads on demand keeps the names that Node reads off it. esbuild gives a dynamic import
 * of CommonJS a default export only.
 */
const packagesOnDemand: Plugin = {
  name: 'packages-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z@]/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && importer.startsWith(join(ROOT, 'src/'))
        ? { path, namespace: 'package-on-demand' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'package-on-demand' }, async ({ path }) => {
      const names = Object.keys((await import(path)) as object).filter((name) =>
        /^\w+$/.test(name),
      );
      const contents = `export { ${names.join(', ')} } from ${JSON.stringify(path)};`;
      return { contents, resolveDir: ROOT };
    });
  },
};

/** The files of threads, and the files that start them. */
const THREADS = [
  {
    thread: 'busy-thread',
    folder: 'src/calendars/external',
    startedBy: 'external/read-busy\\.ts',
  },
  {
    thread: 'multistatus-thread',
    folder: 'src/calendars/external',
    startedBy: 'external/read-multistatus\\.ts',
  },
  {
    thread: 'source-thread',
    folder: 'src/manifest',
    startedBy: 'manifest/read-source\\.ts',
  },
  {
    thread: 'parser-thread',
    folder: 'src/conversations/mailbox',
    startedBy: 'mailbox/parse-safely\\.ts',
  },
] as const;

/** A thread's file is an entry of its own, which lies beside the others without its type syntax. */
const threads: Plugin = {
  name: 'threads',
  setup({ onLoad }) {
    for (const { thread, startedBy } of THREADS) {
      onLoad({ filter: new RegExp(`/${startedBy}$`) }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source.replace(`new URL('./${thread}.ts'`, `new URL('./${thread}.js'`);
        if (contents === source) {
          throw new Error(
            `${path} does not start ./${thread}.ts: name the file that does in bin/build.ts`,
          );
        }
        return { contents, loader: 'ts' };
      });
    }
  },
};

const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: {
    frontdesk: 'bin/frontdesk.ts',
    ...Object.fromEntries(THREADS.map(({ thread, folder }) => [thread, `${folder}/${thread}.ts`])),
  },
  // Wherever the files are written: their names depend on it.
  outdir: BUNDLE_FOLDER,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  sourcemap: true,
  minifyWhitespace: true,
  minifySyntax: true,
  // Entities, faults and errors of packages are told apart by the names of their classes.
  keepNames: true,
  legalComments: 'none',
  banner: { js: REQUIRE },
  plugins: [builtinHttp, forgeOnDemand, packagesOnDemand, threads],
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Whether `dist/` is newer than everything it is made of. */
export async function isBundleCurrent(): Promise<boolean> {
  const program = await stat(join(BUNDLE_FOLDER, PROGRAM)).catch(() => undefined);
  if (!program) {
    return false;
  }
  for (const input of BUNDLE_INPUTS) {
    const path = join(ROOT, input);
    const below = await readdir(path, { recursive: true }).catch(() => []);
    for (const file of [path, ...below.map((name) => join(path, name))]) {
      if ((await stat(file)).mtimeMs > program.mtimeMs) {
        return false;
      }
    }
  }
  return true;
}

if (import.meta.main) {
  await buildBundle(resolve(process.argv[2] ?? BUNDLE_FOLDER));
}
