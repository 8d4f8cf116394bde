import { Client } from 'pg';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { winterMonday } from '../support/clock.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, findingsOf, picture } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };
const { date: MONDAY, day: DAY } = winterMonday();

let browser: Browser;
let place: Installation;
let client: Client;
beforeAll(async () => {
  browser = await openBrowser();
  place = await install();
  client = new Client(place.database.url);
  await client.connect();
});
afterAll(async () => {
  await browser.close();
  await client.end();
  await place.close();
});

/** Anna is busy from 13:00 to 15:00; nothing is booked. */
beforeEach(async () => {
  for (const table of ['appointments', 'contact_emails', 'contacts', 'outbox', 'events']) {
    await client.query(`delete from ${table}`);
  }
  await client.query(
    `insert into external_busy (sub_account_id, member_id, busy)
     select sub_account_id, id, tstzmultirange(tstzrange('${MONDAY}T12:00Z', '${MONDAY}T14:00Z'))
     from team_members where sub_account_id = $1 and key = 'anna' on conflict do nothing`,
    [place.subAccountId],
  );
});

const eventNames = async () => {
  const { rows } = await client.query<{ name: string }>(
    'select id, name from outbox union all select id, name from events order by id',
  );
  return rows.map(({ name }) => name);
};

async function openDay(page: Page, url: string, query = `view=day&date=${MONDAY}`): Promise<void> {
  await page.goto(`${url}/console/${place.subAccountId}/calendar?${query}`);
  await page
    .getByText('Open 09:00–17:00')
    .first()
    .waitFor({ state: 'attached', ...PATIENCE });
}

const pickerOf = (page: Page, column: string): Locator =>
  page.getByRole('region', { name: column }).getByRole('button', { name: /^New appointment/ });

/** The point of a column at a time, in the middle of its half hour. */
async function pointAt(page: Page, column: string, hour: number) {
  const box = await pickerOf(page, column).boundingBox();
  const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
  return { x: x + width / 2, y: y + ((hour + 0.2) / 24) * height };
}

async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const { x = 0, y = 0, width = 0 } = (await from.boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + 4);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 12, { steps: 3 });
  await page.getByText('11:00', { exact: true }).nth(1).waitFor(PATIENCE);
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await picture(page, 'drag');
  await page.mouse.up();
}

async function fillCustomer(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'New appointment' });
  await dialog.getByRole('button', { name: 'New contact' }).click();
  await dialog.getByLabel('First name').fill('Grace');
  await dialog.getByLabel('Last name').fill('Hopper');
  await dialog.getByLabel('Email').fill('grace@example.com');
}

async function choose(page: Page, dialog: Locator, member: string): Promise<void> {
  await dialog.getByRole('button', { name: /With$/ }).click();
  await page.getByRole('option', { name: member }).click();
}

/** Of appointments that have room for one line, two, three and four. */
const MINUTES = [30, 60, 80, 105];

/** Returns the lines of a card that show. Throws if a part of a line does. */
const linesOf = (card: Locator): Promise<string[]> =>
  card.evaluate((button: any) => {
    const box = button.getBoundingClientRect();
    return [...button.children].flatMap((line: any) => {
      const own = line.getBoundingClientRect();
      if (own.left >= box.right) {
        return [];
      }
      if (own.right > box.right || own.bottom > box.bottom) {
        throw new Error(`${line.textContent} is cut off`);
      }
      return [line.textContent.trim()];
    });
  });

describe('the calendar', () => {
  test('books where it is clicked, moves by dragging, and says why a time is refused', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await openDay(page, url);
    const anna = page.getByRole('region', { name: 'Anna Weber' });
    await anna.getByText('Busy').waitFor({ state: 'attached', ...PATIENCE });
    // Both are free at ten: without a choice, it would be Anna's.
    const column = 'Ben Krause';
    const at = await pointAt(page, column, 10);
    await page.mouse.click(at.x, at.y);
    const dialog = page.getByRole('dialog', { name: 'New appointment' });
    await dialog.getByRole('option', { name: '10:00' }).waitFor(PATIENCE);
    await fillCustomer(page);
    await picture(page, 'book');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Book', exact: true }).click();
    const bens = page.getByRole('region', { name: column });
    const booked = bens.getByRole('button', { name: '10:00 Grace Hopper' });
    await booked.waitFor(PATIENCE);
    await page.getByText(`Mon ${DAY} Jan, 10:00 with ${column}`).waitFor(PATIENCE);
    expect(await eventNames()).toEqual(['contact.created', 'appointment.booked']);
    await expect.poll(() => page.getByRole('dialog').count(), PATIENCE).toBe(0);

    await drag(page, booked, await pointAt(page, column, 11));
    const moved = page.getByRole('button', { name: '11:00 Grace Hopper' });
    await moved.waitFor(PATIENCE);
    expect((await eventNames()).slice(2)).toEqual(['appointment.rescheduled']);
    await page.getByText(`Moved to Mon ${DAY} Jan, 11:00 with ${column}`).waitFor(PATIENCE);
    await page.getByRole('button', { name: 'Undo' }).click();
    await booked.waitFor(PATIENCE);
    await page.getByText('Moved back').waitFor(PATIENCE);
    await drag(page, booked, await pointAt(page, column, 11));
    await drag(page, moved, await pointAt(page, column, 18));
    const move = page.getByRole('dialog', { name: 'Move' });
    await move
      .getByText(new RegExp(`^Not free\\. Opening hours on .*\\b${DAY} Jan.*: 09:00–17:00\\.$`))
      .waitFor(PATIENCE);
    for (const fact of ['Grace Hopper', column]) {
      await move.getByRole('paragraph').getByText(fact, { exact: true }).waitFor();
    }
    expect(await move.getByRole('button', { name: 'Move' }).isDisabled()).toBe(true);
    await move.getByRole('button', { name: 'Previous day' }).click();
    await move.getByText(new RegExp(`^Not free\\. Closed on .*${DAY - 1} Jan`)).waitFor(PATIENCE);
    await move.getByRole('button', { name: 'Next day' }).click();
    await picture(page, 'refused');
    await move.getByRole('option', { name: '09:30' }).click();
    await move.getByText('Not free.').waitFor({ state: 'detached', ...PATIENCE });
    await move.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('button', { name: '09:30 Grace Hopper' }).waitFor(PATIENCE);
    expect((await eventNames()).slice(2)).toEqual(Array(4).fill('appointment.rescheduled'));
    expect(faults).toEqual([]);
  });

  test('gives an appointment to another member, and offers the free times of the chosen one', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await openDay(page, url, `view=day&date=${MONDAY}&new`);
    const dialog = page.getByRole('dialog', { name: 'New appointment' });
    await dialog.getByRole('option', { name: '13:00' }).waitFor(PATIENCE);
    await choose(page, dialog, 'Anna Weber');
    await expect.poll(() => dialog.getByRole('option', { name: '13:00' }).count()).toBe(0);
    await dialog.getByRole('option', { name: '15:00' }).click();
    await fillCustomer(page);
    await dialog.getByRole('button', { name: 'Book', exact: true }).click();
    await dialog.waitFor({ state: 'detached', ...PATIENCE });
    const annas = page.getByRole('region', { name: 'Anna Weber' });
    await annas.getByRole('button', { name: '15:00 Grace Hopper' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    const move = page.getByRole('dialog', { name: 'Move' });
    await choose(page, move, 'Ben Krause');
    await move.getByRole('option', { name: '13:00' }).waitFor(PATIENCE);
    await picture(page, 'give');
    expect(await axeFindings(page)).toEqual([]);
    await move.getByRole('button', { name: 'Move' }).click();
    await page.getByText(`Moved to Mon ${DAY} Jan, 15:00 with Ben Krause`).waitFor(PATIENCE);
    await page.getByText('It was with Anna Weber before').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await annas.getByRole('button', { name: '15:00 Grace Hopper' }).waitFor(PATIENCE);
    expect((await eventNames()).slice(2)).toEqual(Array(2).fill('appointment.rescheduled'));
    expect(faults).toEqual([]);
  });

  test('books and moves with the keyboard alone', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await openDay(page, url, `date=${MONDAY}`);
    const monday = page.getByRole('region', { name: `${DAY} Jan` });
    await monday.getByRole('button', { name: /^New appointment/ }).focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) {
      await page.keyboard.press(key);
    }
    const focused = () => page.evaluate('document.activeElement.ariaLabel');
    expect(await focused()).toMatch(new RegExp(`^New appointment, .*\\b${DAY + 1} Jan.*, 10:00$`));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New appointment' });
    await dialog.getByRole('option', { name: '10:00' }).waitFor(PATIENCE);
    await fillCustomer(page);
    await page.keyboard.press('Enter');
    const booked = page.getByRole('button', { name: '10:00 Grace Hopper' });
    await booked.waitFor(PATIENCE);
    // The focus returns to where the dialog was opened.
    await expect.poll(focused, PATIENCE).toMatch(/^New appointment/);
    await booked.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).press('Enter');
    const move = page.getByRole('dialog', { name: 'Move' });
    await move.getByRole('option', { name: '10:00' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await move.getByRole('button', { name: 'Move' }).press('Enter');
    await page.getByRole('button', { name: '10:30 Grace Hopper' }).waitFor(PATIENCE);
    expect(await eventNames()).toEqual([
      'contact.created',
      'appointment.booked',
      'appointment.rescheduled',
    ]);
    expect(faults).toEqual([]);
  });

  test('shows the status, type and member on appointments that are high enough', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const grace = { firstName: 'Grace', lastName: 'Hopper' };
    const { id: contactId } = await callFrom(page, place, ['POST', '/contacts'], grace);
    await client.query(
      `insert into appointments (sub_account_id, id, calendar_id, contact_id, title, start_time,
         end_time, status, assigned_to, assigned_at, created_at, updated_at)
       select $1, new_id(), c.id, $4, 'Check-up', at::timestamptz,
         at::timestamptz + minutes * interval '1 minute', 'confirmed', m.id, now(), now(), now()
       from calendars c, team_members m, unnest($2::text[], $3::int[]) as one (at, minutes)
       where c.sub_account_id = $1 and m.sub_account_id = $1 and m.key = 'anna'`,
      [
        place.subAccountId,
        ['08', '09', '11', '14'].map((hour) => `${MONDAY}T${hour}:00Z`),
        MINUTES,
        contactId,
      ],
    );
    await openDay(page, url, `view=week&date=${MONDAY}`);
    const cards = page.getByRole('button', { name: 'Grace Hopper Confirmed Check-up Anna Weber' });
    await cards.nth(3).waitFor(PATIENCE);
    expect(await Promise.all((await cards.all()).map(linesOf))).toEqual([
      ['09:00 Grace Hopper'],
      ['10:00 Grace Hopper', 'Confirmed'],
      ['12:00 Grace Hopper', 'Confirmed', 'Check-up'],
      ['15:00 Grace Hopper', 'Confirmed', 'Check-up', 'Anna Weber'],
    ]);
    await picture(page, 'lines');
    // A member's own column does not repeat the name.
    await openDay(page, url);
    await page
      .getByRole('button', { name: /Check-up$/ })
      .first()
      .waitFor(PATIENCE);
    expect(faults).toEqual([]);
  });

  test('draws days of 23 and 25 hours, in the notation of the language', async () => {
    const { page, url, faults } = await openConsole(browser, place, { locale: 'en-US' });
    await page.goto(`${url}/console/${place.subAccountId}/calendar?view=week&date=2027-10-31`);
    await page.getByText('GMT+2').waitFor(PATIENCE);
    await page.getByText('GMT+1', { exact: true }).waitFor(PATIENCE);
    const grid = page.getByRole('region', { name: 'Calendar', exact: true });
    expect(await grid.innerText()).not.toMatch(/\b1[3-9]:00/);
    await page.goto(`${url}/console/${place.subAccountId}/calendar?view=day&date=2027-03-28`);
    await page
      .getByText('Closed')
      .first()
      .waitFor({ state: 'attached', ...PATIENCE });
    const picker = pickerOf(page, 'Anna Weber');
    await picker.focus();
    for (let step = 0; step < 15; step += 1) {
      await page.keyboard.press('ArrowUp');
    }
    // Nine o'clock, 15 half hours back: the hour after 1:59 is 3:00.
    expect(await page.evaluate('document.activeElement.ariaLabel')).toMatch(/12:30\sAM$/);
    // The heading stays at the top of the scrolled day, and the lines reach its end.
    const column = page.getByRole('region', { name: 'Anna Weber' });
    expect((await column.boundingBox())?.height).toBeGreaterThan(24 * 48);
    await picture(page, 'short-day');
    expect(faults).toEqual([]);
  });

  test('has no findings and fits', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await openDay(page, url, `view=week&date=${MONDAY}`);
    await page
      .getByText('Busy')
      .first()
      .waitFor({ state: 'attached', ...PATIENCE });
    expect(await findingsOf(page, 'planner-week')).toEqual([]);
    await page.getByRole('button', { name: 'New appointment', exact: true }).click();
    await page.getByRole('option', { name: '09:00' }).waitFor(PATIENCE);
    expect(await findingsOf(page, 'planner-dialog')).toEqual([]);
    expect(faults).toEqual([]);
  });
});
