import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';
import { SITE, slugOf } from '../../docs/site.ts';
import { describe, expect, test } from '../support/service.ts';

const FILES = {
  '/docs': 'text/html; charset=utf-8',
  '/docs/api': 'text/html; charset=utf-8',
  '/docs/api.md': 'text/markdown; charset=utf-8',
  '/docs/api-contacts': 'text/html; charset=utf-8',
  '/docs/api-contacts.md': 'text/markdown; charset=utf-8',
  '/docs/index.md': 'text/markdown; charset=utf-8',
  '/docs/site.css': 'text/css; charset=utf-8',
  '/docs/site.js': 'text/javascript; charset=utf-8',
  '/docs/theme.js': 'text/javascript; charset=utf-8',
  '/docs/icon.svg': 'image/svg+xml',
  '/docs/design-times.png': 'image/png',
  '/docs/search.json': 'application/json; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/llms-full.txt': 'text/plain; charset=utf-8',
  '/favicon.ico': 'image/svg+xml',
  '/robots.txt': 'text/plain; charset=utf-8',
};

describe.for(Object.entries(FILES))('%s', ([path, type]) => {
  test('is cached for five minutes and revalidated with its ETag', async ({ shared }) => {
    const identity = { headers: { 'accept-encoding': 'identity' } };
    const first = await fetch(shared.url + path, identity);
    expect(first.status).toBe(200);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
    const bytes = await first.bytes();
    expect(first.headers.get('content-length')).toBe(String(bytes.length));
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const again = await fetch(shared.url + path, { headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('answers HEAD like GET without the body, and 405 to writing methods', async ({ shared }) => {
    const head = await fetch(shared.url + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, type]);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await head.text()).toBe('');
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await shared.call(`${method} ${path}`)).body.error.code).toBe('METHOD_NOT_ALLOWED');
    }
  });
});

test('pages allow scripts and styles from this server only', async ({ shared }) => {
  for (const path of ['/docs', '/docs/api', '/docs/api-contacts']) {
    const answer = await fetch(shared.url + path);
    expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  }
});

test('every page of the list and every tag is served, as a page and as Markdown', async ({
  shared,
}) => {
  const guides = SITE.flatMap(({ pages }) => pages.map(slugOf));
  const reference = Object.keys(tags).map((name) => `api-${name}`);
  for (const slug of [...guides, ...reference]) {
    const [page, markdown] = await Promise.all(
      ['', '.md'].map((suffix) => fetch(`${shared.url}/docs/${slug}${suffix}`)),
    );
    expect([slug, page?.status, markdown?.status]).toEqual([slug, 200, 200]);
    expect(await markdown?.text()).toMatch(/^# \S/);
  }
});

test('other paths and traversals are 404, on a page that leads back', async ({ shared }) => {
  for (const path of [
    '/docs/missing',
    '/docs/missing.md',
    '/docs/index.html',
    '/docs/llms.txt',
    '/docs/package.json',
    '/docs/build-site.ts',
    '/docs/..%2f..%2fpackage.json',
    '/docs/site.css%00',
    '/docs/constructor',
  ]) {
    const answer = await fetch(shared.url + path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).toContain('Open the documentation');
  }
  for (const path of ['/docs/%2e%2e/package.json', '/docs/site.css/..%2f..%2fbuild.ts']) {
    expect([path, (await fetch(shared.url + path)).status]).toEqual([path, 404]);
  }
});

test('exactly the tags of endpoints are described', () => {
  const used = new Set(endpoints.map(({ id }) => id.split('.')[0]));
  expect(new Set(Object.keys(tags))).toEqual(used);
});

test('a slash at the end leads to the page without it', async ({ shared }) => {
  const addresses = { '/docs/': '/docs', '/docs/api/?from=mail': '/docs/api?from=mail' };
  for (const [path, page] of Object.entries(addresses)) {
    const answer = await fetch(shared.url + path, { redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([302, '']);
    const location = new URL(answer.headers.get('location') ?? '', shared.url + path);
    expect(location.href).toBe(shared.url + page);
    expect((await fetch(location)).status).toBe(200);
  }
});

test('images of pages and of their Markdown are served', async ({ shared }) => {
  const sources = async (path: string, image: RegExp) => {
    const text = await (await fetch(shared.url + path)).text();
    return [...text.matchAll(image)].map(([, src = '']) => new URL(src, shared.url + path).href);
  };
  const ofMarkdown = /!\[[^\]]*\]\(([^)]+)\)/g;
  for (const page of ['/docs/design', '/docs/console-pages']) {
    const shown = await sources(page, /<img[^>]* src="([^"]+)"/g);
    expect(shown.length).toBeGreaterThan(5);
    expect(await sources(`${page}.md`, ofMarkdown)).toEqual(shown);
    expect(await sources('/llms-full.txt', ofMarkdown)).toEqual(expect.arrayContaining(shown));
    for (const image of shown) {
      expect([image, (await fetch(image)).headers.get('content-type')]).toEqual([
        image,
        'image/png',
      ]);
    }
  }
});
