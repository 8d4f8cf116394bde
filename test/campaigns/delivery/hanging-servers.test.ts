import { expect, onTestFinished, test, vi } from 'vitest';
import { mailServer } from '../../conversations/sending.support.ts';
import { WAIT, became } from '../campaigns.support.ts';
import { guests, started, statuses } from '../mailing.support.ts';
import { startHeldServer } from './held-server.support.ts';

/** Sub-accounts whose campaigns are mailed at the same time. */
const AT_ONCE = 4;
/** The connections of a sub-account to its mail server. */
const CONNECTIONS = 10;
/** The length of a time slice. */
const SLICE_MS = 3_000;
const FOREVER_MS = 2 ** 31 - 1;

test.for([
  ['all mails of the others are in flight', CONNECTIONS - 1],
  ['the others have mails left to send', CONNECTIONS + 1],
] as const)('a campaign is sent beside mail servers that hang, when %s', async ([, count]) => {
  const begun = Math.min(count, CONNECTIONS);
  const [first, ...servers] = await Promise.all(
    Array.from({ length: AT_ONCE }, () => startHeldServer()),
  );
  const { sending, id } = await started(first!.port, guests(count), { worker: false });
  const hanging = [id];
  for (const { port } of servers) {
    const held = await started(port, guests(count), { worker: false, beside: sending });
    hanging.push(held.id);
  }
  await sending.startWorker();
  for (const server of [first!, ...servers]) {
    await vi.waitFor(() => expect(server.begun).toHaveLength(begun), WAIT);
  }
  const { port } = await mailServer();
  const other = await started(port, guests(3), { worker: false, beside: sending });
  await became(sending, other.id, 'sent');
  for (const campaign of hanging) {
    const all = Object.values(await statuses(sending, campaign));
    expect(all.filter((status) => status === 'sending')).toHaveLength(begun);
  }
  [first!, ...servers].forEach((server) => server.release());
  for (const campaign of hanging) {
    await became(sending, campaign, 'sent');
  }
});

test('a campaign does not wait for the time slices of mail servers that hang', async () => {
  const begin = globalThis.setTimeout;
  // Time ends no slice.
  const endless = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((act, ms, ...values) =>
      begin(act, ms === SLICE_MS ? FOREVER_MS : ms, ...values),
    );
  onTestFinished(() => endless.mockRestore());
  const count = CONNECTIONS + 1;
  const servers = await Promise.all(Array.from({ length: AT_ONCE }, () => startHeldServer()));
  const [first, ...others] = servers;
  const { sending, id } = await started(first!.port, guests(count), { worker: false });
  const hanging = [id];
  for (const { port } of others) {
    const held = await started(port, guests(count), { worker: false, beside: sending });
    hanging.push(held.id);
  }
  await sending.startWorker();
  for (const server of servers) {
    await vi.waitFor(() => expect(server.begun).toHaveLength(CONNECTIONS), WAIT);
  }
  const { port } = await mailServer();
  const other = await started(port, guests(3), { worker: false, beside: sending });
  await became(sending, other.id, 'sent');
  for (const campaign of hanging) {
    const all = Object.values(await statuses(sending, campaign));
    expect(all.filter((status) => status === 'sending')).toHaveLength(CONNECTIONS);
  }
  servers.forEach((server) => server.release());
  for (const campaign of hanging) {
    await became(sending, campaign, 'sent');
  }
  for (const server of servers) {
    expect(server.begun.toSorted()).toEqual(guests(count));
  }
});
