import { setImmediate as nextTick } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '#platform/config/environment.ts';
import { openCheckedService } from '../../../src/commands/server/open-service.ts';
import { bindKey } from '../../support/bind-key.ts';
import { createDatabase } from '../../support/database.ts';
import { newKey } from '../../support/frontdesk.ts';
import { openProxy } from '../../support/proxy.ts';

/** Longer than the connection timeout. */
const LOADING_MS = 5_500;

/** Blocks the event loop, like loading modules. */
const blockEventLoop = () =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOADING_MS);

test('a start whose modules load slowly still finds its database', async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
  const proxy = await openProxy(database.url);
  onTestFinished(() => proxy.cut());
  const environment = readEnvironment({ ...variables, DATABASE_URL: proxy.url }, [
    'databaseUrl',
    'secretKey',
  ]);
  const log = pino({ level: 'silent' });
  const opening = openCheckedService({
    environment,
    log,
    name: 'test',
    connections: 2,
    stays: false,
  });
  // The connection has begun; the proxy of this process has not forwarded anything yet.
  await nextTick();
  blockEventLoop();
  const service = await opening;
  expect(await service.database.rows('select 1 as one')).toEqual([{ one: 1 }]);
  await service.close();
});
