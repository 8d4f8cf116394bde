import { Client } from 'pg';
import { expect, test } from '../../support/service.ts';

test('readyz returns 503 while the schema is not current; healthz returns 200', async ({
  service,
}) => {
  const status = async (path: string) => (await fetch(service.url + path)).status;
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(`insert into migrations (name) values ('99999999999999_later')`);
  const { status: ready, headers } = await fetch(`${service.url}/readyz`);
  const healthy = await status('/healthz');
  await client.query(`delete from migrations where name = '99999999999999_later'`);
  await client.end();
  expect({ ready, healthy }).toEqual({ ready: 503, healthy: 200 });
  expect(headers.get('x-request-id')).not.toBeNull();
  expect(await status('/readyz')).toBe(200);
});
