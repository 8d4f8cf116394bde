import { expect, test } from '../support/service.ts';

test('the root path redirects a browser to the API documentation', async ({ service }) => {
  const answer = await fetch(`${service.url}/`, { redirect: 'manual' });
  expect([answer.status, await answer.text()]).toEqual([302, '']);
  expect(new URL(answer.headers.get('location') ?? '', `${service.url}/`).href).toBe(
    `${service.url}/docs`,
  );
  expect((await fetch(service.url)).status).toBe(200);
  const query = await fetch(`${service.url}/?from=mail`, { redirect: 'manual' });
  expect(query.status).toBe(302);
});

test('the root path answers 405 to other methods', async ({ service }) => {
  const { status, headers, body } = await service.call('POST /', { body: {} });
  expect([status, headers.get('allow'), body.error.code]).toEqual([
    405,
    'GET, HEAD, OPTIONS',
    'METHOD_NOT_ALLOWED',
  ]);
});
