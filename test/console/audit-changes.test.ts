import { fieldChangesOf } from '#platform/database/work/field-changes.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { contactIn } from '../workflows/workflows.support.ts';

const auditOf = async (service: TestService, recordId: string) => {
  const admin = await signInAs(service, 'admin');
  const { body } = await admin.call(`GET /console/api/v1/audit?recordId=${recordId}`);
  return body.data;
};

describe('the audit trail of one record', () => {
  test('has the old and new values of the changed fields', async ({ service }) => {
    const id = await contactIn(service, service.subAccountId);
    const before = (await service.call(`GET /api/v1/contacts/${id}`)).body.data;
    const change = { company: 'Harbour', tags: ['vip'], customFields: {} };
    await service.call(`PATCH /api/v1/contacts/${id}`, { body: change });
    const [row] = await auditOf(service, id);
    expect(row.operation).toBe('contacts.update');
    expect(row.changes).toEqual({
      company: { from: before.company, to: 'Harbour' },
      tags: { from: before.tags, to: ['vip'] },
    });
  });

  test('has none for a new record, and none where nothing changed', async ({ service }) => {
    const body = { title: 'Call Ada' };
    const { id } = (await service.call('POST /api/v1/tasks', { body })).body.data;
    await service.call(`PATCH /api/v1/tasks/${id}`, { body });
    const rows = await auditOf(service, id);
    expect(rows.map(({ changes }: any) => changes)).toEqual(rows.map(() => null));
    await service.call(`PATCH /api/v1/tasks/${id}`, { body: { title: 'Call Grace' } });
    const [row] = await auditOf(service, id);
    expect(row.changes).toEqual({ title: { from: 'Call Ada', to: 'Call Grace' } });
  });

  test('never has a secret', async ({ service }) => {
    const subscription = { url: 'https://example.com/hook', events: ['contact.created'] };
    const { id, secret } = (await service.call('POST /api/v1/webhooks', { body: subscription }))
      .body.data;
    const body = { gracePeriodSeconds: 60 };
    await service.call(`POST /api/v1/webhooks/${id}/regenerate-secret`, { body });
    const [row] = await auditOf(service, id);
    expect(row.changes).toMatchObject({ secret: { from: '***', to: '***' } });
    expect(JSON.stringify(row)).not.toContain(secret);
    await service.call(`PATCH /api/v1/webhooks/${id}`, { body: { status: 'disabled' } });
  });
});

describe('the audit trail of a contact', () => {
  test('has its name, also after it was deleted', async ({ service }) => {
    const id = await contactIn(service, service.subAccountId);
    await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { firstName: 'Eva', lastName: 'Kurz' },
    });
    const contactNow = async () => (await auditOf(service, id))[0].contact;
    expect(await contactNow()).toEqual({ name: 'Eva Kurz', isDeleted: false });
    await service.call(`DELETE /api/v1/contacts/${id}`);
    expect(await contactNow()).toEqual({ name: 'Eva Kurz', isDeleted: true });
    const { body } = await service.call('POST /api/v1/tasks', { body: { title: 'Call Ada' } });
    expect((await auditOf(service, body.data.id))[0].contact).toBeNull();
  });

  test('has no name once the contact is erased', async ({ service }) => {
    const id = await contactIn(service, service.subAccountId);
    const admin = await signInAs(service, 'admin');
    const { status } = await admin.call(`POST /console/api/v1/contacts/${id}/erase`, { body: {} });
    expect(status).toBe(200);
    expect((await auditOf(service, id))[0].contact).toEqual({ name: '[erased]', isDeleted: true });
  });
});

describe('the audit trail', () => {
  test('has the names of records other than contacts, deleted or not', async ({ service }) => {
    const { body } = await service.call('POST /api/v1/tasks', { body: { title: 'Call Ada' } });
    const { id } = body.data;
    expect((await auditOf(service, id))[0].recordName).toBe('Call Ada');
    await service.call(`DELETE /api/v1/tasks/${id}`);
    expect((await auditOf(service, id))[0].recordName).toBe('Call Ada');
    const contact = await contactIn(service, service.subAccountId);
    expect((await auditOf(service, contact))[0].recordName).toBeNull();
  });

  test('ends before a time', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const id = await contactIn(service, service.subAccountId);
    const [{ at }] = await auditOf(service, id);
    const countUntil = async (until: number) => {
      const query = new URLSearchParams({ recordId: id, until: new Date(until).toISOString() });
      return (await admin.call(`GET /console/api/v1/audit?${query.toString()}`)).body.data.length;
    };
    expect(await countUntil(Date.parse(at))).toBe(0);
    expect(await countUntil(Date.parse(at) + 1)).toBe(1);
  });
});

describe('the stored changes', () => {
  const changesOf = (from: object, to: object) =>
    fieldChangesOf({ payload: to, entity: to, originalEntity: from });

  test('mask secrets by the name of their field, also inside objects', () => {
    const from = { tokenHash: 'a', settings: { host: 'h', password: 'p' } };
    const to = { tokenHash: 'b', settings: { host: 'i', password: 'q' } };
    expect(changesOf(from, to)).toEqual({
      tokenHash: { from: '***', to: '***' },
      settings: { from: { host: 'h', password: '***' }, to: { host: 'i', password: '***' } },
    });
  });

  test('are bounded', () => {
    const long = (character: string) =>
      Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`f${index}`, character.repeat(10_000)]),
      );
    const changes = changesOf(long('a'), long('😀'));
    expect(JSON.stringify(changes).length).toBeLessThan(9_000);
    expect(JSON.stringify(changes).isWellFormed()).toBe(true);
  });

  test('leave out what follows from the change itself', () => {
    expect(changesOf({ updatedAt: 1 }, { updatedAt: 2 })).toBeUndefined();
  });
});

describe('the audit trail of a change of the manifest', () => {
  test('says which entries were added, changed and removed', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const apply = (body: object) => admin.call('POST /console/api/v1/manifest/apply', { body });
    const changesNow = async () => (await auditOf(service, service.subAccountId))[0].changes;
    const template = { key: 'news', name: 'News', html: '<p>{{content}}</p>' };
    const lists = [
      { key: 'clients', name: 'Clients' },
      { key: 'guests', name: 'Guests' },
    ];
    await apply({ source: JSON.stringify({ lists, templates: [template] }) });
    expect(await changesNow()).toMatchObject({
      'lists clients': { from: null, to: 'Clients' },
      'templates news': { from: null, to: 'News' },
    });
    const changed = [{ key: 'clients', name: 'Customers' }];
    await apply({ source: JSON.stringify({ lists: changed, templates: [template] }), prune: true });
    expect(await changesNow()).toEqual({
      'lists guests': { from: 'Guests', to: null },
      'lists clients/name': { from: 'Clients', to: 'Customers' },
    });
  });

  test('never has a secret', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const email = { provider: 'smtp', from: 'desk@harbour.example', host: 'smtp.example' };
    const apply = (password: string) => {
      const channels = { email: { ...email, port: 25, user: 'desk', password } };
      const body = { source: JSON.stringify({ channels }) };
      return admin.call('POST /console/api/v1/manifest/apply', { body });
    };
    expect((await apply('correct-horse')).status).toBe(200);
    expect((await apply('battery-staple')).status).toBe(200);
    const rows = await auditOf(service, service.subAccountId);
    expect(rows[0].changes).toEqual({ 'channels email/password': { from: '***', to: '***' } });
    expect(JSON.stringify(rows)).not.toMatch(/horse|staple/);
  });
});
