import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { PHONE, shoot, visitForm } from './browser.support.ts';
import { CONTACT, setUpForm, submissionsOf } from './forms.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const PATIENT = { timeout: 60_000 };

const EVERYTHING = {
  fields: [
    { name: 'first', label: 'First name', type: 'text', required: true, mapsTo: 'firstName' },
    { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
    { name: 'phone', label: 'Phone', type: 'phone', mapsTo: 'phone' },
    { name: 'day', label: 'Which day suits you?', type: 'date' },
    { name: 'topic', label: 'What is it about?', type: 'select', options: ['Braces', 'Other'] },
    { name: 'site', label: 'Your site', type: 'url' },
    { name: 'teeth', label: 'How many teeth?', type: 'number' },
    { name: 'note', label: 'Anything else?', type: 'textarea' },
    { name: 'terms', label: 'I agree to be called back', type: 'checkbox', required: true },
  ],
};

const visit = (service: TestService, formId: string, options?: BrowserContextOptions) =>
  visitForm(browser, service, formId, options);

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Phone').fill('+49 30 901820');
  await page.getByLabel('Which day suits you?').fill('2026-12-01');
  await page.getByLabel('What is it about?').selectOption('Braces');
  await page.getByLabel('Anything else?').fill('Two\nlines');
  await page.getByLabel('I agree to be called back').check();
}

describe('a form in a browser', () => {
  test('works without JavaScript', async ({ service }) => {
    const formId = await setUpForm(service, EVERYTHING);
    const { page, complaints } = await visit(service, formId, { javaScriptEnabled: false });
    await shoot(page, 'form');
    await fillIn(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await shoot(page, 'sent');
    expect(page.url()).toBe(`${service.url}/f/${formId}/sent`);
    const [submission, ...others] = await submissionsOf(service);
    expect(others).toEqual([]);
    expect(submission.fields).toEqual({
      first: 'Ada',
      email: 'ada@example.com',
      phone: '+4930901820',
      day: '2026-12-01',
      topic: 'Braces',
      note: 'Two\nlines',
      terms: true,
    });
    expect(complaints).toEqual([]);
  });

  test('shows errors beside the fields, and keeps what was typed', async ({ service }) => {
    const formId = await setUpForm(service, EVERYTHING);
    const { page, complaints } = await visit(service, formId, { ...PHONE, colorScheme: 'dark' });
    await fillIn(page);
    await page.getByLabel('Phone').fill('12');
    await page.getByLabel('Email').fill('ada@localhost@x');
    await page.evaluate('document.querySelector("form").submit()');
    await page.getByRole('alert').waitFor();
    await shoot(page, 'wrong-dark-phone');
    const email = page.getByLabel('Email', { exact: true });
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.inputValue()).toBe('ada@localhost@x');
    expect(await page.getByLabel('Anything else?').inputValue()).toBe('Two\nlines');
    expect(await page.getByLabel('What is it about?').inputValue()).toBe('Braces');
    expect(await page.getByLabel('I agree to be called back').isChecked()).toBe(true);
    expect(await page.locator('#field-phone-wrong').textContent()).toContain('phone number');
    const widths = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
    expect(await page.evaluate(widths)).toBe(true);
    await email.fill('ada@example.com');
    await page.getByLabel('Phone').fill('');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await submissionsOf(service)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('hides its honeypot from sight, keyboard and screen readers', async ({ service }) => {
    const formId = await setUpForm(service);
    const { page } = await visit(service, formId);
    expect(await page.getByRole('textbox').count()).toBe(2);
    const names: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      await page.keyboard.press('Tab');
      names.push(
        await page.evaluate('document.activeElement.name || document.activeElement.tagName'),
      );
    }
    expect(names).toEqual(['fields.email', 'fields.note', 'BUTTON']);
    const box = await page.locator('#pot').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(0);
  });

  test('redirects to the configured URL on another site', async ({ service }) => {
    const redirectUrl = `${service.url.replace('127.0.0.1', 'localhost')}/pages/card.css`;
    const formId = await setUpForm(service, { redirectUrl });
    const { page, complaints } = await visit(service, formId);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(redirectUrl);
    expect(complaints).toEqual([]);
  });
});

describe('a form with a captcha in a browser', () => {
  const guarded = { ...CONTACT, captcha: true };

  test('is solved while the form is filled in, and sent once for two clicks', async ({
    service,
  }) => {
    const formId = await setUpForm(service, guarded);
    const { page, complaints } = await visit(service, formId);
    expect(await page.getByText('This form needs JavaScript').count()).toBe(0);
    await page.getByLabel('Email').fill('ada@example.com');
    const send = page.getByRole('button', { name: 'Send' });
    await send.dblclick();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    expect(await submissionsOf(service)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('is solved again for a form that is shown again', async ({ service }) => {
    const formId = await setUpForm(service, guarded);
    const { page } = await visit(service, formId);
    // Browsers accept an address of any length, the server does not.
    await page.getByLabel('Email').fill(`${'a'.repeat(300)}@example.com`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('problem');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await submissionsOf(service)).toHaveLength(1);
  });

  test('shows its progress, and that it can be tried again', async ({ service }) => {
    const formId = await setUpForm(service, guarded);
    const { page } = await visit(service, formId);
    let isAway = true;
    await page.route('**/api/forms/captcha*', (route) =>
      isAway ? route.abort() : route.continue(),
    );
    await page.getByLabel('Email').fill('ada@example.com');
    const send = page.getByRole('button', { name: 'Send' });
    await send.click();
    const status = page.getByRole('status');
    await expect.poll(() => status.textContent(), PATIENT).toContain('The check failed');
    await shoot(page, 'uncheckable');
    expect(await send.isEnabled()).toBe(true);
    isAway = false;
    await send.click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await submissionsOf(service)).toHaveLength(1);
  });

  test('says that it needs JavaScript', async ({ service }) => {
    const formId = await setUpForm(service, guarded);
    const { page } = await visit(service, formId, { javaScriptEnabled: false });
    await page.getByText('This form needs JavaScript').waitFor();
    await shoot(page, 'noscript');
  });
});
