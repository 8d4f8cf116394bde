import type { Page } from 'playwright-core';
import { createClient } from '../sdk/src/main.ts';

/** The running demo. */
export interface Demo {
  readonly url: string;
  readonly key: string;
  readonly subAccountId: string;
  readonly formId: string;
}

const DAY_MS = 86_400_000;
const PEOPLE = [
  ['Yusuf', 'Aydın'],
  ['Maren', 'Petersen'],
] as const;
/** Not in the week that the picture of the calendar shows. */
const AHEAD_DAYS = 14;

/** Fills in the form as a visitor does, whose answers are shown in a picture. */
export async function fillForm(page: Page, { url, formId }: Demo): Promise<void> {
  await page.goto(`${url}/f/${formId}`);
  await page.getByLabel('First name').fill('Linnea');
  await page.getByLabel('Last name').fill('Holm');
  await page.getByLabel('Email').fill('linnea.holm@example.com');
  await page.getByLabel('How are you insured?').selectOption('public');
  await page.getByLabel('Your question').fill('Does the cleaning hurt?');
  await page.getByRole('button').last().click();
  await page.getByText('Thank you.').waitFor();
}

/** Books a whole day, and lets two visitors wait for it. */
export async function fillWaitingList({ url, key, subAccountId }: Demo): Promise<void> {
  const { appointments, calendars, contacts } = createClient({ baseUrl: url, apiKey: key });
  const contactId = (await contacts.list({ limit: 1 })).data[0]?.id ?? '';
  const types = await calendars.types();
  const date = workday(Date.now() + AHEAD_DAYS * DAY_MS);
  for (const { id: appointmentTypeId } of types) {
    const query = { appointmentTypeId, date, endDate: date };
    let free = (await calendars.availability(query)).data;
    while (free[0]) {
      const { startTime, endTime } = free[0];
      await appointments.create({ appointmentTypeId, startTime, endTime, contactId });
      free = (await calendars.availability(query)).data;
    }
  }
  for (const [firstName, lastName] of PEOPLE) {
    const email = `${firstName}@example.com`;
    const body = new URLSearchParams({ date, tz: 'Europe/Berlin', firstName, lastName, email });
    const path = `/book/${subAccountId}/check-up/wait`;
    const answer = await fetch(url + path, { method: 'POST', body, redirect: 'manual' });
    if (answer.status !== 303) {
      throw new Error(`the waiting list refused a visitor: ${answer.status}`);
    }
  }
}

/** The date, or the Monday after a weekend. */
function workday(at: number): string {
  const day = new Date(at).getUTCDay();
  const moved = at + (day === 6 ? 2 : day === 0 ? 1 : 0) * DAY_MS;
  return new Date(moved).toISOString().slice(0, 10);
}
