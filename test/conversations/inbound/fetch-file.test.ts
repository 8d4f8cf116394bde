import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { fileJobsAtOnce } from '../../../src/commands/server/start-jobs.ts';
import { receiveMessage } from '../../../src/conversations/inbound/receive-message.ts';
import { PNG } from '../../files/files.support.ts';
import { databaseNow, expectWait, skewed, SKEWS } from '../../support/clock-skew.ts';
import { WAIT } from '../../support/deliveries.ts';
import type { Sink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';
import { sink, startSending } from '../sending.support.ts';

type Sending = Awaited<ReturnType<typeof startSending>>;

const FILES = 10;
/** A sub-account's share of a worker's eight places. */
const AT_ONCE_MAX = 4;

/** Receives a message with so many files at the peer, under this path. */
const receive = (
  { transact }: Sending,
  subAccountId: string,
  { from, files }: { from: string; files: number },
) =>
  transact(subAccountId, OPERATOR, (work) =>
    receiveMessage(work, 'sms', {
      externalId: crypto.randomUUID(),
      from: '+4930777777',
      bodyText: '',
      attachments: Array.from({ length: files }, (_, index) => ({
        url: `${from}/${index}`,
        name: 'media',
        type: 'image/png',
      })),
    }),
  );

const storedOf = async ({ database }: Sending, subAccountId: string): Promise<number> => {
  const [row] = await database.rows<{ stored: number }>(
    `select count(*)::int as stored from files where sub_account_id = $1 and state = 'stored'`,
    [subAccountId],
  );
  return row!.stored;
};

const complete = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);

/** Sends the head and some bytes of each file below `/slow`, and the rest when it is released. */
function delaySlowFiles(peer: Sink) {
  const held = new Set<ServerResponse>();
  let most = 0;
  let isReleased = false;
  peer.answer = ({ url }, response) => {
    if (isReleased || !url?.startsWith('/slow')) {
      complete(response);
      return;
    }
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG.subarray(0, 10));
    held.add(response);
    most = Math.max(most, held.size);
  };
  return {
    most: () => most,
    release() {
      isReleased = true;
      held.forEach((response) => response.end(PNG.subarray(10)));
    },
  };
}

describe('the files that a worker fetches at a time', () => {
  test.each([
    [1, 8],
    [10, 8],
    [11, 7],
    [40, 2],
    [100, 2],
  ])('of up to %i MiB are %i', (maxMb, places) => {
    expect(fileJobsAtOnce(maxMb * 1024 * 1024)).toBe(places);
  });
});

describe('files at a peer that does not complete them', () => {
  test('are fetched four at a time, files of others meanwhile, and all in the end', async () => {
    const peer = await sink();
    const slow = delaySlowFiles(peer);
    const sending = await startSending();
    const other = await sending.subAccount();
    await receive(sending, sending.subAccountId, { from: `${peer.url}/slow`, files: FILES });
    await sending.startWorker();
    await vi.waitFor(() => expect(slow.most()).toBe(AT_ONCE_MAX), WAIT);
    await receive(sending, other, { from: `${peer.url}/other`, files: FILES });
    await vi.waitFor(async () => expect(await storedOf(sending, other)).toBe(FILES), WAIT);
    expect(slow.most()).toBe(AT_ONCE_MAX);
    slow.release();
    await vi.waitFor(
      async () => expect(await storedOf(sending, sending.subAccountId)).toBe(FILES),
      WAIT,
    );
  });

  test('are fetched again once the peer has sent nothing for ten seconds', async () => {
    const peer = await sink();
    const sending = await startSending();
    peer.answer = (_, response) =>
      peer.requests.length > 1
        ? complete(response)
        : response.writeHead(200, { 'content-type': 'image/png' }).write(PNG.subarray(0, 10));
    await receive(sending, sending.subAccountId, { from: peer.url, files: 1 });
    await sending.startWorker();
    await vi.waitFor(
      async () => expect(await storedOf(sending, sending.subAccountId)).toBe(1),
      WAIT,
    );
    expect(peer.requests).toHaveLength(2);
  });
});

const NEXT_ATTEMPT = `select j.run_at as "runAt" from graphile_worker.jobs j
  join graphile_worker._private_jobs p on p.id = j.id
  where p.payload->>'subAccountId' = $1 and p.payload->>'attempt' = '2'`;

test.each(SKEWS)(
  'a file is fetched again after its wait by a process whose clock is %s',
  async (_, skewMs) => {
    const peer = await sink();
    peer.answer = (_request, response) => response.writeHead(503).end();
    const sending = await startSending({}, skewed(skewMs));
    const { database, subAccountId } = sending;
    const since = await databaseNow(sending);
    await receive(sending, subAccountId, { from: peer.url, files: 1 });
    await sending.startWorker();
    const job = await vi.waitFor(async () => {
      const [row] = await database.rows<{ runAt: Date }>(NEXT_ATTEMPT, [subAccountId]);
      expect(row).toBeDefined();
      return row;
    }, WAIT);
    await expectWait(sending, job?.runAt, { since, waitMs: 5_000 });
  },
);
