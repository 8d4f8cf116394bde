import { vi } from 'vitest';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const SOON = { timeout: 60_000 };

const PERSON = { firstName: 'Jo', lastName: 'Lee' };

/** A running server is notified of a change within moments; a test waits no longer than this. */
const soon = (settled: () => Promise<void>) =>
  vi.waitFor(settled, { timeout: 60_000, interval: 5 });

const create = ({ call }: TestService, customFields?: object) =>
  call('POST /api/v1/contacts', { body: { ...PERSON, customFields } });

describe('custom fields of a manifest', () => {
  test('a new required field is enforced by the running server at once', async ({ service }) => {
    const creating = async () => {
      const { status, body } = await create(service);
      return [status, body.error?.details.issues[0].path];
    };
    expect(await creating()).toEqual([201, undefined]);
    await apply(service, { customFields: [{ name: 'insurance', isRequired: true }] });
    await soon(async () => expect(await creating()).toEqual([400, '/customFields/insurance']));
    await apply(service, { customFields: [{ name: 'insurance' }] });
    await soon(async () => expect(await creating()).toEqual([201, undefined]));
  });

  test('are listed in the order of the file, which a new file can change', async ({ service }) => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
    const listed = async () => {
      const { body } = await service.call('GET /api/v1/contacts/fields');
      return body.data.map(({ name }: { name: string }) => name);
    };
    await apply(service, { customFields: [b, a, c] });
    await soon(async () => expect(await listed()).toEqual(['b', 'a', 'c']));
    const { updated, created, unchanged } = await apply(service, { customFields: [c, d, b] });
    await soon(async () => expect(await listed()).toEqual(['c', 'd', 'a', 'b']));
    expect(created).toEqual([{ section: 'customFields', key: 'd' }]);
    const moved = (key: string, from: number, to: number) => ({
      section: 'customFields',
      key,
      fields: ['order'],
      changes: { order: { from, to } },
    });
    expect(updated).toEqual([moved('c', 3, 1), moved('b', 1, 4)]);
    expect(unchanged).toBe(0);
    expect((await apply(service, { customFields: [c, d, b] })).unchanged).toBe(3);
  });

  test('values of a removed field are still shown, can be cleared, and return with the field', async ({
    service,
  }) => {
    const customFields = [{ name: 'insurance' }];
    await apply(service, { customFields });
    const { id } = await vi.waitFor(async () => {
      const { status, body } = await create(service, { insurance: 'private' });
      expect(status).toBe(201);
      return body.data;
    }, SOON);
    const path = `/api/v1/contacts/${id}`;
    const held = async () => (await service.call(`GET ${path}`)).body.data.customFields;
    const patching = async (insurance: string | null) =>
      (await service.call(`PATCH ${path}`, { body: { customFields: { insurance } } })).status;
    await apply(service, {}, { prune: true });
    // A process that was not notified yet may still accept a new value, which is then stored.
    const other = async () => ((await held()).insurance === 'public' ? 'private' : 'public');
    await soon(async () => expect(await patching(await other())).toBe(400));
    const read = await held();
    expect(read).toEqual({ insurance: expect.any(String) });
    await service.events();
    const written = await service.call(`PATCH ${path}`, { body: { customFields: read } });
    expect([written.status, written.body.data.customFields]).toEqual([200, read]);
    expect(await service.eventNames()).toEqual([]);
    await apply(service, { customFields });
    await soon(async () => expect(await patching('private')).toBe(200));
    await apply(service, {}, { prune: true });
    expect(await held()).toEqual({ insurance: 'private' });
    expect(await patching(null)).toBe(200);
    expect(await held()).toEqual({});
  });

  test('values of another type stay until they are changed', async ({ service }) => {
    await apply(service, { customFields: [{ name: 'recall' }] });
    const { id } = await vi.waitFor(async () => {
      const { status, body } = await create(service, { recall: 'half a year' });
      expect(status).toBe(201);
      return body.data;
    }, SOON);
    await apply(service, { customFields: [{ name: 'recall', type: 'number' }] });
    const patch = (body: object) => service.call(`PATCH /api/v1/contacts/${id}`, { body });
    let years = 0;
    await soon(async () => {
      years += 1;
      const { status } = await patch({ customFields: { recall: `${years} years` } });
      expect(status).toBe(400);
    });
    const { body } = await service.call(`GET /api/v1/contacts/${id}`);
    await service.events();
    const written = await patch({ customFields: body.data.customFields });
    expect(written).toMatchObject({ status: 200, body: { data: body.data } });
    expect(await service.eventNames()).toEqual([]);
    const renamed = await patch({ firstName: 'Joan' });
    expect(renamed.body.data.customFields).toEqual({ recall: expect.any(String) });
    expect(await patch({ customFields: { recall: 12 } })).toMatchObject({ status: 200 });
    expect((await exported(service)).customFields[0].type).toBe('number');
  });
});
