import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { CAMPAIGN, clients, setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';

/** A campaign that was sent to Ada; Ben was left out. */
async function sendOne(service: TestService) {
  await setUpCampaigns(service);
  const ids = await clients(service, ['ada@example.com', 'ben@example.com']);
  await service.transact(service.subAccountId, OPERATOR, (work) =>
    suppressAddress(work, { channel: 'email', address: 'ben@example.com', reason: 'manual' }),
  );
  const { call } = await signInAs(service, 'admin');
  const body = { ...CAMPAIGN, subject: '{{firstName|Hello}}, {{company}} {{lastName}}' };
  const { id } = (await service.call('POST /api/v1/campaigns', { body })).body.data;
  service.clock.advance(1000);
  await call(`POST ${V1}/campaigns/${id}/send`);
  return { id: id as string, ids, call };
}

describe('the recipients of a campaign', () => {
  test('have names, and those who were left out are found, too', async ({ service }) => {
    const { id, ids, call } = await sendOne(service);
    const recipients = (await call(`GET ${V1}/campaigns/${id}/recipients`)).body.data;
    expect(recipients).toMatchObject([{ name: 'ada Guest', contactId: ids['ada@example.com'] }]);
    const leftOut = async (q: string) =>
      (await call(`GET ${V1}/campaigns/${id}/left-out?q=${q}`)).body.data;
    for (const found of ['BEN%20Gu', 'ben@']) {
      expect(await leftOut(found)).toMatchObject({
        leftOut: { opted_out: 1 },
        examples: [{ contactId: ids['ben@example.com'], detail: 'manual' }],
      });
    }
    // Ada got the mail, and Cleo is on no list.
    expect([await leftOut('ada'), await leftOut('cleo')]).toMatchObject([
      { leftOut: { opted_out: 0 }, examples: [] },
      { leftOut: { opted_out: 0 }, examples: [] },
    ]);
  });

  test('are counted in the list', async ({ service }) => {
    const { id, call } = await sendOne(service);
    const { data } = (await call(`GET ${V1}/campaigns`)).body;
    expect(data).toMatchObject([
      {
        id,
        subject: '{{firstName|Hello}}, {{company}} {{lastName}}',
        recipients: { pending: 1, sent: 0, skipped: 0, failed: 0, unknown: 0 },
      },
    ]);
  });

  test('have the captured mail in a sandbox, with its address and the link that works', async ({
    service,
  }) => {
    const { id, ids, call } = await sendOne(service);
    const contactId = ids['ada@example.com'];
    await service.database.rows(
      `update campaigns set content_html = '<a href="{{unsubscribe_link}}">{{firstName}}</a>' where id = $1`,
      [id],
    );
    const shown = async () =>
      (await call(`GET ${V1}/campaigns/${id}/preview?contactId=${contactId}`)).body.data;
    const merged = await shown();
    expect(merged.html).toContain('https://example.com/unsubscribe');
    await service.database.rows(
      `update campaign_recipients set status = 'sent', settled_at = now(), email = 'old@example.com'
       where campaign_id = $1`,
      [id],
    );
    expect(await shown()).toEqual(merged);
    await service.database.rows('update sub_accounts set sandbox = true where id = $1', [
      service.subAccountId,
    ]);
    const captured = await shown();
    expect(captured).toMatchObject({
      subject: merged.subject,
      contact: { contactId, email: 'old@example.com' },
    });
    const [link = ''] = /https?:[^"]*\/u\/[^"]*/.exec(captured.html) ?? [];
    const page = await fetch(service.url + new URL(link).pathname);
    expect([page.status, captured.text]).toEqual([200, expect.stringContaining(link)]);
  });

  test('have the subject in their timelines as they got it', async ({ service }) => {
    const { id, ids, call } = await sendOne(service);
    await service.database.rows(
      `update campaign_recipients set status = 'sent', settled_at = now() where campaign_id = $1`,
      [id],
    );
    const { data } = (await call(`GET ${V1}/contacts/${ids['ada@example.com']}/timeline`)).body;
    expect(data).toMatchObject([{ kind: 'campaign', summary: 'ada,  Guest', parent: id }]);
  });
});
