import { pages } from '#registry/pages.ts';
import { expect, test } from '../../support/service.ts';

/** Pages that are the same for every visitor. */
const PLAIN = pages.filter(({ method, path }) => method === 'GET' && !path.includes(':'));

test('pages and files ignore unknown query parameters', async ({ service }) => {
  expect(PLAIN.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/chat/widget.js', '/docs']),
  );
  const query = `v=2&utm_source=mail&utm_source=x&subAccountId=${service.subAccountId}`;
  for (const { path } of PLAIN) {
    const answer = await fetch(`${service.url}${path}?${query}`);
    expect([path, answer.status]).toEqual([path, 200]);
  }
});

test('public calls of the API refuse unknown query parameters', async ({ service }) => {
  const path = `/api/chat/config?subAccountId=${service.subAccountId}&v=2`;
  expect((await service.call(`GET ${path}`, { key: null })).status).toBe(400);
});
