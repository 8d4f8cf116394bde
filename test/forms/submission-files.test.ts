import { removeNow, storedContents } from '../files/files.support.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';
import { EMAIL, FIELDS, filesOf, tokenFor } from './form-files.support.ts';
import { contactsOf, setUpForm, submissionsOf, submitted } from './forms.support.ts';

describe('files of submissions', () => {
  test("are named in the timeline of the contact's page", async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    await submitted(service, formId, { ...EMAIL, photo: await tokenFor(service, formId) });
    await submitted(service, formId, EMAIL);
    const [contact] = await contactsOf(service);
    const { call } = await signInAs(service, 'viewer');
    const { body } = await call(`GET /console/api/v1/contacts/${contact.id}/timeline`);
    expect(body.data.map(({ summary }: any) => summary)).toEqual([
      'Contact us',
      'Contact us · tooth.png',
    ]);
  });

  test('are read and downloaded with the answers of the submission', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    await submitted(service, formId, { ...EMAIL, photo: await tokenFor(service, formId) });
    const [contact] = await contactsOf(service);
    const [{ id: submissionId, fields }] = await submissionsOf(service);
    await service.events();
    const { call } = await signInAs(service, 'viewer');
    const path = `/console/api/v1/contacts/${contact.id}/submissions`;
    const { status, body } = await call(`GET ${path}/${submissionId}`);
    expect(status).toBe(200);
    const { id, name, type, size } = fields.photo;
    expect(body.data).toMatchObject({ id: submissionId, form: 'Contact us', pageUrl: null });
    expect(body.data.answers).toEqual([
      { name: 'email', label: expect.any(String), value: EMAIL.email, file: null },
      { name: 'photo', label: expect.any(String), value: null, file: { id, name, type, size } },
    ]);
    expect((await call(`GET /console/api/v1/files/${id}`)).status).toBe(200);
    for (const unknown of [crypto.randomUUID(), 'malformed']) {
      expect((await call(`GET ${path}/${unknown}`)).status).toBe(404);
    }
    const other = await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Bea', lastName: 'Byron' },
    });
    const elsewhere = `/console/api/v1/contacts/${other.body.data.id}/submissions/${submissionId}`;
    expect((await call(`GET ${elsewhere}`)).status).toBe(404);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('of fields that the form does not have any more are named by their keys', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    await submitted(service, formId, { ...EMAIL, photo: await tokenFor(service, formId) });
    const rest = FIELDS.filter(({ name }) => name !== 'photo');
    await setUpForm(service, { fields: rest });
    const [contact] = await contactsOf(service);
    const [{ id: submissionId }] = await submissionsOf(service);
    const { call } = await signInAs(service, 'viewer');
    const path = `/console/api/v1/contacts/${contact.id}/submissions/${submissionId}`;
    const { body } = await call(`GET ${path}`);
    expect(body.data.answers.at(-1)).toMatchObject({ name: 'photo', label: 'photo' });
  });

  test('are deleted when their contact is erased', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    for (const email of ['ada@example.com', 'bea@example.com']) {
      const photo = await tokenFor(service, formId, { name: `${email}.png` });
      await submitted(service, formId, { email, photo });
    }
    const [, kept] = await submissionsOf(service);
    const ada = (await contactsOf(service)).find(({ email }) => email === EMAIL.email);
    await service.events();
    const { call } = await signInAs(service, 'admin');
    const answer = await call(`POST /console/api/v1/contacts/${ada.id}/erase`);
    expect(answer.status).toBe(200);
    expect(await service.eventNames()).toEqual([]);
    expect(await filesOf(service)).toMatchObject([{ submissionId: kept.id }]);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([kept.fields.photo.id]);
    expect(JSON.stringify(await submissionsOf(service))).not.toContain('ada@example.com');
  });

  test('are deleted with their contact', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const photo = await tokenFor(service, formId);
    await submitted(service, formId, { ...EMAIL, photo });
    const [contact] = await contactsOf(service);
    await service.events();
    await service.call(`DELETE /api/v1/contacts/${contact.id}`);
    expect(await service.eventNames()).toEqual([]);
    expect(await filesOf(service)).toEqual([]);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([]);
    expect(await submissionsOf(service)).toHaveLength(1);
  });
});
