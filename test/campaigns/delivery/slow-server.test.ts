import { suppressAddress } from '../../../src/contacts/consent/suppressions.ts';
import { describe, expect, test, vi } from 'vitest';
import { pauseCampaign } from '../../../src/campaigns/pause-resume-cancel.ts';
import { OPERATOR } from '../../support/service.ts';
import { WAIT, became, recipientsOf } from '../campaigns.support.ts';
import { startHeldServer } from './held-server.support.ts';
import { guests, started, statuses } from '../mailing.support.ts';

/** The connections of a sub-account to its mail server. */
const CONNECTIONS = 10;
const GUESTS = 40;

describe('while a mail server is slow, a campaign', () => {
  test('skips contacts that opt out before their mail is sent', async () => {
    const server = await startHeldServer();
    const { sending, id } = await started(server.port, guests(GUESTS));
    await vi.waitFor(() => expect(server.begun).toHaveLength(CONNECTIONS), WAIT);
    const early = [...server.begun];
    const late = guests(GUESTS).filter((email) => !early.includes(email));
    await sending.transact(sending.subAccountId, OPERATOR, async (work) => {
      for (const address of late) {
        await suppressAddress(work, { channel: 'email', address, reason: 'unsubscribe' });
      }
    });
    server.release();
    await became(sending, id, 'sent');
    expect(server.begun.toSorted()).toEqual(early.toSorted());
    const recipients = await recipientsOf(sending, id);
    expect(recipients.filter(({ status }) => status === 'skipped')).toHaveLength(late.length);
  });

  test('that is paused starts no further mails', async () => {
    const server = await startHeldServer();
    const { sending, id, steer } = await started(server.port, guests(GUESTS));
    await vi.waitFor(() => expect(server.begun).toHaveLength(CONNECTIONS), WAIT);
    await steer(pauseCampaign);
    server.release();
    await vi.waitFor(async () => {
      expect(Object.values(await statuses(sending, id))).not.toContain('sending');
    }, WAIT);
    expect(server.begun).toHaveLength(CONNECTIONS);
  });
});
