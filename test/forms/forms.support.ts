import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { apply } from '../support/manifest.ts';
import { expect, type Answer, type TestService } from '../support/service.ts';

export const CONTACT = {
  key: 'contact',
  name: 'Contact us',
  message: 'Thank you',
  fields: [
    { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
    { name: 'note', label: 'Note', type: 'text' },
  ],
};

export const FILE_FIELD = { name: 'photo', label: 'Photo', type: 'file' };

/** Applies forms, waits until the server is notified, and returns their ids by key. */
export async function setUpForms(
  service: TestService,
  forms: readonly object[] = [CONTACT],
  { to = service.subAccountId, ...more }: { to?: string } & Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const { ids } = await apply(service, { ...more, forms }, { to });
  return ids['forms'] as Record<string, string>;
}

export async function setUpForm(
  service: TestService,
  form: object = {},
  more?: Record<string, unknown>,
): Promise<string> {
  const whole = { ...CONTACT, ...form };
  return (await setUpForms(service, [whole], more))[whole.key] ?? '';
}

/** Submits a form without an API key, like a page of any site. */
export const submit = (
  { call }: Pick<TestService, 'call'>,
  formId: string,
  fields: object,
  more: object = {},
): Promise<Answer> =>
  call('POST /api/forms/submit', { key: null, body: { formId, fields, ...more } });

export async function submitted(
  service: Pick<TestService, 'call'>,
  formId: string,
  fields: object,
  more?: object,
): Promise<any> {
  const answer = await submit(service, formId, fields, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

/** Returns the issues of a refused body, by JSON pointer. */
export function issuesIn({ status, body }: Answer): Record<string, string> {
  expect(status, JSON.stringify(body)).toBe(400);
  return Object.fromEntries(
    body.error.details.issues.map(({ path, message }: any) => [path, message]),
  );
}

export const submissionsOf = ({ database, subAccountId }: TestService): Promise<any[]> =>
  database.rows(
    `select id, form_id as "formId", contact_id as "contactId", fields, page_url as "pageUrl"
     from form_submissions where sub_account_id = $1 order by created_at, id`,
    [subAccountId],
  );

export const contactsOf = async ({ call }: TestService): Promise<any[]> =>
  (await call('GET /api/v1/contacts')).body.data;

export async function challengeFor({ call }: TestService, formId?: string): Promise<Challenge> {
  const query = formId === undefined ? '' : `?formId=${formId}`;
  const answer = await call(`GET /api/forms/captcha${query}`, { key: null });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

/** Solves a challenge and returns the token that ALTCHA's widget sends. */
export async function solved(service: TestService, formId?: string): Promise<string> {
  const challenge = await challengeFor(service, formId);
  const solution = await solveChallenge({ challenge, deriveKey });
  return tokenOf({ challenge, solution });
}

export const tokenOf = (payload: unknown): string =>
  Buffer.from(JSON.stringify(payload)).toString('base64');

/** Submits a form of the key's sub-account, and returns the id of the submission. */
export async function submissionOf(service: TestService, key = 'full'): Promise<string> {
  const to = key === 'other' ? service.otherSubAccountId : service.subAccountId;
  const formId = await setUpForm(service, {}, { to });
  return (await submitted(service, formId, { email: 'ada@example.com' })).submissionId;
}
