import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { startInstallation, type Following, type Installation } from '../support/command-line.ts';
import { fuzzedBody, fuzzedQuery } from './malformed.ts';
import { randomOf, type Random } from './random.ts';
import { acceptedBy, setUp, TARGETS, type TargetsRow } from './targets.ts';

/** Bodies per route. A long run: FUZZ_BODIES=5000 FUZZ_SEED=anything npx vitest run test/fuzz */
const BODIES = Number(process.env['FUZZ_BODIES'] ?? 25);
const SEED = process.env['FUZZ_SEED'] ?? 'frontdesk';
const AT_ONCE = 8;
const TIMEOUT_MS = 60_000 + BODIES * 200;

const UNLIMITED = [
  'chat_session',
  'chat_message',
  'chat_activity',
  'form',
  'booking',
  'workflow',
  'availability',
]
  .map((name) => `${name}=100000000/1m`)
  .join(',');

let installation: Installation;
let worker: Following;
let known: TargetsRow;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  installation = await startInstallation({ FRONTDESK_RATE_PUBLIC: UNLIMITED });
  worker = await installation.startWorker();
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-fuzz-'));
  known = await setUp(installation, async (manifest) => {
    const file = join(folder, 'manifest.json');
    await writeFile(file, JSON.stringify(manifest));
    const { json, stderr } = await installation.admin(
      `apply -f ${file} --sub-account ${installation.subAccountId}`,
    );
    await rm(folder, { recursive: true });
    if (json === undefined) {
      throw new Error(stderr);
    }
    return json;
  });
}, 120_000);
afterAll(async () => {
  agent.destroy();
  await installation.close();
});

interface Fuzzed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly bytes: Buffer;
}

const ELSEWHERE = [
  'x',
  '%00',
  '%',
  '..%2f..',
  'A'.repeat(64),
  '%ff',
  '__proto__',
  '%F0%9F%8E%89',
] as const;

function fuzzedRequest(random: Random, endpoint: Endpoint): Fuzzed {
  const { method } = endpoint;
  const { type, bytes } = fuzzedBody(random, acceptedBy(endpoint.body, known));
  const path = known.pathOf(endpoint);
  // Mostly existing records: unknown ones are refused before the body is read.
  const place = random.chance(0.1) ? path.replace(/[^/]*$/, random.pick(ELSEWHERE)) : path;
  const mailed = random.chance(0.3) ? place.replace('/social_dm/', '/email/') : place;
  const query =
    method === 'GET' || random.chance(0.1)
      ? fuzzedQuery(random, acceptedBy(endpoint.query, known))
      : '';
  const isSigned = endpoint.kind === 'signed' && random.chance(0.9);
  return {
    method,
    path: mailed + query,
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...(isSigned && known.signaturesOf(bytes)),
      'content-length': bytes.length,
    },
    bytes,
  };
}

/** Returns the status, or the reason that there is none. */
const send = ({ method, path, headers, bytes }: Fuzzed): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(new URL(installation.url), {
      method,
      path,
      headers,
      agent,
      timeout: 30_000,
    });
    sent.on('timeout', () => void sent.destroy(new Error('timeout')));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.on('response', (response: IncomingMessage) => {
      resolve(response.statusCode ?? 0);
      if (response.headers['content-type'] === 'text/event-stream') {
        response.destroy();
      } else {
        response.resume();
      }
    });
    sent.end(bytes);
  });

describe.for(TARGETS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  ([name, endpoint]) => {
    test(
      `answers ${BODIES} malformed requests without a 5xx`,
      async () => {
        const wrong: string[] = [];
        const statuses = new Map<number | string, number>();
        let next = 0;
        const lane = async () => {
          while (next < BODIES) {
            const seed = `${SEED} ${name} ${(next += 1)}`;
            const status = await send(fuzzedRequest(randomOf(seed), endpoint));
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (typeof status === 'string' || status >= 500 || status < 200) {
              wrong.push(`${status}: seed "${seed}"`);
            }
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, lane));
        expect({ wrong, statuses }).toEqual({ wrong: [], statuses });
      },
      TIMEOUT_MS,
    );
  },
);

test('the server and the worker still run afterwards, and no error escaped', async () => {
  const health = await fetch(`${installation.url}/healthz`);
  expect(health.status).toBe(200);
  const metrics = await (await fetch(`${installation.url}/metrics`)).text();
  const escaped = [...metrics.matchAll(/^frontdesk_escaped_errors_total\{.*\} (\d+)$/gm)];
  expect(escaped.length).toBeGreaterThanOrEqual(3);
  expect(escaped.map(([, count]) => count)).toEqual(escaped.map(() => '0'));
  const ended = await Promise.race([worker.exited, Promise.resolve('running')]);
  expect(ended).toBe('running');
});
