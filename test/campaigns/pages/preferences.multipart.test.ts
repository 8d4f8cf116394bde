import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { UNSUBSCRIBE, linksOf } from '../../../src/campaigns/compose/campaign-links.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { CAMPAIGN, recipientsOf, setUpCampaigns } from '../campaigns.support.ts';

const EMAIL = 'ada@example.com';
const PHONE = '+4930901820';
const TYPE = 'multipart/form-data; boundary=x';

/** Returns the preferences link in the mail to a contact with an email and a phone. */
async function preferencesLink(service: TestService): Promise<string> {
  await setUpCampaigns(service);
  const ada = { firstName: 'Ada', lastName: 'L', email: EMAIL, phone: PHONE, tags: ['client'] };
  await service.call('POST /api/v1/contacts', { body: ada });
  const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
  await service.call(`POST /api/v1/campaigns/${id}/send`);
  const [recipient] = await recipientsOf(service, id);
  await service.events();
  const { subAccountId, secrets, url } = service;
  return linksOf(UNSUBSCRIBE, secrets, url)({ subAccountId, id: recipient?.id ?? '' });
}

const post = (link: string, body: string | Uint8Array<ArrayBuffer>, type = TYPE) =>
  fetch(link, { method: 'POST', body, headers: { 'content-type': type } });

const multipart = (fields: Readonly<Record<string, string>>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
    .join('\r\n')}\r\n--x--\r\n`;

async function optOuts({ openView, subAccountId }: TestService) {
  const view = openView(subAccountId, new Date());
  const rows = await Promise.all(
    (['email', 'sms'] as const).map((channel) => findSuppressions(view, { channel })),
  );
  return rows.flat().map(({ channel, address }) => [channel, address]);
}

const MALFORMED: readonly (readonly [string, string, string])[] = [
  ['no part at all', '--x\r\nnot a part', TYPE],
  ['a body without its boundary', 'save=1', TYPE],
  ['a truncated part', multipart({ save: '1' }).slice(0, -9), TYPE],
  ['a content type without a boundary', multipart({ save: '1' }), 'multipart/form-data; a=b'],
  ['a content type that ends at its name', multipart({ save: '1' }), 'multipart/form-data'],
];

describe('a multipart form', () => {
  test('opts out of exactly the channels that were not chosen', async ({ service }) => {
    const link = await preferencesLink(service);
    for (const [fields, expected] of [
      [{ save: '1', email: 'on' }, [['sms', PHONE]]],
      [{ save: '1', sms: 'on' }, [['email', EMAIL]]],
      [{ save: '1', email: 'on', sms: 'on' }, []],
    ] as const) {
      const answer = await post(link, multipart(fields));
      expect(answer.status).toBe(200);
      expect(await optOuts(service)).toEqual(expected);
    }
    expect(await service.eventNames()).toEqual([]);
  });

  test.for(MALFORMED)(
    'with %s is a 400 page and changes no consent',
    async ([, body, type], { service }) => {
      const link = await preferencesLink(service);
      const answer = await post(link, body, type);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        type === 'multipart/form-data' ? 415 : 400,
        'text/html; charset=utf-8',
      ]);
      expect(await optOuts(service)).toEqual([]);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test.for(MALFORMED)(
    'with %s is a 404 page if the token is invented',
    async ([, body, type], { service }) => {
      const answer = await post(`${service.url}/u/${'A'.repeat(64)}`, body, type);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('This page does not exist');
    },
  );
});
