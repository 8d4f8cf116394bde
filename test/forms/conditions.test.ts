import { apply } from '../support/manifest.ts';
import { describe, expect, test } from '../support/service.ts';
import { CONTACT, issuesIn, setUpForm, submissionsOf, submit, submitted } from './forms.support.ts';

const KIND = {
  name: 'kind',
  label: 'What is it about?',
  type: 'select',
  options: ['Pain', 'Check-up'],
  step: 'Your visit',
};
const WHERE = {
  name: 'where',
  label: 'Where does it hurt?',
  type: 'text',
  required: true,
  showIf: { field: 'kind', equals: 'Pain' },
};
const NEWS = { name: 'news', label: 'Send me news', type: 'checkbox' };
const OFTEN = {
  name: 'often',
  label: 'How often?',
  type: 'select',
  options: ['Daily', 'Weekly'],
  showIf: { field: 'news', equals: 'true' },
};
const WHY = {
  name: 'why',
  label: 'Why not?',
  type: 'text',
  showIf: { field: 'news', equals: 'false' },
};
const DAY = {
  name: 'day',
  label: 'Which day?',
  type: 'text',
  required: true,
  showIf: { field: 'often', equals: 'Weekly' },
};
const FIELDS = [KIND, WHERE, NEWS, OFTEN, WHY, DAY];

describe('a field with a condition', () => {
  test('is required and stored only if its condition holds', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    expect(issuesIn(await submit(service, formId, { kind: 'Pain' }))).toEqual({
      '/fields/where': 'is required',
    });
    await submitted(service, formId, { kind: 'Pain', where: 'left' });
    await submitted(service, formId, { kind: 'Check-up', where: 'left' });
    await submitted(service, formId, { where: 'left' });
    expect((await submissionsOf(service)).map(({ fields }) => fields)).toEqual([
      { kind: 'Pain', where: 'left' },
      { kind: 'Check-up' },
      {},
    ]);
    const names = await service.eventNames();
    expect(names).toEqual(['form.submitted', 'form.submitted', 'form.submitted']);
  });

  test('may depend on a checkbox, which is false if it is not sent', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    await submitted(service, formId, { news: 'on', often: 'Daily', why: 'x' });
    await submitted(service, formId, { news: false, often: 'Daily', why: 'x' });
    await submitted(service, formId, { often: 'Daily', why: 'x' });
    expect((await submissionsOf(service)).map(({ fields }) => fields)).toEqual([
      { news: true, often: 'Daily' },
      { news: false, why: 'x' },
      { why: 'x' },
    ]);
  });

  test('does not hold if the field that it depends on is not asked for', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    expect(issuesIn(await submit(service, formId, { news: true, often: 'Weekly' }))).toEqual({
      '/fields/day': 'is required',
    });
    await submitted(service, formId, { news: false, often: 'Weekly', day: 'Monday' });
    expect((await submissionsOf(service))[0].fields).toEqual({ news: false });
  });

  test('writes nothing to the contact if its condition does not hold', async ({ service }) => {
    const city = { ...WHERE, name: 'city', mapsTo: 'city' };
    const formId = await setUpForm(service, { fields: [...CONTACT.fields, KIND, city] });
    const email = 'ada@example.com';
    await submitted(service, formId, { email, kind: 'Check-up', city: 'Paris' });
    const [contact] = (await service.call('GET /api/v1/contacts')).body.data;
    expect(contact.city).toBeNull();
    await submitted(service, formId, { email, kind: 'Pain', city: 'Paris' });
    const [changed] = (await service.call('GET /api/v1/contacts')).body.data;
    expect(changed.city).toBe('Paris');
  });

  test('is described with its condition, and the first of a step with its heading', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields: [KIND, WHERE] });
    const { body } = await service.call(`GET /api/forms/config?formId=${formId}`, { key: null });
    expect(body.data.fields).toEqual([
      { ...KIND, required: false },
      { ...WHERE, options: null },
    ]);
  });

  test.for([
    [{ ...WHERE, showIf: { field: 'day', equals: 'x' } }, '/showIf/field must be the name of an'],
    [{ ...WHERE, showIf: { field: 'where', equals: 'x' } }, '/showIf/field must be the name of an'],
    [{ ...WHERE, showIf: { field: 'email', equals: 'x' } }, '/showIf/field must be the name of an'],
    [
      { ...WHERE, showIf: { field: 'kind', equals: 'Other' } },
      '/showIf/equals must be one of Pain, Check-up',
    ],
    [
      { ...WHERE, showIf: { field: 'news', equals: 'yes' } },
      '/showIf/equals must be one of true, false',
    ],
  ] as const)(
    'is refused if it depends on what visitors cannot choose: %j',
    async ([field, why], { service }) => {
      const later = { ...DAY, showIf: undefined };
      const form = { ...CONTACT, fields: [CONTACT.fields[0], KIND, NEWS, field, later] };
      await expect(apply(service, { forms: [form] })).rejects.toThrow(`/forms/0/fields/3${why}`);
    },
  );
});
