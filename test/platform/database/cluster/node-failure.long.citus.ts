import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import {
  createClusterDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../../../support/citus-cluster.ts';
import { startInstallation, type Installation } from '../../../support/command-line.ts';
import { frontdesk } from '../../../support/frontdesk.ts';
import { startSink, type Sink } from '../../../support/https-sink.ts';

/** A transaction that a node prepared is finished by a process that looks every minute. */
const TEST_MAX_MS = 10 * MINUTE_MS;
const WAIT = { timeout: 5 * MINUTE_MS, interval: 100 };

let cluster: CitusCluster;
let installation: Installation;
let sink: Sink;
/** A sub-account of each node, in the order of the nodes. */
let writers: Writer[];

beforeAll(async () => {
  // A killed server must have written what it confirmed.
  cluster = await startCitusCluster({ synchronous_commit: 'on' });
  installation = await startInstallation({}, await createClusterDatabase(cluster));
  sink = await startSink({ https: true });
  writers = [await newWriter(0), await newWriter(1)];
  await installation.startWorker();
});
afterAll(async () => {
  await installation?.close();
  await sink?.close();
  await cluster?.stop();
});

/** Writes contacts of a sub-account, one after the other, each until it is confirmed. */
interface Writer {
  readonly path: string;
  /** The ids of the contacts, as the API confirmed them. */
  readonly ids: string[];
  /** The statuses of all responses, and whether each refusal had Retry-After. */
  readonly responses: { readonly status: number; readonly isRetryable: boolean }[];
  /** Returns the number of contacts that the API lists. */
  count(): Promise<number>;
  write(stopping: AbortSignal): Promise<void>;
}

const NODE_OF = `
  select n.nodeport as port from pg_dist_node n join pg_dist_placement p on p.groupid = n.groupid
  where p.shardid = get_shard_id_for_distribution_column('contacts', $1::uuid)`;

/** Creates sub-accounts until one is on the node. */
async function subAccountOn(index: number): Promise<string> {
  const port = Number(new URL(cluster.workers[index]?.url ?? '').port);
  for (;;) {
    const { json } = await installation.admin('sub-account create --name W');
    const found = await withClient(installation.databaseUrl, (client) =>
      client.query<{ port: number }>(NODE_OF, [json.id]),
    );
    if (found.rows[0]?.port === port) {
      return json.id;
    }
  }
}

async function newWriter(index: number): Promise<Writer> {
  const { admin, url } = installation;
  const id = await subAccountOn(index);
  const rates = '--rate-write 1000000/1m --rate-read 1000000/1m';
  const { json } = await admin(`key create --name K --scopes all ${rates} --sub-account ${id}`);
  const headers = { authorization: `Bearer ${json.key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object, key: string) =>
    fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  const path = `/node-${index}`;
  const hook = { url: `${sink.url}${path}`, events: ['contact.created'] };
  expect((await post('webhooks', hook, `hook-${index}`)).status).toBe(201);
  const writer: Writer = {
    path,
    ids: [],
    responses: [],
    async count() {
      const response = await fetch(`${url}/api/v1/contacts?limit=1`, { headers });
      const { meta } = (await response.json()) as { meta: { total: number } };
      return meta.total;
    },
    async write(stopping) {
      for (let number = writer.ids.length; !stopping.aborted;) {
        const response = await post(
          'contacts',
          { firstName: `C${number}`, lastName: 'Weber' },
          `${index}-${number}`,
        );
        const { data } = (await response.json()) as { data?: { id: string } };
        const isRetryable = response.headers.has('retry-after');
        writer.responses.push({ status: response.status, isRetryable });
        if (response.status === 201 && data) {
          writer.ids.push(data.id);
          number += 1;
        }
        await sleep(WRITE_EVERY_MS);
      }
    },
  };
  return writer;
}

const WRITE_EVERY_MS = 30;

/** Writes with both writers while something happens to the cluster. */
async function whileWriting(happens: () => Promise<void>): Promise<void> {
  writers.forEach(({ responses }) => responses.splice(0));
  const stopping = new AbortController();
  const writing = Promise.all(writers.map(({ write }) => write(stopping.signal)));
  await happens();
  stopping.abort();
  await writing;
}

const statusesOf = ({ responses }: Writer) => new Set(responses.map(({ status }) => status));

/** Waits until a writer has had another confirmed contact. */
async function untilWritten(writer: Writer): Promise<void> {
  const before = writer.ids.length;
  await vi.waitFor(() => expect(writer.ids.length).toBeGreaterThan(before + 5), WAIT);
}

/** Each contact is stored once, and its event is delivered with one id. */
async function expectNothingLost(): Promise<void> {
  for (const writer of writers) {
    expect(new Set(writer.ids).size).toBe(writer.ids.length);
    expect(await writer.count()).toBe(writer.ids.length);
    await vi.waitFor(() => expect(deliveredTo(writer).size).toBe(writer.ids.length), WAIT);
    const delivered = deliveredTo(writer);
    expect(new Set(delivered.keys())).toEqual(new Set(writer.ids));
    expect([...delivered.values()].filter((events) => events.size > 1)).toEqual([]);
  }
}

/** The ids of the events that were delivered, by the contacts that they are about. */
function deliveredTo({ path }: Writer): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  for (const request of sink.requests.filter((one) => one.path === path)) {
    const { id, data } = JSON.parse(request.body.toString());
    const contact = data.id ?? data.contactId ?? data.contact?.id;
    events.set(contact, (events.get(contact) ?? new Set()).add(id));
  }
  return events;
}

test(
  'while a node is down, its sub-accounts get 503 and others work; nothing is lost',
  {
    timeout: TEST_MAX_MS,
  },
  async () => {
    const [lost, other] = writers as [Writer, Writer];
    const [node] = cluster.workers;
    await whileWriting(async () => {
      await untilWritten(lost);
      await node?.kill();
      await vi.waitFor(() => expect(statusesOf(lost)).toContain(503), WAIT);
      await untilWritten(other);
      const written = other.ids.length;
      await vi.waitFor(() => expect(deliveredTo(other).size).toBeGreaterThanOrEqual(written), WAIT);
      const { stdout } = await frontdesk(['doctor'], installation.variables);
      expect(stdout).toContain('a node of its cluster, did not answer');
      expect(stdout).not.toContain('has a bug');
      await vi.waitFor(async () => {
        const metrics = await (await fetch(`${installation.url}/metrics`)).text();
        expect(metrics).toContain('frontdesk_database_up 1');
        expect(metrics).toMatch(/frontdesk_node_up{.*} 0/);
      }, WAIT);
      await node?.start();
      await untilWritten(lost);
    });
    expect(statusesOf(lost)).toEqual(new Set([201, 503]));
    const refusals = lost.responses.filter(({ status }) => status === 503);
    expect(refusals.filter(({ isRetryable }) => !isRetryable)).toEqual([]);
    expect(statusesOf(other)).toEqual(new Set([201]));
    await expectNothingLost();
  },
);

test(
  'after a restart of the coordinator under load, nothing is lost',
  {
    timeout: TEST_MAX_MS,
  },
  async () => {
    await whileWriting(async () => {
      await Promise.all(writers.map(untilWritten));
      await cluster.coordinator.kill();
      await vi.waitFor(
        () => writers.forEach((writer) => expect(statusesOf(writer)).toContain(503)),
        WAIT,
      );
      await cluster.coordinator.start();
      await Promise.all(writers.map(untilWritten));
    });
    for (const writer of writers) {
      expect(statusesOf(writer)).toEqual(new Set([201, 503]));
    }
    await expectNothingLost();
  },
);
