import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { resumeCampaign } from '../../../src/campaigns/pause-resume-cancel.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { became, campaignOf, recipientsOf } from '../campaigns.support.ts';
import { fired, guests, started } from '../mailing.support.ts';

/** A way to a mail server, on which nobody gets there at first. */
async function startBadWay(to: number) {
  let isBad = true;
  const way = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isBad) {
      socket.destroy();
      return;
    }
    const server = connect(to, '127.0.0.1').on('error', () => socket.destroy());
    socket.on('close', () => server.destroy());
    socket.pipe(server).pipe(socket);
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void way.close());
  return {
    port: (way.address() as AddressInfo).port,
    mend() {
      isBad = false;
    },
  };
}

test('a campaign is held once no mail has reached its mail server, and resumes where it was', async () => {
  const server = await mailServer();
  const way = await startBadWay(server.port);
  const emails = guests(3);
  const { sending, id, steer } = await started(way.port, emails);
  await became(sending, id, 'held');
  expect((await campaignOf(sending, id)).heldBecause).toBe('mail_server_away');
  const lines = await recipientsOf(sending, id);
  expect(lines.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  // Each wait is kept, and the last attempt is one that can be made again.
  expect(Math.max(...lines.map(({ attempts }) => attempts))).toBe(2);

  await steer(resumeCampaign);
  await became(sending, id, 'held');
  way.mend();
  await steer(resumeCampaign);
  await became(sending, id, 'sent');
  expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails);
  expect(await fired(sending)).toEqual([]);
});
