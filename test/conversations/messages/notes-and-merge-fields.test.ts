import { mergeValuesOf } from '../../../src/contacts/contact.store.ts';
import { describe, expect, test } from '../../support/service.ts';
import { apply } from '../../support/manifest.ts';
import {
  ADA,
  inbound,
  inSandbox,
  MAIL,
  messagesOf,
  newThread,
  post,
  queued,
  threadOf,
} from '../conversations.support.ts';

describe('a note', () => {
  test('is stored unchanged and not sent, even without a provider or an address', async ({
    service,
  }) => {
    const { id } = await newThread(service, 'email', { dnd: { all: true } });
    await inbound(service, id);
    const before = await threadOf(service, id);
    const bodyText = 'Ask {{firstName}} about the quote';
    const { status, body } = await post(service, id, {
      channel: 'email',
      bodyText,
      isInternal: true,
    });
    expect([status, body.data]).toMatchObject([
      201,
      { bodyText, isInternal: true, direction: 'outbound', status: 'sent', toAddress: null },
    ]);
    expect((await messagesOf(service, id))[0]).toEqual(body.data);
    expect(await threadOf(service, id)).toEqual(before);
    expect([await queued(service), await service.eventNames()]).toEqual([[], []]);
  });
});

describe('an address that stands in for an unknown name', () => {
  test.for(['fresh@example.com', '+442079460018', '–'])('is no first name: %s', (firstName) => {
    const addresses = { email: 'fresh@example.com', phone: '+442079460018' };
    const contact = { firstName, lastName: '', ...addresses, company: null };
    expect(mergeValuesOf(contact, {})).toMatchObject({ firstName: '', fullName: firstName });
    expect(mergeValuesOf({ ...contact, firstName: '王' }, {}).firstName).toBe('王');
  });
});

describe('a sent message', () => {
  test('is refused if its merge fields make it longer than 2 million characters', async ({
    service,
  }) => {
    await inSandbox(service);
    await apply(service, { customValues: { long: 'x'.repeat(10_000) } });
    const { id } = await newThread(service, 'email', ADA);
    const long = '{{custom_values.long}}'.repeat(250);
    for (const texts of [{ bodyText: long }, { bodyText: 'x', bodyHtml: long }]) {
      const { status, body } = await post(service, id, { ...MAIL, ...texts });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.error.message).toContain('at most 2000000 characters are allowed');
    }
    expect(await queued(service)).toEqual([]);
  });

  test('contains the values of its merge fields, escaped in HTML', async ({ service }) => {
    await inSandbox(service);
    await apply(service, { customValues: { link: 'https://example.com/?a=1&b=2' } });
    const { id } = await newThread(service, 'email', {
      ...ADA,
      firstName: 'Ada <b>',
      company: 'R&D',
      lastName: 'L {{email}}',
    });
    const fields =
      '{{firstName}}|{{lastName}}|{{email}}|{{phone}}|{{company}}|{{fullName}}|{{custom_values.link}}|{{custom_values.none}}|{{title}}';
    const { body } = await post(service, id, {
      channel: 'email',
      subject: '{{company}}\r\nBcc: x',
      bodyText: fields,
      bodyHtml: `<p>${fields}</p>`,
    });
    expect(body.data.bodyText).toBe(
      `Ada <b>|L {{email}}|${ADA.email}|${ADA.phone}|R&D|Ada <b> L {{email}}|https://example.com/?a=1&b=2||`,
    );
    expect(body.data.bodyHtml).toBe(
      `<p>Ada &lt;b&gt;|L {{email}}|${ADA.email}|${ADA.phone}|R&amp;D|Ada &lt;b&gt; L {{email}}|https://example.com/?a=1&amp;b=2||</p>`,
    );
    const [row] = await service.database.rows<{ subject: string }>(
      'select subject from messages where id = $1',
      [body.data.id],
    );
    expect(row?.subject).toBe('R&DBcc: x');
  });

  test('has fallbacks for missing values, escaped in HTML', async ({ service }) => {
    await inSandbox(service);
    const { id, contactId } = await newThread(service);
    await service.call(`PATCH /api/v1/contacts/${contactId}`, { body: { company: null } });
    await post(service, id, {
      ...MAIL,
      subject: 'For {{company|you}}',
      bodyText: 'Dear {{firstName|friend}} of {{company|R&D}}',
      bodyHtml: '<p>{{company|R&D}}</p>',
    });
    const [message] = await messagesOf(service, id);
    expect(message).toMatchObject({
      bodyText: 'Dear Ada of R&D',
      bodyHtml: '<p>R&amp;D</p>',
    });
    const [row] = await service.database.rows<{ subject: string }>(
      'select subject from messages where id = $1',
      [message.id],
    );
    expect(row?.subject).toBe('For you');
  });

  test('keeps the values from the time it was written', async ({ service }) => {
    await inSandbox(service);
    const { id, contactId } = await newThread(service);
    await post(service, id, { ...MAIL, bodyText: 'Dear {{firstName}}' });
    await service.call(`PATCH /api/v1/contacts/${contactId}`, { body: { firstName: 'Bob' } });
    expect((await messagesOf(service, id))[0].bodyText).toBe('Dear Ada');
  });
});
