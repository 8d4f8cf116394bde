import { readFile } from 'node:fs/promises';
import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';
import { buildDocsScript, buildDocsStyle, DOCS_SCRIPT, DOCS_STYLE } from '../../web/build.ts';
import { describe, expect, test } from '../support/service.ts';

const FILES = {
  '/docs': 'text/html; charset=utf-8',
  '/docs/page.css': 'text/css; charset=utf-8',
  '/docs/page.js': 'text/javascript; charset=utf-8',
  '/docs/swagger-ui.css': 'text/css; charset=utf-8',
  '/docs/swagger-ui.js': 'text/javascript; charset=utf-8',
};
const EVERY = Object.entries(FILES);

describe.for(EVERY)('%s', ([path, type]) => {
  test('is cached for five minutes and revalidated with its ETag', async ({ service }) => {
    const first = await fetch(service.url + path);
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
    const again = await fetch(service.url + path, { headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('answers HEAD like GET without the body, and 405 to writing methods', async ({
    service,
  }) => {
    const head = await fetch(service.url + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, type]);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await head.text()).toBe('');
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await service.call(`${method} ${path}`)).body.error.code).toBe('METHOD_NOT_ALLOWED');
    }
  });
});

describe('the page at /docs', () => {
  test('allows scripts and loads from this server only', async ({ service }) => {
    const answer = await fetch(`${service.url}/docs`);
    const policy = answer.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    const markup = await answer.text();
    expect(markup).not.toMatch(/<style|<script>|<script(?![^>]* src=)|style=|\bon\w+=|https?:/);
    const loads = [...markup.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, to]) => `/${to}`);
    expect(loads.sort()).toEqual(Object.keys(FILES).slice(1).sort());
  });

  test('serves no other files: other paths and traversals are 404', async ({ service }) => {
    for (const path of [
      '/docs/',
      '/docs/index.html',
      '/docs/swagger-ui-bundle.js.map',
      '/docs/package.json',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/package.json',
      '/docs/page.css/..%2f..%2fbuild.ts',
      '/docs/page.css%00',
      '/docs/\\..\\package.json',
    ]) {
      const { status, body } = await service.call(`GET ${path}`, { key: null });
      expect([path, status, body.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
  });
});

test('the built script matches its sources and stores nothing', async () => {
  const built = Buffer.from(await buildDocsScript()).toString();
  const kept = await readFile(DOCS_SCRIPT, 'utf8');
  expect(built === kept, 'run: node web/build.ts').toBe(true);
  expect(kept).not.toMatch(/innerHTML|\beval\(|document\.cookie|localStorage|https?:/);
});

test('the built style sheet matches its sources and loads nothing', async () => {
  const built = Buffer.from(await buildDocsStyle()).toString();
  const kept = await readFile(DOCS_STYLE, 'utf8');
  expect(built === kept, 'run: node web/build.ts').toBe(true);
  expect(kept).not.toMatch(/@import|url\(/);
});

test('exactly the tags of endpoints are described', () => {
  const used = new Set(endpoints.map(({ id }) => id.split('.')[0]));
  expect(new Set(Object.keys(tags))).toEqual(used);
});
