import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { describe, expect, test, vi } from 'vitest';
import { resendUnknowns } from '../../../src/campaigns/audience/resend-unknowns.ts';
import { cancelCampaign } from '../../../src/campaigns/pause-resume-cancel.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { OPERATOR } from '../../support/service.ts';
import { startBreakingServer } from './breaking-server.support.ts';
import { became, campaignOf, recipientsOf, WAIT } from '../campaigns.support.ts';
import { fired, guests, started, statuses } from '../mailing.support.ts';

/** An answer of a mail server that is no yes. */
const no = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

describe('a campaign', () => {
  test('mails everybody on its list once, and fires nothing', async () => {
    const server = await mailServer();
    const emails = guests(60);
    const { sending, id } = await started(server.port, emails);
    await became(sending, id, 'sent');
    expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails);
    const lines = await recipientsOf(sending, id);
    expect(lines.map(({ address, status }) => [address, status])).toEqual(
      emails.map((email) => [email, 'sent']),
    );
    expect(await fired(sending)).toEqual([]);
  });

  test('is tried again where a server puts a mail off, and given up after the last wait', async () => {
    const tries = new Map<string, number>();
    const server = await mailServer({
      onRcptTo({ address }, _, done) {
        tries.set(address, (tries.get(address) ?? 0) + 1);
        const isLater = address.startsWith('guest101') || (tries.get(address) ?? 0) < 3;
        done(isLater ? no(451, '4.3.0 Come back later') : null);
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

  test('is refused by an address once, and one that is dead gets no mail any more', async () => {
    const server = await mailServer({
      onRcptTo({ address }, _, done) {
        const dead = address.startsWith('guest100') ? no(550, '5.1.1 No such user') : null;
        done(address.startsWith('guest101') ? no(552, '5.2.2 Mailbox full') : dead);
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

  test('marks a mail unknown if the server was lost while accepting it, and sends it again on request only', async () => {
    const server = await startBreakingServer();
    const { sending, id } = await started(server.port, guests(1));
    await became(sending, id, 'sent');
    expect(await recipientsOf(sending, id)).toMatchObject([{ status: 'unknown', attempts: 1 }]);
    server.isBreaking = false;
    const again = (emails?: readonly string[]) =>
      sending.transact(sending.subAccountId, OPERATOR, (work) => resendUnknowns(work, id, emails));
    await expect(again(['somebody@example.com'])).rejects.toThrow('not known as unknown');
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
      onAuth: (_, __, done) => done(no(535, '5.7.8 No')),
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

  test('is held where the sub-account has no mail server', async () => {
    const server = await mailServer();
    const { sending, id } = await started(server.port, guests(1), { worker: false });
    await sending.database.rows('delete from channels');
    await sending.startWorker();
    await became(sending, id, 'held');
    expect((await campaignOf(sending, id)).heldBecause).toBe('channel_not_configured');
  });
});
