import { describe, expect, test, type TestService } from '../support/service.ts';
import { contactsOf, CONTACT, setUpForm, submissionsOf } from './forms.support.ts';

const get = ({ url }: TestService, path: string) => fetch(url + path, { redirect: 'manual' });

const post = ({ url }: TestService, formId: string, form: Record<string, string>) =>
  fetch(`${url}/f/${formId}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });

const onceIn = (page: string): string => /name="once" value="([^"]+)"/.exec(page)?.[1] ?? '';

function expectPage({ headers }: Response): void {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*/);
}

describe('the page of a form', () => {
  test('says without a script which choice a conditional field is for', async ({ service }) => {
    const fields = [
      { name: 'kind', label: 'What is it?', type: 'select', options: ['Pain $&', 'Other'] },
      { name: 'news', label: 'Send news', type: 'checkbox' },
      {
        name: 'where',
        label: 'Where?',
        type: 'text',
        showIf: { field: 'kind', equals: 'Pain $&' },
      },
      {
        name: 'often',
        label: 'How often?',
        type: 'text',
        showIf: { field: 'news', equals: 'true' },
      },
      { name: 'why', label: 'Why not?', type: 'text', showIf: { field: 'news', equals: 'false' } },
    ];
    const formId = await setUpForm(service, { fields });
    const page = await (await get(service, `/f/${formId}`)).text();
    const hints = [...page.matchAll(/<noscript\s*><p class="hint">([^<]*)</g)].map(
      ([, hint]) => hint,
    );
    expect(hints).toEqual(['Only for: What is it? Pain $&amp;', 'Only for: Send news']);
  });

  test('has its own script only, and nothing inline or foreign', async ({ service }) => {
    const size = { name: 'size', label: 'Size <b>', type: 'select', options: ['S', '"M"'] };
    const formId = await setUpForm(service, { fields: [...CONTACT.fields, size] });
    const answer = await get(service, `/f/${formId.toUpperCase()}`);
    expect(answer.status).toBe(200);
    expectPage(answer);
    const page = await answer.text();
    expect(page).toContain('<h1>Contact us</h1>');
    expect(page).toContain('Harbour Dental');
    expect(page).toContain('type="email"');
    expect(page).toContain('Size &lt;b&gt;');
    expect(page).toContain('value="&quot;M&quot;"');
    expect(page).not.toMatch(
      /<script(?! src="\.\.\/forms\/form\.js" defer)|<style|\sstyle=|\son\w+=|https?:/,
    );
    expect(page).toMatch(/aria-hidden="true"[^]*name="website"[^>]*tabindex="-1"/);
  });

  test.for([
    ['de-DE', 'de', 'Absenden'],
    ['fr', 'fr', 'Envoyer'],
    ['es-ES', 'es', 'Enviar'],
    ['pt', 'en', 'Send'],
  ])('is in the language of its sub-account: %s', async ([locale, lang, send], { service }) => {
    const formId = await setUpForm(service, {}, { subAccount: { locale } });
    const page = await (await get(service, `/f/${formId}`)).text();
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page).toContain(send);
  });

  test('redirects after a submission, and sent twice is submitted once', async ({ service }) => {
    const formId = await setUpForm(service);
    const once = onceIn(await (await get(service, `/f/${formId}`)).text());
    const form = { once, 'fields.email': 'ada@example.com', 'fields.note': 'a\r\nb', website: '' };
    for (const answer of [
      ...(await Promise.all([post(service, formId, form), post(service, formId, form)])),
      await post(service, formId, form),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${formId}/sent`]);
    }
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    expect(await submissionsOf(service)).toEqual([
      {
        id: expect.any(String),
        formId,
        contactId: expect.any(String),
        fields: { email: 'ada@example.com', note: 'a\nb' },
        pageUrl: `${service.url}/f/${formId}`,
      },
    ]);
    const sent = await get(service, `/f/${formId}/sent`);
    expect(sent.status).toBe(200);
    expectPage(sent);
    expect(await sent.text()).toContain('Thank you');
  });

  test('stores what a visitor corrects after going back, once', async ({ service }) => {
    const formId = await setUpForm(service);
    const once = onceIn(await (await get(service, `/f/${formId}`)).text());
    const sent = { once, 'fields.email': 'ada@example.com', 'fields.note': 'Tuesday', website: '' };
    const corrected = { ...sent, 'fields.note': 'Thursday' };
    for (const form of [sent, corrected, corrected, sent]) {
      const answer = await post(service, formId, form);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${formId}/sent`]);
    }
    const notes = (await submissionsOf(service)).map(({ fields }) => fields.note);
    expect(notes).toHaveLength(2);
    expect(new Set(notes)).toEqual(new Set(['Thursday', 'Tuesday']));
    expect(await service.eventNames()).toEqual([
      'contact.created',
      'form.submitted',
      'form.submitted',
    ]);
  });

  test('redirects to the configured URL', async ({ service }) => {
    const redirectUrl = 'https://harbour.example/thanks?a=1';
    const formId = await setUpForm(service, { redirectUrl });
    const form = { 'fields.email': 'ada@example.com', redirectUrl: 'https://evil.example' };
    const answer = await post(service, formId, form);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, redirectUrl]);
    const policy = (await get(service, `/f/${formId}`)).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://harbour.example");
    const odd = await setUpForm(service, { redirectUrl: 'https://hafen.example/da\nnke?für=日本' });
    const redirected = await post(service, odd, form);
    expect([redirected.status, redirected.headers.get('location')]).toEqual([
      303,
      'https://hafen.example/danke?f%C3%BCr=%E6%97%A5%E6%9C%AC',
    ]);
  });

  test('is shown again with the typed values and their errors, and submits nothing', async ({
    service,
  }) => {
    const terms = { name: 'terms', label: 'Terms', type: 'checkbox', required: true };
    const formId = await setUpForm(service, { fields: [...CONTACT.fields, terms] });
    const form = { 'fields.email': 'unknown"><script>', 'fields.note': '<i>hello</i>' };
    const answer = await post(service, formId, form);
    expect(answer.status).toBe(400);
    expectPage(answer);
    const page = await answer.text();
    expect(page).toContain('value="unknown&quot;&gt;&lt;script&gt;"');
    expect(page).toContain('value="&lt;i&gt;hello&lt;/i&gt;"');
    expect(page).toContain('This does not look like an email address.');
    expect(page).toContain('Please tick this.');
    expect(page).toContain('href="#field-email"');
    expect(page).toMatch(/aria-invalid="true"[^>]*aria-describedby="field-email-wrong"/);
    expect(await service.eventNames()).toEqual([]);
    expect(await submissionsOf(service)).toEqual([]);
  });

  test('drops a submission with the honeypot filled in, without saying so', async ({ service }) => {
    const formId = await setUpForm(service);
    const answer = await post(service, formId, { website: 'https://spam.example' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${formId}/sent`]);
    expect(await service.eventNames()).toEqual([]);
    expect(await contactsOf(service)).toEqual([]);
  });

  test('with a captcha needs a script, and says so', async ({ service }) => {
    const formId = await setUpForm(service, { captcha: true });
    const page = await (await get(service, `/f/${formId}`)).text();
    expect(page).toContain('<script src="../forms/form.js" defer></script>');
    expect(page).toMatch(/class="wrong unscripted">[^<]*JavaScript/);
    const form = { 'fields.email': 'ada@example.com' };
    const answer = await post(service, formId, form);
    expect(answer.status).toBe(400);
    const again = await answer.text();
    expect(again).toContain('We could not check that you are not a robot.');
    expect(again).toContain('value="ada@example.com"');
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses files with an error page', async ({ service }) => {
    const formId = await setUpForm(service);
    const body = new FormData();
    body.set('file', new Blob(['x']), 'x.txt');
    const answer = await fetch(`${service.url}/f/${formId}`, { method: 'POST', body });
    expect(answer.status).toBe(415);
    expectPage(answer);
    expect(await answer.text()).toContain('Files cannot be sent here');
  });

  test('of an unknown form is an error page, whatever is sent', async ({ service }) => {
    for (const id of [crypto.randomUUID(), 'unknown', '%22%3E%3Cscript%3E', '%00', '..%2f']) {
      for (const answer of [
        await get(service, `/f/${id}`),
        await get(service, `/f/${id}/sent`),
        await post(service, id, { 'fields.email': 'a@b.example' }),
      ]) {
        expect(answer.status).toBe(404);
        expectPage(answer);
        const page = await answer.text();
        expect(page).toContain('This page does not exist');
        expect(page).not.toContain('<script');
      }
    }
  });

  test.for([
    ['a malformed body', 'a=%00%ff&fields.email=%E0%A4%A'],
    ['a field twice', 'fields.email=a&fields.email=b'],
    ['malformed names', '__proto__=1&constructor=2&fields.__proto__=3&fields.=4'],
    ['a long text', `fields.email=${'x'.repeat(30_000)}`],
  ] as const)('refuses %s without a 500', async ([, body], { service }) => {
    const formId = await setUpForm(service);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
    const answer = await fetch(`${service.url}/f/${formId}`, init);
    expect(answer.status).toBe(400);
    expectPage(answer);
    expect(await service.eventNames()).toEqual([]);
  });

  test.for(['/forms/form.js', '/pages/card.css'])('loads %s once', async (path, { service }) => {
    const first = await get(service, path);
    expect(first.status).toBe(200);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const again = await fetch(service.url + path, { headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
