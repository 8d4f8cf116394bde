import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { describe, expect, test, vi } from 'vitest';
import { resendUnknowns } from '../../../src/campaigns/audience/resend-unknowns.ts';
import { cancelCampaign } from '../../../src/campaigns/pause-resume-cancel.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { OPERATOR } from '../../support/service.ts';
import { startBreakingServer } from './breaking-server.support.ts';
import { became, campaignOf, recipientsOf, WAIT } from '../campaigns.support.ts';
import { fired, guests, started, statuses } from '../mailing.support.ts';

/** A refusal of a mail server. */
const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

describe('a campaign', () => {
  test('mails every contact of its list once, and fires no event', async () => {
    const server = await mailServer();
    const emails = guests(60);
    const { sending, id } = await started(server.port, emails);
    await became(sending, id, 'sent');
    expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails);
    const recipients = await recipientsOf(sending, id);
    expect(recipients.map(({ address, status }) => [address, status])).toEqual(
      emails.map((email) => [email, 'sent']),
    );
    expect(await fired(sending)).toEqual([]);
  });

  test('retries a mail that the server defers, and fails after the last wait', async () => {
    const tries = new Map<string, number>();
    const server = await mailServer({
      onRcptTo({ address }, _, done) {
        tries.set(address, (tries.get(address) ?? 0) + 1);
        const isLater = address.startsWith('guest101') || (tries.get(address) ?? 0) < 3;
        done(isLater ? refusal(451, '4.3.0 Come back later') : null);
      },
    });
    const { sending, id } = await started(server.port, guests(2));
    await became(sending, id, 'sent');
    expect(await statuses(sending, id)).toEqual({ guest100: 'sent', guest101: 'failed' });
    expect(await recipientsOf(sending, id)).toMatchObject([
      { attempts: 3, errorCode: null },
      { attempts: 3, errorCode: '451' },
    ]);
    expect([...tries.values()]).toEqual([3, 3]);
  });

  test('does not retry a refused address, and suppresses a dead one', async () => {
    const server = await mailServer({
      onRcptTo({ address }, _, done) {
        const dead = address.startsWith('guest100') ? refusal(550, '5.1.1 No such user') : null;
        done(address.startsWith('guest101') ? refusal(552, '5.2.2 Mailbox full') : dead);
      },
    });
    const { sending, id } = await started(server.port, guests(3));
    await became(sending, id, 'sent');
    expect(await statuses(sending, id)).toEqual({
      guest100: 'failed',
      guest101: 'failed',
      guest102: 'sent',
    });
    expect((await recipientsOf(sending, id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    const view = sending.openView(sending.subAccountId, new Date());
    expect(await findSuppressions(view, { channel: 'email' })).toMatchObject([
      { address: 'guest100@example.com', reason: 'bounce' },
    ]);
  });

  test('sets a mail to unknown if the connection breaks during it, and sends it again on request only', async () => {
    const server = await startBreakingServer();
    const { sending, id } = await started(server.port, guests(1));
    await became(sending, id, 'sent');
    expect(await recipientsOf(sending, id)).toMatchObject([{ status: 'unknown', attempts: 1 }]);
    server.isBreaking = false;
    const again = (emails?: readonly string[]) =>
      sending.transact(sending.subAccountId, OPERATOR, (work) => resendUnknowns(work, id, emails));
    await expect(again(['other@example.com'])).rejects.toThrow('unknown outcome');
    expect(await again()).toBe(1);
    await vi.waitFor(async () => {
      expect(await recipientsOf(sending, id)).toMatchObject([{ status: 'sent', attempts: 2 }]);
    }, WAIT);
    await became(sending, id, 'sent');
    expect(await again()).toBe(0);
  });

  test('is held if the server refuses the password, without counting an attempt', async () => {
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(refusal(535, '5.7.8 No')),
    });
    const channel = { user: 'harbour', password: 'wrong' };
    const { sending, id, steer } = await started(server.port, guests(2), { channel });
    await became(sending, id, 'held');
    expect((await campaignOf(sending, id)).heldBecause).toBe('535');
    expect(await recipientsOf(sending, id)).toMatchObject([
      { status: 'pending', attempts: 0 },
      { status: 'pending', attempts: 0 },
    ]);
    await steer(cancelCampaign);
    expect(await statuses(sending, id)).toEqual({ guest100: 'skipped', guest101: 'skipped' });
  });

  test('that is cancelled skips mails that the server defers afterwards', async () => {
    const [arrived, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const server = await mailServer({
      async onRcptTo(_address, _session, done) {
        arrived.resolve();
        await cancelled.promise;
        done(refusal(451, '4.3.0 Come back later'));
      },
    });
    const { sending, id, steer } = await started(server.port, guests(1));
    await arrived.promise;
    await steer(cancelCampaign);
    cancelled.resolve();
    await vi.waitFor(async () => {
      expect(await recipientsOf(sending, id)).toMatchObject([
        { status: 'skipped', attempts: 1, errorCode: 'cancelled' },
      ]);
    }, WAIT);
    expect(await fired(sending)).toEqual([]);
  });

  test('is held if the sub-account has no mail server', async () => {
    const server = await mailServer();
    const { sending, id } = await started(server.port, guests(1), { worker: false });
    await sending.database.rows('delete from channels');
    await sending.startWorker();
    await became(sending, id, 'held');
    expect((await campaignOf(sending, id)).heldBecause).toBe('channel_not_configured');
  });
});
