import { checkDownload } from '#platform/http/call/check-download.ts';
import { logsOf, respond } from '#platform/http/funnel.ts';
import type { CallResponse } from '#platform/http/response.ts';
import { signInAs } from '../../support/people.ts';
import { expect, test } from '../../support/service.ts';
import { PNG, uploaded } from '../../files/files.support.ts';
import { pino } from 'pino';

const logs = logsOf(pino({ level: 'silent' }));

/** A response with an endless body, which counts how often it is cancelled. */
function endless() {
  const seen = { cancelled: 0 };
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(PNG),
    cancel: () => void (seen.cancelled += 1),
  });
  const response: CallResponse = { status: 200, text: '', stream };
  return { seen, response };
}

const checked = (response: CallResponse) =>
  checkDownload({ clock: () => new Date(0) }, response, async () => undefined);

test.for([
  ['as it is', (response: CallResponse) => response],
  ['that checks its caller', checked],
] as const)('HEAD ends the body of a download %s', async ([, wrap]) => {
  for (const [method, cancelled] of [
    ['HEAD', 1],
    ['GET', 0],
  ] as const) {
    const { seen, response } = endless();
    await respond(logs, { method, route: '/file' }, () => wrap(response));
    await new Promise(setImmediate);
    expect([method, seen.cancelled]).toEqual([method, cancelled]);
  }
});

test('HEAD of a file has the headers of GET', async ({ service }) => {
  const path = `/api/v1/files/${await uploaded(service)}`;
  const headers = { authorization: `Bearer ${service.keys.full}` };
  const named = ['content-type', 'content-length', 'content-disposition'];
  const headersOf = async (method: string) => {
    const response = await fetch(service.url + path, { method, headers });
    await response.arrayBuffer();
    return [response.status, ...named.map((name) => response.headers.get(name))];
  };
  const got = await headersOf('GET');
  expect(got.slice(0, 3)).toEqual([200, 'image/png', String(PNG.length)]);
  expect(await headersOf('HEAD')).toEqual(got);
});

/** More than the streams that one visitor may have open. */
const MANY = 60;

test('HEAD of an event stream keeps no stream open', async ({ service }) => {
  const { cookie } = await signInAs(service, 'agent');
  const url = `${service.url}/console/api/v1/stream?subAccountId=${service.subAccountId}`;
  const open = (method: string, signal: AbortSignal | null = null) =>
    fetch(url, { method, headers: { cookie }, signal });
  for (let n = 0; n < MANY; n += 1) {
    expect([n, (await open('HEAD')).status]).toEqual([n, 200]);
  }
  const leaving = new AbortController();
  expect((await open('GET', leaving.signal)).status).toBe(200);
  leaving.abort();
});
