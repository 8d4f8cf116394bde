import { execFile } from 'node:child_process';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outbound } from '#core/outbound.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { SINK_AUTHORITY, startSink, trustSinks, type Sink } from '../../support/https-sink.ts';
import { answered, at, connectionsAreFree, requestTo } from './support.ts';

const OUTBOUND = new URL('../../../src/platform/outbound/client.ts', import.meta.url).href;

let sink: Sink;
let outbound: Outbound;

trustSinks();

beforeEach(async () => {
  sink = await startSink({ https: true });
  outbound = openOutbound({ allow: ['127.0.0.0/8'], lookup: async () => at('127.0.0.1') });
});

afterEach(async () => {
  await outbound.close();
  await sink.close();
});

const to = (host: string): string => `https://${host}:${sink.port}/hook`;

describe('over TLS', () => {
  test('a request is answered, and the connection kept', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect(answered(await outbound.send(requestTo(to('127.0.0.1')))).body.toString()).toBe('ok');
      await connectionsAreFree();
    }
    expect(sink.connections).toBe(1);
  });

  test('the server is named as the URL names it, whatever Host says', async () => {
    const names: unknown[] = [];
    sink.answer = ({ socket }, response) => {
      names.push((socket as TLSSocket).servername);
      response.end();
    };
    answered(await outbound.send(requestTo(to('hooks.example.com'))));
    const headers = { host: 'other.example.com' };
    answered(await outbound.send(requestTo(to('hooks.example.com'), { headers })));
    answered(await outbound.send(requestTo(to('127.0.0.1'), { headers })));
    expect(names).toEqual(['hooks.example.com', 'hooks.example.com', false]);
  });

  test('a certificate of another name is no answer', async () => {
    expect(await outbound.send(requestTo(to('other.example.com')))).toMatchObject({
      failure: expect.stringMatching(
        /^TLS: Host: other\.example\.com\. is not in the cert's altnames/,
      ),
    });
    expect(sink.requests).toEqual([]);
  });

  test('a server that speaks none is no answer', async () => {
    const plain = await startSink();
    const failure = { failure: expect.stringMatching(/^TLS: .*wrong version number/) };
    expect(await outbound.send(requestTo(`https://127.0.0.1:${plain.port}/`))).toMatchObject(
      failure,
    );
    await plain.close();
  });

  test('a long answer is cut as without', async () => {
    sink.answer = (_request, response) => void response.end('x'.repeat(1_000_000));
    const { body } = answered(await outbound.send(requestTo(to('localhost'))));
    expect(body.toString()).toBe('x'.repeat(20_000));
  });

  test.each([
    ['trusted with NODE_EXTRA_CA_CERTS', { NODE_EXTRA_CA_CERTS: SINK_AUTHORITY }, { status: 200 }],
    ['not trusted without', {}, { failure: expect.stringMatching(/^TLS: .*certificate/) }],
  ])(
    'an authority of one’s own is %s, and the process ends of itself',
    async (_rule, more, outcome) => {
      const script = `
      import { openOutbound } from '${OUTBOUND}';
      const outbound = openOutbound({ allow: ['127.0.0.0/8'] });
      const outcome = await outbound.send({
        url: '${to('127.0.0.1')}', method: 'GET', headers: {}, timeoutMs: 3_600_000, readMaxBytes: 9 });
      console.log(JSON.stringify(outcome));`;
      const { NODE_EXTRA_CA_CERTS: _ours, ...environment } = process.env;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', script],
        { env: { ...environment, ...more } },
      );
      expect(JSON.parse(stdout)).toMatchObject(outcome);
    },
  );
});
