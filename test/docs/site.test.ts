import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FAULTS } from '#core/fault.ts';
import { REASON_MEANINGS } from '../../docs/reference/reason-meanings.ts';
import { endpoints } from '#registry/endpoints.ts';
import { SITE, slugOf } from '../../docs/site.ts';
import { buildSite } from '../../docs/site/build-site.ts';
import { renderMarkdown } from '../../docs/site/markdown.ts';
import { markupOf } from '#lib/html.ts';
import { referenceTags } from '../../docs/site/reference/operation.ts';
import { samplesOf } from '../../docs/site/reference/samples.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

let files: ReadonlyMap<string, string | Uint8Array>;
beforeAll(async () => {
  files = await buildSite();
});

const textOf = (name: string): string => String(files.get(name) ?? '');
const pageNames = () => [...files.keys()].filter((name) => name.endsWith('.html'));
const idsOf = (markup: string): string[] =>
  [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

describe('the list of pages', () => {
  test('names every file of docs/ exactly once', () => {
    const listed = SITE.flatMap(({ pages }) => pages.map(({ file }) => file));
    const present = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    expect(listed.toSorted()).toEqual(present.sort());
  });

  test('is what the navigation, llms.txt and search show', () => {
    const pages = SITE.flatMap((group) => group.pages);
    const found = JSON.parse(textOf('search.json')) as { id: string; page: string }[];
    for (const page of pages) {
      const slug = slugOf(page);
      expect(textOf('api.html')).toContain(`<span>${page.title}</span>`);
      expect(textOf('llms.txt')).toContain(`[${page.title}](docs/${slug}.md): `);
      expect(found.some(({ id, page: title }) => id === slug && title === page.title)).toBe(true);
    }
  });
});

describe('every page', () => {
  test('has its Markdown beside it, and is in llms-full.txt', () => {
    for (const name of pageNames()) {
      const markdown = textOf(name.replace('.html', '.md'));
      expect([name, markdown.startsWith('# ')]).toEqual([name, true]);
      // Images of `llms-full.txt`, at the root, are a folder deeper.
      const atRoot = markdown.replaceAll(/(!\[[^\]]*\]\()/g, '$1docs/');
      expect(name === 'index.html' || textOf('llms-full.txt').includes(atRoot)).toBe(true);
    }
  });

  test('has one heading of level 1, and every id once', () => {
    for (const name of pageNames()) {
      const markup = textOf(name);
      const ids = idsOf(markup);
      expect([name, markup.match(/<h1/g)?.length]).toEqual([name, 1]);
      expect([name, ids.length]).toEqual([name, new Set(ids).size]);
    }
  });

  test('links only to pages and anchors that exist', () => {
    const broken: string[] = [];
    for (const name of pageNames()) {
      const from = `http://x/docs${name === 'index.html' ? '' : `/${name.replace('.html', '')}`}`;
      for (const [, href = ''] of textOf(name).matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), from);
        if (origin === 'http://x' && !isServed(pathname, decodeURIComponent(hash.slice(1)))) {
          broken.push(`${name}: ${href}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  test('links only to served files in its Markdown, too', () => {
    const broken: string[] = [];
    for (const name of [...files.keys()].filter((one) => one.endsWith('.md'))) {
      const prose = String(files.get(name)).replaceAll(/^```[^]*?^```$/gm, '');
      for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin, pathname } = new URL(href, `http://x/docs/${name}`);
        if (origin === 'http://x' && !isServed(pathname, '')) {
          broken.push(`${name}: ${href}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  test('contains no inline style, inline script or file of another host', () => {
    for (const name of pageNames()) {
      const markup = textOf(name);
      expect([
        name,
        /<style|<script>|<script(?![^>]* src=)| style=| on\w+=/.exec(markup)?.[0],
      ]).toEqual([name, undefined]);
      const loaded = [...markup.matchAll(/<(?:link|script|img)[^>]*(?:src|href)="([^"]+)"/g)];
      expect(loaded.filter(([, url = '']) => /^(?:\w+:)?\/\//.test(url))).toEqual([]);
    }
  });

  function isServed(path: string, anchor: string): boolean {
    if (path === '/openapi.json') {
      return true;
    }
    const name = path === '/docs' ? 'index.html' : path.replace(/^\/(?:docs\/)?/, '');
    const file = files.has(name) ? name : `${name}.html`;
    return files.has(file) && (anchor === '' || idsOf(textOf(file)).includes(anchor));
  }
});

describe('the API reference', () => {
  test('has an anchor for every endpoint, error code and reason', () => {
    const anchors = new Set(pageNames().flatMap((name) => idsOf(textOf(name))));
    expect(
      endpoints.map(({ id }) => id.replaceAll('.', '-')).filter((id) => !anchors.has(id)),
    ).toEqual([]);
    const errors = new Set(idsOf(textOf('errors.html')));
    expect(Object.keys(FAULTS).filter((code) => !errors.has(code.toLowerCase()))).toEqual([]);
    expect(Object.keys(REASON_MEANINGS).filter((reason) => !errors.has(reason))).toEqual([]);
  });

  test('shows every endpoint in curl, TypeScript, Python and PHP', () => {
    for (const tag of referenceTags()) {
      for (const operation of tag.operations) {
        expect(samplesOf(operation).map(({ language }) => language)).toEqual([
          'sh',
          'ts',
          'python',
          'php',
        ]);
      }
    }
  });

  const samples = (language: string) =>
    referenceTags().flatMap(({ operations }) =>
      operations.map((operation) => ({
        id: operation.id,
        code: samplesOf(operation).find((one) => one.language === language)?.code ?? '',
      })),
    );

  async function newFolder(): Promise<string> {
    const cache = join(ROOT, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    const folder = await mkdtemp(join(cache, 'samples-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  test('has examples in TypeScript that the client accepts', { timeout: 60_000 }, async () => {
    const folder = await newFolder();
    for (const { id, code } of samples('ts')) {
      await writeFile(join(folder, `${id}.ts`), `${code}\nexport {};\n`);
    }
    const compilerOptions = {
      paths: { '@frontdesk/client': [join(ROOT, 'sdk/src/main.ts')] },
      types: ['node'],
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
    );
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  test('has examples in Python that compile', async () => {
    const script = 'import ast, json, sys\nfor one in json.load(sys.stdin): ast.parse(one)';
    const python = run('python3', ['-c', script]);
    python.child.stdin?.end(JSON.stringify(samples('python').map(({ code }) => code)));
    await expect(python).resolves.toMatchObject({ stderr: '' });
  });

  test('has examples for the shell that parse', async () => {
    const shell = run('bash', ['-n']);
    shell.child.stdin?.end(
      samples('sh')
        .map(({ code }) => code)
        .join('\n'),
    );
    await expect(shell).resolves.toMatchObject({ stderr: '' });
  });

  test('signs calls of workflows in its examples', async () => {
    const code = samples('sh').find(({ id }) => id === 'workflows.trigger')?.code ?? '';
    const shell = run('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${code}`], {
      env: { ...process.env, SIGNING_SECRET: 'secret' },
    });
    const sent = (await shell).stdout.split('\0');
    const body = sent[sent.indexOf('-d') + 1] ?? '';
    const signature = createHmac('sha256', 'secret').update(body).digest('hex');
    expect(sent).toContain(`X-Webhook-Signature: sha256=${signature}`);
    const now = sent.find((one) => one.startsWith('X-Webhook-Timestamp: '))?.split(' ')[1] ?? '';
    expect(Math.abs(Number(now) - Date.now())).toBeLessThan(60_000);
    const timed = createHmac('sha256', 'secret').update(`${now}.${body}`).digest('hex');
    expect(sent).toContain(`X-Webhook-Signature-V2: sha256=${timed}`);
    for (const language of ['sh', 'ts', 'python', 'php']) {
      const all = samples(language).filter(({ code: one }) => one.includes('SIGNING_SECRET'));
      expect(all.map(({ id }) => id)).toEqual([
        'workflows.trigger',
        'workflows.event',
        'callbacks.inbound',
        'callbacks.status',
        'invoices.paid',
      ]);
      const unrepeatable = all.filter(({ code: one }) => one.includes('X-Webhook-Signature-V2'));
      expect(unrepeatable.map(({ id }) => id)).toEqual(['workflows.trigger', 'workflows.event']);
    }
  });

  test.skipIf(!isInstalled('php'))('has examples in PHP that parse', async () => {
    const folder = await newFolder();
    for (const { id, code } of samples('php')) {
      await writeFile(join(folder, `${id}.php`), code);
    }
    const check = run('sh', [
      '-c',
      `for file in "${folder}"/*.php; do php -l "$file" || exit 1; done`,
    ]);
    await expect(check).resolves.toMatchObject({ stderr: '' });
  });
});

describe('Markdown', () => {
  const rendered = (source: string) => markupOf(renderMarkdown(source, (href) => href).body);

  test('gives headings the anchors of GitHub, numbered where they repeat', () => {
    const { headings } = renderMarkdown('# A\n\n## The `x` & y!\n\n## A', () => undefined);
    expect(headings.map(({ slug }) => slug)).toEqual(['a', 'the-x--y', 'a-1']);
  });

  test('makes quotes callouts, of a kind where one is named', () => {
    expect(rendered('> Careful')).toBe(
      '<div class="callout note" role="note">\n<p>Careful</p>\n</div>\n',
    );
    expect(rendered('> [!WARNING]\n> Careful')).toContain(
      '<div class="callout warning" role="note"><p class="callout-title">warning</p>',
    );
  });

  test('groups adjacent fences that are marked as tabs', () => {
    const markup = rendered('```sh tab\na\n```\n\n```ts tab\nb\n```\n\n```ts\nc\n```');
    expect(markup.match(/data-language="[^"]+"/g)).toEqual([
      'data-language="curl"',
      'data-language="TypeScript"',
    ]);
    expect(markup.match(/<pre/g)?.length).toBe(3);
  });

  test('escapes HTML, and shows the text of links that the site does not serve', () => {
    const { body } = renderMarkdown('<script>x</script> [a **b**](receivers)', () => undefined);
    expect(markupOf(body)).toBe('<p>&lt;script&gt;x&lt;/script&gt; a <strong>b</strong></p>\n');
  });
});
