import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { HTML, PDF, PNG } from '../files/files.support.ts';
import { openBrowser } from '../support/browser.ts';
import { axeFindings } from '../support/looks.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { PHONE, shoot, visitForm } from './browser.support.ts';
import { CONTACT, FILE_FIELD, setUpForm, submissionsOf } from './forms.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const PHOTO = { ...FILE_FIELD, required: true, accept: ['images', 'pdf'], maxMb: 1 };
const FIELDS = [...CONTACT.fields, PHOTO];
const png = { name: 'tooth.png', mimeType: 'image/png', buffer: PNG };
const report = { name: 'report.pdf', mimeType: 'application/pdf', buffer: PDF };

const visit = (service: TestService, formId: string, options?: BrowserContextOptions) =>
  visitForm(browser, service, formId, options);

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
const sent = (page: Page) => page.getByRole('heading', { name: 'Thank you' }).waitFor();

const isNarrow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

describe('a file field in a browser', () => {
  test('works without JavaScript, and keeps the file of a refused form', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const { page, complaints } = await visit(service, formId, {
      ...PHONE,
      javaScriptEnabled: false,
    });
    await page.getByLabel('Email').fill(`${'a'.repeat(300)}@example.com`);
    await page.getByLabel('Photo').setInputFiles(png);
    await send(page);
    await page.getByText('tooth.png – uploaded').waitFor();
    expect(await isNarrow(page)).toBe(true);
    await shoot(page, 'file-uploaded-phone');
    await page.getByLabel('Email').fill('ada@example.com');
    await send(page);
    await sent(page);
    const [submission] = await submissionsOf(service);
    expect(submission.fields.photo).toMatchObject({ name: 'tooth.png', size: PNG.length });
    expect(complaints).toEqual([]);
  });

  test.for([
    ['light', {}],
    ['dark', {}],
    ['light', { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }],
    ['dark', { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }],
  ] as const)('has no findings in %s with %o', async ([colorScheme, size], { service }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const { page, complaints } = await visit(service, formId, { ...size, colorScheme });
    expect(await axeFindings(page)).toEqual([]);
    await send(page);
    await page.locator('#field-photo-wrong').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Photo').setInputFiles(png);
    expect(await axeFindings(page)).toEqual([]);
    expect(await isNarrow(page)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('says at once that a file is missing or too large, and after sending that it is of another type', async ({
    service,
  }) => {
    const formId = await setUpForm(service, { fields: FIELDS });
    const { page, complaints } = await visit(service, formId, { colorScheme: 'dark' });
    const photo = page.getByLabel('Photo');
    const wrong = page.locator('#field-photo-wrong');
    await page.getByLabel('Email').fill('ada@example.com');
    await send(page);
    expect(await wrong.textContent()).toBe('Please fill this in.');
    expect(await photo.getAttribute('aria-describedby')).toBe('field-photo-hint field-photo-wrong');
    await photo.setInputFiles({ ...png, buffer: Buffer.alloc(1024 * 1024 + 1) });
    expect(await wrong.textContent()).toContain('This file is not accepted');
    await send(page);
    await photo.setInputFiles({ ...png, buffer: HTML });
    expect(await wrong.count()).toBe(0);
    expect(await photo.getAttribute('aria-describedby')).toBe('field-photo-hint');
    await shoot(page, 'file-dark');
    await send(page);
    await page.getByRole('alert').waitFor();
    expect(await wrong.textContent()).toContain('This file is not accepted');
    await shoot(page, 'file-refused-dark');
    expect(await submissionsOf(service)).toEqual([]);
    await photo.setInputFiles(report);
    await send(page);
    await sent(page);
    const [submission] = await submissionsOf(service);
    expect(submission.fields.photo).toMatchObject({ name: 'report.pdf', type: 'application/pdf' });
    expect(complaints).toEqual([]);
  });

  test('is sent once for two clicks, with a captcha', async ({ service }) => {
    const formId = await setUpForm(service, { fields: FIELDS, captcha: true });
    const { page, complaints } = await visit(service, formId);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Photo').setInputFiles(png);
    await shoot(page, 'file');
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await sent(page);
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    expect(await submissionsOf(service)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
