import { expect, onTestFinished, test } from 'vitest';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { queryCaldav } from '../../../src/calendars/external/caldav.ts';
import { openOutbound } from '#platform/outbound/client.ts';

const WINDOW = { from: 0, until: 1 };

async function answering(properties: string): Promise<string> {
  const text = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/a</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;
  const server = createServer((_, response) => {
    response.writeHead(207, { 'content-type': 'application/xml' }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/calendar/`;
}

async function queried(properties: string) {
  const url = await answering(properties);
  const outbound = openOutbound({ allow: ['127.0.0.0/8'] });
  onTestFinished(() => outbound.close());
  const options = { outbound, signal: new AbortController().signal, timeoutMs: 10_000 };
  return queryCaldav(url, { url, user: 'a', password: 'b' }, WINDOW, options);
}

test.for([
  ['elements', (count: number) => '<a/>'.repeat(count)],
  [
    'attributes',
    (count: number) => `<a ${Array.from({ length: count }, (_, at) => `b${at}=""`).join(' ')}/>`,
  ],
] as const)(
  'a response of a calendar server with too many %s is not parsed',
  async ([, properties]) => {
    expect(await queried(properties(200_000))).toEqual({
      failure: 'it has too much XML markup',
    });
    expect(await queried(properties(100))).toMatchObject({ texts: [] });
  },
);
