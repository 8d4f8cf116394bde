import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outbound } from '#core/outbound.ts';
import type { View } from '#core/work.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import type { ExternalSetup } from '../../../src/calendars/external/external-setup.ts';
import { fetchCalendar } from '../../../src/calendars/external/fetch-calendar.ts';
import { WAIT } from '../../support/deliveries.ts';
import { calendarOf, during, startIcsServer, type IcsServer } from '../../support/ics-server.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const EVENT = during(NOW.getTime(), NOW.getTime() + 3_600_000);
/** More than the 64 KiB of a small calendar. */
const LARGE = calendarOf([...EVENT, `DESCRIPTION:${'x'.repeat(300_000)}`]);
const BUSY = { busy: [{ from: NOW.getTime(), until: NOW.getTime() + 3_600_000 }] };
const NO_ROOM = { failure: 'too many other large responses are being read' };

let server: IcsServer;
let outbound: Outbound;
let endHanging: AbortController;

beforeEach(async () => {
  server = await startIcsServer();
  server.answer = ({ url }, response) => {
    if (url === '/small') {
      response.end(calendarOf(EVENT));
    } else if (url === '/large') {
      response.end(LARGE);
    } else {
      response.write(LARGE);
    }
  };
  outbound = openOutbound({ allow: ['127.0.0.0/8'] });
  endHanging = new AbortController();
});

afterEach(async () => {
  await outbound.close();
  await server.close();
});

function fetched(subAccountId: string, path: string, timeoutMs = 10_000) {
  const url = new URL(path, server.url).href;
  const setup = { type: 'ics', url, timezone: 'UTC', validators: {} } as ExternalSetup;
  const view = { subAccountId, now: NOW } as View;
  const { signal } = endHanging;
  return fetchCalendar(view, setup, {
    outbound,
    subAccountId,
    signal: path === '/hang' ? signal : new AbortController().signal,
    timeoutMs,
  });
}

test('large calendars that never end leave room for those of others, and for small ones', async () => {
  const hanging = Array.from({ length: 8 }, () => fetched('a', '/hang', 60_000));
  await vi.waitFor(
    async () => expect(await fetched('a', '/large', 50)).toMatchObject(NO_ROOM),
    WAIT,
  );
  expect(await fetched('b', '/large')).toMatchObject(BUSY);
  expect(await fetched('a', '/small')).toMatchObject(BUSY);

  endHanging.abort();
  expect(await Promise.all(hanging)).toMatchObject(hanging.map(() => ({ failure: 'aborted' })));
  expect(await fetched('a', '/large')).toMatchObject(BUSY);
});
