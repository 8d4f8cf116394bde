import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { resumeCampaign } from '../../../src/campaigns/pause-resume-cancel.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { became, campaignOf, recipientsOf } from '../campaigns.support.ts';
import { fired, guests, started } from '../mailing.support.ts';

/** Starts a proxy to a mail server that refuses all connections until `repair` is called. */
async function startBrokenProxy(to: number) {
  let isBroken = true;
  const proxy = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isBroken) {
      socket.destroy();
      return;
    }
    const server = connect(to, '127.0.0.1').on('error', () => socket.destroy());
    socket.on('close', () => server.destroy());
    socket.pipe(server).pipe(socket);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  return {
    port: (proxy.address() as AddressInfo).port,
    repair() {
      isBroken = false;
    },
  };
}

test('a campaign is held if no mail reaches its mail server, and continues when it is resumed', async () => {
  const server = await mailServer();
  const proxy = await startBrokenProxy(server.port);
  const emails = guests(3);
  const { sending, id, steer } = await started(proxy.port, emails, { worker: false });
  const warn = vi.spyOn(sending.log, 'warn');
  await sending.startWorker();
  await became(sending, id, 'held');
  const { subAccountId } = sending;
  expect(warn).toHaveBeenCalledWith(
    { subAccountId, campaignId: id, mails: expect.any(Number), errorCode: expect.any(String) },
    'campaign mails not accepted; trying again',
  );
  expect((await campaignOf(sending, id)).heldBecause).toBe('mail_server_away');
  const recipients = await recipientsOf(sending, id);
  expect(recipients.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  // Every wait was used, and the last attempt does not count.
  expect(Math.max(...recipients.map(({ attempts }) => attempts))).toBe(2);

  await steer(resumeCampaign);
  await became(sending, id, 'held');
  proxy.repair();
  await steer(resumeCampaign);
  await became(sending, id, 'sent');
  expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails);
  expect(await fired(sending)).toEqual([]);
});
