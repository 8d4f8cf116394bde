import { suppressAddress, findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { PREVIEW, UNSUBSCRIBE, linksOf } from '../../../src/campaigns/compose/campaign-links.ts';
import { erasePerson } from '../../../src/privacy/erase-person.ts';
import { findPerson } from '../../../src/privacy/person.ts';
import { closeSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { CAMPAIGN, recipientsOf, setUpCampaigns } from '../campaigns.support.ts';

const EMAIL = 'ada@example.com';
const PHONE = '+4930901820';

const KEY = Buffer.alloc(32, 1).toString('base64');
const SMS = {
  sms: {
    provider: 'twilio',
    accountSid: `AC${'1'.repeat(32)}`,
    authToken: 'token',
    from: '+4930123456',
  },
};

/** Returns the preferences link in the mail to a contact with an email and a phone. */
async function mailed(service: TestService): Promise<string> {
  await setUpCampaigns(service);
  const ada = { firstName: 'Ada', lastName: 'L', email: 'Ada@example.com', phone: PHONE };
  await service.call('POST /api/v1/contacts', { body: { ...ada, tags: ['client'] } });
  const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
  await service.call(`POST /api/v1/campaigns/${id}/send`);
  const [recipient] = await recipientsOf(service, id);
  await service.events();
  const { subAccountId, secrets, url } = service;
  return linksOf(UNSUBSCRIBE, secrets, url)({ subAccountId, id: recipient?.id ?? '' });
}

const post = (link: string, body: string, type = 'application/x-www-form-urlencoded') =>
  fetch(link, { method: 'POST', body, headers: { 'content-type': type } });

async function closed({ openView, subAccountId }: TestService) {
  const view = openView(subAccountId, new Date());
  const rows = await Promise.all(
    (['email', 'sms'] as const).map((channel) => findSuppressions(view, { channel })),
  );
  return rows.flat().map(({ channel, address, reason }) => [channel, address, reason]);
}

describe('the link in a mail', () => {
  test('leads to a page whose stylesheet exists', async ({ service }) => {
    const link = await mailed(service);
    const [, href = ''] =
      /rel="stylesheet" href="([^"]+)"/.exec(await (await fetch(link)).text()) ?? [];
    const style = await fetch(new URL(href, link));
    expect([style.status, style.headers.get('content-type')]).toEqual([
      200,
      'text/css; charset=utf-8',
    ]);
  });

  test('shows a page in a language that the sub-account added', async ({ service }) => {
    const link = await mailed(service);
    const preferences = { lead: '{address} afmelden?', unsubscribe: 'Afmelden' };
    await apply(service, { subAccount: { locale: 'nl' }, languages: { nl: { preferences } } });
    const text = await (await fetch(link)).text();
    expect(text).toMatch(/<html lang="nl"/);
    expect(text).toContain('A••••@example.com afmelden?');
    expect(text).toMatch(/<button[^>]*>Afmelden</);
  });

  test('shows a page with the brand of the sub-account, and a GET changes nothing', async ({
    service,
  }) => {
    const link = await mailed(service);
    await apply(service, { subAccount: { brand: 'Harbour <Dental>' } });
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(link, { method });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
    const text = await (await fetch(link)).text();
    expect(text).toContain('Harbour &lt;Dental&gt;');
    // A reader of a forwarded mail can open the page, too.
    expect(text).toContain('A••••@example.com');
    expect(text).not.toContain('Ada@example.com');
    expect(text).not.toMatch(/\+49|820/);
    expect(text).not.toMatch(/<script|style="/);
    expect(await closed(service)).toEqual([]);
  });

  test.for([
    ['de-AT', 'Abbestellen'],
    ['es', 'Cancelar la suscripción'],
    ['fr', 'Se désabonner'],
    ['pt', 'Unsubscribe'],
  ] as const)('uses the language of the sub-account: %s', async ([locale, button], { service }) => {
    const link = await mailed(service);
    await apply(service, { subAccount: { locale } });
    const text = await (await fetch(link)).text();
    expect(text).toContain(`<html lang="${locale === 'pt' ? 'en-GB' : locale}">`);
    expect(text).toContain(`<button class="primary">${button}</button>`);
  });

  test('shows one button, whatever the state', async ({ service }) => {
    const link = await mailed(service);
    const buttonsOf = async (answer: Response) =>
      [...(await answer.text()).matchAll(/<button class="(\w+)">([^<]+)</g)].map((found) =>
        found.slice(1).join(' '),
      );
    expect(await buttonsOf(await fetch(link))).toEqual(['primary Unsubscribe']);
    expect(await buttonsOf(await post(link, 'unsubscribe=1'))).toEqual(['quiet Subscribe again']);
    expect(await buttonsOf(await fetch(link))).toEqual(['quiet Subscribe again']);
    expect(await buttonsOf(await post(link, 'save=1&email=on&sms=on'))).toEqual([
      'quiet Unsubscribe',
    ]);
  });

  test('says how to end text messages if only the emails are unsubscribed', async ({ service }) => {
    const link = await mailed(service);
    await apply(service, { channels: SMS }, { variables: { FRONTDESK_SECRET_KEY: KEY } });
    expect(await (await fetch(link)).text()).toContain('name="stopSms"');
    expect(await (await post(link, 'unsubscribe=1')).text()).toContain('Reply STOP');
    const both = await (await post(link, 'unsubscribe=1&stopSms=on')).text();
    expect(both).not.toContain('Reply STOP');
    expect(both).toContain('Receive text messages, too');
    expect(await closed(service)).toEqual([
      ['email', EMAIL, 'unsubscribe'],
      ['sms', PHONE, 'unsubscribe'],
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test.for(['en-GB', 'de-DE', 'es-ES', 'fr-FR'] as const)(
    'does not mention text messages in a sub-account without the channel, and leaves them as they are: %s',
    async (locale, { service }) => {
      const link = await mailed(service);
      await apply(service, { subAccount: { locale } });
      const shown = await fetch(link);
      const unsubscribed = await post(link, 'unsubscribe=1');
      const texts = [await shown.text(), await unsubscribed.text()];
      const again = new URLSearchParams(
        [...(texts[1] ?? '').matchAll(/<input[^>]*name="(\w+)" value="(\w+)"/g)].map(
          ([, name = '', value = '']): [string, string] => [name, value],
        ),
      );
      texts.push(await (await post(link, again.toString())).text());
      for (const text of texts) {
        expect(text).not.toMatch(/SMS|STOP|text message|checkbox/);
      }
      expect(await closed(service)).toEqual([]);
    },
  );

  test.for([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['application/x-www-form-urlencoded', ''],
    ['application/x-www-form-urlencoded', 'unsubscribe=1'],
  ] as const)('unsubscribes by one POST of %s: %j', async ([type, body], { service }) => {
    const link = await mailed(service);
    for (const _ of [1, 2]) {
      const answer = await post(link, body, type);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('A••••@example.com is unsubscribed from our emails.');
    }
    expect(await closed(service)).toEqual([['email', EMAIL, 'unsubscribe']]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('lets the recipient choose channels, and subscribe again', async ({ service }) => {
    const link = await mailed(service);
    await post(link, 'save=1&email=on');
    expect(await closed(service)).toEqual([['sms', PHONE, 'unsubscribe']]);
    await post(link, 'save=1&sms=on');
    expect(await closed(service)).toEqual([['email', EMAIL, 'unsubscribe']]);
    expect(await (await post(link, 'save=1&sms=on&email=on')).text()).toContain(
      'A••••@example.com receives our emails again.',
    );
    expect(await closed(service)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('only lifts opt-outs of the recipient', async ({ service }) => {
    const link = await mailed(service);
    await service.transact(service.subAccountId, service.actor, (work) =>
      suppressAddress(work, { channel: 'email', address: EMAIL, reason: 'bounce' }),
    );
    const text = await (await post(link, 'save=1&email=on&sms=on')).text();
    expect(text).toContain('We have blocked A••••@example.com');
    expect(text).not.toContain('<button');
    expect(await closed(service)).toEqual([['email', EMAIL, 'bounce']]);
  });

  test('does not lift a STOP, which came from the phone: anyone may type a number', async ({
    service,
  }) => {
    const link = await mailed(service);
    await apply(service, { channels: SMS }, { variables: { FRONTDESK_SECRET_KEY: KEY } });
    await service.transact(service.subAccountId, service.actor, (work) =>
      suppressAddress(work, { channel: 'sms', address: PHONE, reason: 'stop' }),
    );
    const text = await (await post(link, 'unsubscribe=1')).text();
    expect(text).not.toContain('name="sms"');
    await post(link, 'save=1&email=on&sms=on');
    expect(await closed(service)).toEqual([['sms', PHONE, 'stop']]);
  });

  test.for(['phone', 'additionalPhones'] as const)(
    'leaves the text messages of a number as they are that another contact has: %s',
    async (field, { service }) => {
      const link = await mailed(service);
      await apply(service, { channels: SMS }, { variables: { FRONTDESK_SECRET_KEY: KEY } });
      const phones = field === 'phone' ? { phone: PHONE } : { additionalPhones: [PHONE] };
      const body = { firstName: 'Grace', lastName: 'H', ...phones };
      expect((await service.call('POST /api/v1/contacts', { body })).status).toBe(201);
      expect(await (await fetch(link)).text()).not.toContain('name="stopSms"');
      const text = await (await post(link, 'unsubscribe=1&stopSms=on')).text();
      expect(text).toContain('Reply STOP');
      expect(await closed(service)).toEqual([['email', EMAIL, 'unsubscribe']]);
      await service.transact(service.subAccountId, service.actor, (work) =>
        suppressAddress(work, { channel: 'sms', address: PHONE, reason: 'unsubscribe' }),
      );
      await post(link, 'save=1&email=on&sms=on');
      expect(await closed(service)).toEqual([['sms', PHONE, 'unsubscribe']]);
    },
  );

  test('returns a 404 page if it is altered, foreign or invented, also for a POST', async ({
    service,
  }) => {
    const link = await mailed(service);
    const token = link.slice(link.lastIndexOf('/') + 1);
    const other = token.startsWith('A') ? 'B' : 'A';
    for (const wrong of [
      other + token.slice(1),
      token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'),
      token.slice(1),
      `${token}A`,
      'unknown',
      '%00',
      'x'.repeat(5_000),
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${service.url}/u/${wrong}`, { method });
        expect([wrong, answer.status]).toEqual([wrong, 404]);
        expect(await answer.text()).toContain('This page does not exist');
      }
    }
    expect(await closed(service)).toEqual([]);
  });

  test('unsubscribes, and does not subscribe again, once the sub-account is closed', async ({
    service,
  }) => {
    const link = await mailed(service);
    const { transact, subAccountId, actor } = service;
    await transact(subAccountId, actor, (work) => closeSubAccount(work, 'Harbour Dental'));
    const page = await (await fetch(link)).text();
    expect(page).toContain('Unsubscribe A••••@example.com from our emails?');
    const done = await post(link, 'List-Unsubscribe=One-Click');
    expect(done.status).toBe(200);
    expect(await done.text()).not.toContain('<form');
    expect(await closed(service)).toEqual([['email', EMAIL, 'unsubscribe']]);
    expect((await post(link, 'save=1&email=on&sms=on')).status).toBe(200);
    expect(await closed(service)).toEqual([['email', EMAIL, 'unsubscribe']]);
  });

  test('returns a 404 page once the person is erased, and writes nothing', async ({ service }) => {
    const link = await mailed(service);
    const { transact, subAccountId, actor } = service;
    await transact(subAccountId, actor, async (work) => {
      await erasePerson(work, await findPerson(work, { email: EMAIL }));
    });
    expect((await fetch(link)).status).toBe(404);
    expect((await post(link, 'unsubscribe=1')).status).toBe(404);
    expect(await closed(service)).toEqual([]);
  });
});

test('the preview link shows a merged mail that runs no scripts', async ({ service }) => {
  await setUpCampaigns(service);
  const contentHtml = '<p>Dear {{fullName}}</p><script>alert(1)</script>';
  const body = { ...CAMPAIGN, contentHtml };
  const { id } = (await service.call('POST /api/v1/campaigns', { body })).body.data;
  const { subAccountId, secrets, url } = service;
  const link = linksOf(PREVIEW, secrets, url)({ subAccountId, id });
  const answer = await fetch(link);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*; sandbox$/);
  expect(await answer.text()).toContain('<p>Dear Ada Lovelace</p>');
  const token = link.slice(link.lastIndexOf('/') + 1);
  expect((await fetch(`${url}/u/${token}`)).status).toBe(404);
  const unsubscribe = linksOf(UNSUBSCRIBE, secrets, url)({ subAccountId, id });
  const other = unsubscribe.slice(unsubscribe.lastIndexOf('/') + 1);
  expect((await fetch(`${url}/campaigns/preview/${other}`)).status).toBe(404);
});
