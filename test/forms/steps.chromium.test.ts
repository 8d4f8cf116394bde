import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { axeFindings } from '../support/looks.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { PHONE, shoot, visitForm } from './browser.support.ts';
import { setUpForm, submissionsOf } from './forms.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const STEPS = {
  fields: [
    {
      name: 'first',
      label: 'First name',
      type: 'text',
      required: true,
      mapsTo: 'firstName',
      step: 'About you',
    },
    { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
    {
      name: 'kind',
      label: 'What is it about?',
      type: 'select',
      options: ['Pain', 'Check-up'],
      required: true,
      step: 'Your visit',
    },
    {
      name: 'where',
      label: 'Where does it hurt?',
      type: 'text',
      required: true,
      showIf: { field: 'kind', equals: 'Pain' },
    },
    { name: 'terms', label: 'I agree', type: 'checkbox', required: true, step: 'Terms' },
    {
      name: 'note',
      label: 'What should we know?',
      type: 'textarea',
      showIf: { field: 'terms', equals: 'true' },
    },
  ],
};

const visit = (service: TestService, formId: string, options?: BrowserContextOptions) =>
  visitForm(browser, service, formId, options);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const sent = (page: Page) => page.getByRole('heading', { name: 'Thank you' }).waitFor();
const stepOf = (page: Page) => page.locator('.progress').textContent();
const focusedId = (page: Page) => page.evaluate('document.activeElement.id');

async function fillFirst(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
}

describe('a form with steps', () => {
  test('shows one step after another, and returns', async ({ service }) => {
    const formId = await setUpForm(service, STEPS);
    const { page, complaints } = await visit(service, formId, PHONE);
    expect(await stepOf(page)).toBe('Step 1 of 3');
    expect(await page.getByRole('group').count()).toBe(1);
    const buttons = () => page.getByRole('button').allTextContents();
    expect(await buttons()).toEqual(['Next']);
    await shoot(page, 'steps-phone');
    expect(await axeFindings(page)).toEqual([]);
    await fillFirst(page);
    await press(page, 'Next');
    expect(await stepOf(page)).toBe('Step 2 of 3');
    expect(await focusedId(page)).toBe('field-kind');
    expect(await buttons()).toEqual(['Back', 'Next']);
    await press(page, 'Back');
    expect(await stepOf(page)).toBe('Step 1 of 3');
    expect(await page.getByLabel('First name').inputValue()).toBe('Ada');
    await press(page, 'Next');
    await page.getByLabel('What is it about?').selectOption('Check-up');
    await press(page, 'Next');
    expect(await buttons()).toEqual(['Back', 'Send']);
    await page.getByLabel('I agree').check();
    await shoot(page, 'steps-last-phone');
    await press(page, 'Send');
    await sent(page);
    expect((await submissionsOf(service))[0].fields).toEqual({
      first: 'Ada',
      email: 'ada@example.com',
      kind: 'Check-up',
      terms: true,
    });
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    expect(complaints).toEqual([]);
  });

  test('checks each step before the next, and says what is wrong when a field is left', async ({
    service,
  }) => {
    const formId = await setUpForm(service, STEPS);
    const { page, complaints } = await visit(service, formId, { colorScheme: 'dark' });
    const wrong = page.locator('.wrong');
    await page.getByLabel('Email').pressSequentially('ada@');
    expect(await wrong.count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await wrong.textContent()).toBe('This does not look like an email address.');
    await press(page, 'Next');
    expect(await wrong.allTextContents()).toEqual([
      'Please fill this in.',
      'This does not look like an email address.',
    ]);
    expect(await focusedId(page)).toBe('field-first');
    expect(await stepOf(page)).toBe('Step 1 of 3');
    await shoot(page, 'steps-wrong-dark');
    expect(await axeFindings(page)).toEqual([]);
    await fillFirst(page);
    expect(await wrong.count()).toBe(0);
    // The Enter key leads to the next step instead of sending half a form.
    await page.keyboard.press('Enter');
    expect(await stepOf(page)).toBe('Step 2 of 3');
    expect(await submissionsOf(service)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('is shown again at the step that the server refuses', async ({ service }) => {
    const formId = await setUpForm(service, STEPS);
    const { page } = await visit(service, formId);
    await page.getByLabel('First name').fill('Ada');
    // Browsers accept an address of any length, the server does not.
    await page.getByLabel('Email').fill(`${'a'.repeat(300)}@example.com`);
    await press(page, 'Next');
    await page.getByLabel('What is it about?').selectOption('Pain');
    await page.getByLabel('Where does it hurt?').fill('left');
    await press(page, 'Next');
    await page.getByLabel('I agree').check();
    await press(page, 'Send');
    await page.getByRole('alert').waitFor();
    expect(await stepOf(page)).toBe('Step 1 of 3');
    await page.getByLabel('Email').fill('ada@example.com');
    await press(page, 'Next');
    expect(await page.getByLabel('Where does it hurt?').inputValue()).toBe('left');
    await press(page, 'Next');
    await press(page, 'Send');
    await sent(page);
    expect((await submissionsOf(service))[0].fields).toMatchObject({ kind: 'Pain', where: 'left' });
  });

  test('is one page without JavaScript', async ({ service }) => {
    const formId = await setUpForm(service, STEPS);
    const { page } = await visit(service, formId, { javaScriptEnabled: false });
    const groups = page.getByRole('group');
    expect(await groups.count()).toBe(3);
    expect(await page.locator('legend').allTextContents()).toEqual([
      'About you',
      'Your visit',
      'Terms',
    ]);
    await shoot(page, 'steps-noscript');
    await fillFirst(page);
    await page.getByLabel('What is it about?').selectOption('Check-up');
    await page.getByLabel('Where does it hurt?').fill('nowhere');
    await page.getByLabel('I agree').check();
    await press(page, 'Send');
    await sent(page);
    expect((await submissionsOf(service))[0].fields).not.toHaveProperty('where');
  });
});

describe('a field with a condition', () => {
  test('appears and is required only while the condition holds', async ({ service }) => {
    const formId = await setUpForm(service, { fields: STEPS.fields.slice(2).map(withoutStep) });
    const { page, complaints } = await visit(service, formId);
    const where = page.getByLabel('Where does it hurt?');
    const note = page.getByLabel('What should we know?');
    expect(await page.locator('.progress').count()).toBe(0);
    expect([await where.isVisible(), await note.isVisible()]).toEqual([false, false]);
    const kind = page.getByLabel('What is it about?');
    await kind.selectOption('Pain');
    await page.getByLabel('I agree').check();
    expect([await where.isVisible(), await note.isVisible()]).toEqual([true, true]);
    await note.fill('hello');
    await press(page, 'Send');
    expect(await page.locator('.wrong').allTextContents()).toEqual(['Please fill this in.']);
    await where.fill('left');
    await kind.selectOption('Check-up');
    expect(await where.isVisible()).toBe(false);
    await press(page, 'Send');
    await sent(page);
    expect((await submissionsOf(service))[0].fields).toEqual({
      kind: 'Check-up',
      terms: true,
      note: 'hello',
    });
    expect(complaints).toEqual([]);
  });
});

const withoutStep = (field: object) => ({ ...field, step: undefined });
