import { keepHouse } from '../support/keep-house.ts';
import { describe, expect, test, type Answer } from '../support/service.ts';
import {
  challengeFor,
  setUpForm,
  setUpForms,
  CONTACT,
  solved,
  submissionsOf,
  submit,
  submitted,
  tokenOf,
} from './forms.support.ts';

const ADA = { email: 'ada@example.com' };
const HALF_AN_HOUR_MS = 30 * 60_000;

function expectFailed({ status, body }: Answer): void {
  expect([status, body.error?.details?.reason], JSON.stringify(body)).toEqual([
    400,
    'captcha_failed',
  ]);
  expect(body.error.details.issues).toMatchObject([{ in: 'body', path: '/captchaToken' }]);
}

/** JSON nested as deeply as fits into a token. */
const deep = (right: unknown): string =>
  JSON.stringify(right).replace('"nonce"', `"x":${'{"a":'.repeat(350)}1${'}'.repeat(350)},"nonce"`);

describe('a form with a captcha', () => {
  test('accepts a solved challenge once', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    const captchaToken = await solved(service, formId);
    await submitted(service, formId, ADA, { captchaToken });
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    expectFailed(await submit(service, formId, ADA, { captchaToken }));
    expect(await service.eventNames()).toEqual([]);
    expect(await submissionsOf(service)).toHaveLength(1);
  });

  test('accepts one of ten concurrent submissions with the same challenge', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    const captchaToken = await solved(service, formId);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        submit(service, formId, { email: `ada-${n}@example.com` }, { captchaToken }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    answers.filter(({ status }) => status !== 201).forEach(expectFailed);
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
  });

  test('accepts a challenge for any form once across all forms', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    const theirs = await setUpForm(service, { captcha: true }, { to: service.otherSubAccountId });
    const captchaToken = await solved(service);
    await submitted(service, theirs, ADA, { captchaToken });
    expectFailed(await submit(service, formId, ADA, { captchaToken }));
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses a challenge that was issued for another form', async ({ service }) => {
    const { a = '', b = '' } = await setUpForms(
      service,
      ['a', 'b'].map((key) => ({ ...CONTACT, key, captcha: true })),
    );
    expectFailed(await submit(service, b, ADA, { captchaToken: await solved(service, a) }));
  });

  test('does not use up the challenge of a submission that is refused for another reason', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { captcha: true });
    const captchaToken = await solved(service, formId);
    expect((await submit(service, formId, {}, { captchaToken })).status).toBe(400);
    await submitted(service, formId, ADA, { captchaToken });
  });

  test('refuses a missing, unsolved, altered, forged or malformed token', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    const challenge = await challengeFor(service, formId);
    const right = JSON.parse(Buffer.from(await solved(service, formId), 'base64').toString());
    const { solution } = right;
    const easier = { ...right.challenge.parameters, cost: 1, keyPrefix: '0' };
    const later = { ...right.challenge.parameters, expiresAt: 4_000_000_000 };
    const wrong = [
      undefined,
      '',
      'x',
      '====',
      tokenOf(null),
      tokenOf([]),
      tokenOf({ challenge }),
      tokenOf({ challenge, solution }),
      tokenOf({ ...right, solution: { ...solution, derivedKey: '0'.repeat(64) } }),
      tokenOf({ ...right, solution: { counter: -1, derivedKey: solution.derivedKey } }),
      tokenOf({ ...right, challenge: { ...right.challenge, parameters: easier } }),
      tokenOf({ ...right, challenge: { ...right.challenge, parameters: later } }),
      tokenOf({ ...right, challenge: { ...right.challenge, signature: 'f'.repeat(64) } }),
      tokenOf({ ...right, challenge: { parameters: right.challenge.parameters } }),
      '['.repeat(2_000),
      Buffer.from(deep(right)).toString('base64'),
      Buffer.from('['.repeat(2_900)).toString('base64'),
    ];
    for (const captchaToken of wrong) {
      const more = captchaToken === undefined ? {} : { captchaToken };
      expectFailed(await submit(service, formId, ADA, more));
    }
    const long = await submit(service, formId, ADA, { captchaToken: 'A'.repeat(100_000) });
    expect(long.status).toBe(400);
    expect(await service.eventNames()).toEqual([]);
    await submitted(service, formId, ADA, { captchaToken: tokenOf(right) });
  });

  test('refuses an expired challenge, and housekeeping deletes its row', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    const captchaToken = await solved(service, formId);
    await submitted(service, formId, ADA, { captchaToken: await solved(service, formId) });
    service.clock.advance(HALF_AN_HOUR_MS + 1_000);
    expectFailed(await submit(service, formId, ADA, { captchaToken }));
    service.clock.advance(-HALF_AN_HOUR_MS - 1_000);

    const { database, subAccountId } = service;
    const spent = () =>
      database.rows('select id from spent_challenges where sub_account_id = $1', [subAccountId]);
    const tidyUp = () => keepHouse(service);
    await tidyUp();
    expect(await spent()).toHaveLength(1);
    await database.rows(
      `update spent_challenges set expires_at = now() - interval '1 second'
       where sub_account_id = $1`,
      [subAccountId],
    );
    await tidyUp();
    expect(await spent()).toEqual([]);
  });
});

describe('a challenge', () => {
  test('follows ALTCHA, is signed, differs each time and has an expiry', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    const [one, other] = [await challengeFor(service, formId), await challengeFor(service)];
    for (const { parameters, signature } of [one, other]) {
      expect(parameters).toMatchObject({ algorithm: 'PBKDF2/SHA-256', keyLength: 32 });
      expect(parameters.nonce).toMatch(/^[\da-f]{32}$/);
      expect(signature).toMatch(/^[\da-f]{64}$/);
      const inHalfAnHour = (Date.now() + HALF_AN_HOUR_MS) / 1_000;
      expect(Math.abs((parameters.expiresAt ?? 0) - inHalfAnHour)).toBeLessThan(60);
    }
    expect(one.parameters.nonce).not.toBe(other.parameters.nonce);
  });
});
