import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { bookSeries } from '../../../src/booking/appointments/book-series.ts';
import {
  cancelAppointment,
  moveAppointment,
} from '../../../src/booking/appointments/change-appointment.ts';
import { managedIcs } from '../../../src/booking/pages/manage/managed.ts';
import { OPERATOR } from '../../support/service.ts';
import { noon, SECRETS, startNoticing } from './notices.support.ts';

const CONFIRMATION = {
  channel: 'email',
  subject: 'Booked: {{appointment.title}}',
  body: 'Dear {{fullName}},\n{{appointment.start}} to {{appointment.end}} at {{appointment.calendar}}.{{appointment.nothing}}{{company|}}',
};
const HALF_HOUR_MS = 1_800_000;

/** In July, when Berlin is at UTC+2 and New York at UTC-4. */
const julyNoon = (): number => {
  const year = new Date().getUTCFullYear() + 1;
  return Date.UTC(year, 6, 1, 12);
};

const LINK_WORDS = [
  ['de-DE', {}, 'Stornieren oder verschieben: https:'],
  ['fr-FR', {}, 'Annuler ou déplacer : https:'],
  ['es-ES', {}, 'Cancelar o cambiar la hora: https:'],
  ['nl-NL', { nl: { booking: { manageLink: 'Verzetten: {link}' } } }, 'Verzetten: https:'],
] as const;

describe('the link in a confirmation', () => {
  test.each(LINK_WORDS)('is introduced in the language %s', async (locale, languages, words) => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ confirmation: CONFIRMATION });
    await desk.manifest({ subAccount: { locale }, languages });
    await desk.book(typeId, julyNoon());
    await desk.startWorker();
    const [message] = await desk.settledAt(1);
    expect(message?.bodyText).toContain(words);
  });
});

describe('a confirmation by email', () => {
  test('is a message of the conversation with merge fields filled in, the link and an .ics file', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ confirmation: CONFIRMATION });
    const startTime = julyNoon();
    const id = await desk.book(typeId, startTime);
    await desk.startWorker();
    const [message] = await desk.settledAt(1);

    const year = new Date(startTime).getUTCFullYear();
    expect(message).toMatchObject({
      channel: 'email',
      subject: 'Booked: Check-up',
      status: 'sent',
    });
    expect(message?.bodyText).toMatch(
      new RegExp(
        `^Dear Ada Lovelace,\n\\w{3}, 1 Jul ${year}, 14:00 to \\w{3}, 1 Jul ${year}, 14:30 at Check-ups\\.\n\nCancel or move: https://desk\\.example/book/manage/[\\w-]{64}$`,
      ),
    );
    expect(message?.attachment).toMatchObject({
      name: 'appointment.ics',
      type: 'text/calendar; charset=utf-8',
    });
    const content = message?.attachment?.content ?? '';
    expect(content).toMatch(/[^\r\n]\r\nEND:VCALENDAR\r\n$/);
    const file = new ICAL.Component(ICAL.parse(content));
    expect(file.getFirstPropertyValue('method')).toBeNull();
    expect(file.getFirstSubcomponent('vevent')?.getFirstPropertyValue('uid')).toBe(
      `${id}@frontdesk`,
    );

    const [mail] = await desk.mails.next(1);
    expect(mail).toMatchObject({ to: ['ada@example.com'], subject: 'Booked: Check-up' });
    expect(mail?.raw).toMatch(/Content-Type: text\/calendar;[^]*name=appointment\.ics/i);
    expect(desk.mails.mails).toHaveLength(1);
    expect((await desk.fired()).map(({ name }) => name)).toEqual(['message.sent']);
  });

  test("shows times in the contact's own time zone, and names a zone other than the calendar's", async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({
      confirmation: {
        ...CONFIRMATION,
        body: '{{appointment.start|soon}} {{ appointment.link | here }}',
      },
    });
    await desk.database.rows('update contacts set timezone = $2 where id = $1', [
      desk.contactId,
      'America/New_York',
    ]);
    await desk.book(typeId, julyNoon());
    await desk.startWorker();
    const [message] = await desk.settledAt(1);
    // The body has the link already; it is not appended.
    expect(message?.bodyText).toMatch(/, 08:00 GMT-4 https:\/\/\S+$/);
  });

  test('does not expand merge fields inside a title', async () => {
    const desk = await startNoticing();
    const types = [{ key: 'checkup-30', name: '{{email}}', slug: 'x', duration: 30 }];
    const typeId = await desk.calendar({ confirmation: { ...CONFIRMATION, subject: null }, types });
    await desk.book(typeId, noon(1));
    await desk.startWorker();
    const [message] = await desk.settledAt(1);
    expect(message?.subject).toMatch(/^\{\{email\}\}: \w{3}, /);
  });

  test('is sent again with the new time after a move, and not after a cancellation', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ confirmation: CONFIRMATION });
    const { subAccountId, transact } = desk;
    await desk.startWorker();
    const id = await desk.book(typeId, noon(1));
    await desk.settledAt(1);
    const startTime = noon(2);
    const times = { startTime, endTime: startTime + HALF_HOUR_MS };
    await transact(subAccountId, OPERATOR, (work) => moveAppointment(work, id, times));
    const [booked, moved] = await desk.settledAt(2);
    expect(booked?.bodyText).toMatch(/^Dear Ada/);
    expect(moved?.bodyText).toMatch(/^Your appointment has changed:\n\nDear Ada/);
    expect(moved?.attachment?.content).toContain(`UID:${id}@frontdesk`);
    const stamp = new Date(startTime).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    expect(moved?.attachment?.content).toContain(`DTSTART:${stamp}`);
    await transact(subAccountId, OPERATOR, (work) => cancelAppointment(work, id, null));
    expect(await desk.settledAt(2)).toHaveLength(2);
  });

  test.each([
    [{ location: '1 Harbour Street, Bristol' }, 'LOCATION:1 Harbour Street\\, Bristol'],
    [{ videoUrl: 'https://video.example/anna' }, 'LOCATION:https://video.example/anna'],
  ])(
    'and one of a move have the file of the appointment page, with the place: %o',
    async (place, line) => {
      const desk = await startNoticing();
      const { subAccountId, transact } = desk;
      const types = [{ key: 'checkup-30', name: 'Check-up', slug: 'x', duration: 30, ...place }];
      const typeId = await desk.calendar({ confirmation: CONFIRMATION, types });
      await desk.startWorker();
      const id = await desk.book(typeId, noon(1));
      const [booked] = await desk.settledAt(1);
      expect(booked?.attachment?.content).toContain(`${line}\r\n`);

      const times = { startTime: noon(2), endTime: noon(2) + HALF_HOUR_MS };
      await transact(subAccountId, OPERATOR, (work) => moveAppointment(work, id, times));
      const [, moved] = await desk.settledAt(2);
      const token = moved?.bodyText.split('/').at(-1) ?? '';
      const page = await transact(subAccountId, OPERATOR, (work) =>
        managedIcs(work, { secrets: SECRETS, token, baseUrl: 'https://desk.example' }),
      );
      expect(moved?.attachment?.content).toBe(page.body);
      expect(page.body).toContain(`${line}\r\n`);
    },
  );

  test('has only the latest time if the appointment was moved before it was sent', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ confirmation: { ...CONFIRMATION, body: 'B' } });
    const { subAccountId, transact } = desk;
    const id = await desk.book(typeId, noon(1));
    const times = { startTime: noon(3), endTime: noon(3) + HALF_HOUR_MS };
    await transact(subAccountId, OPERATOR, (work) => moveAppointment(work, id, times));
    await desk.book(typeId, noon(4));
    await desk.startWorker();
    const messages = await desk.settledAt(2);
    expect(messages.map(({ bodyText }) => bodyText.split('\n')[0])).toEqual(['B', 'B']);
  });

  test('names the member who takes the appointment, or uses the fallback', async () => {
    const desk = await startNoticing();
    const confirmation = { ...CONFIRMATION, body: 'With {{appointment.member|our team}}.' };
    await desk.startWorker();
    for (const members of [['anna'], []]) {
      await desk.book(await desk.calendar({ confirmation, members }), noon(1 + members.length));
      await desk.settledAt(2 - members.length);
    }
    const messages = await desk.settledAt(2);
    expect(messages.map(({ bodyText }) => bodyText.split('\n')[0])).toEqual([
      'With Anna Weber.',
      'With our team.',
    ]);
  });

  test('of a series is one message with all dates', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({
      confirmation: { ...CONFIRMATION, body: 'On {{appointment.start}}.' },
    });
    const startTime = noon(1);
    const body = {
      appointmentTypeId: typeId,
      startTime,
      endTime: startTime + HALF_HOUR_MS,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
    };
    const ids = await desk.transact(desk.subAccountId, OPERATOR, (work) =>
      bookSeries(work, body, 'FREQ=DAILY;COUNT=3'),
    );
    await desk.startWorker();
    const [message] = await desk.settledAt(1);
    expect(message?.bodyText.split('\n')[0]?.split('; ')).toHaveLength(3);
    const uids = [...(message?.attachment?.content ?? '').matchAll(/UID:(.*)@frontdesk/g)];
    expect(uids.map(([, id]) => id)).toEqual(ids);
    expect(message?.attachment?.content.match(/BEGIN:VCALENDAR/g)).toHaveLength(1);
  });

  test('is not sent for an appointment that was cancelled first', async () => {
    const desk = await startNoticing();
    const typeId = await desk.calendar({ confirmation: CONFIRMATION });
    const id = await desk.book(typeId, noon(1));
    await desk.transact(desk.subAccountId, OPERATOR, (work) => cancelAppointment(work, id, null));
    await desk.startWorker();
    expect(await desk.settledAt(0)).toEqual([]);
  });
});

describe('a confirmation that cannot be sent leaves the booking and opens no conversation', () => {
  const threads = (desk: Awaited<ReturnType<typeof startNoticing>>) =>
    desk.database.rows('select 1 from conversations', []);

  test('without a provider for the channel', async () => {
    const desk = await startNoticing();
    const confirmation = { channel: 'sms', body: 'See you {{appointment.start}}' };
    const typeId = await desk.calendar({ confirmation });
    const id = await desk.book(typeId, noon(1));
    await desk.startWorker();
    expect(await desk.settledAt(0)).toEqual([]);
    expect(await threads(desk)).toEqual([]);
    const [kept] = await desk.database.rows<{ status: string }>(
      'select status from appointments where id = $1',
      [id],
    );
    expect(kept?.status).toBe('scheduled');
  });

  test.for([{ email: true }, { all: true }])(
    'if the contact has do-not-disturb %o',
    async (dnd) => {
      const desk = await startNoticing();
      const typeId = await desk.calendar({ confirmation: CONFIRMATION });
      await desk.database.rows('update contacts set dnd = $2 where id = $1', [desk.contactId, dnd]);
      await desk.book(typeId, noon(1));
      await desk.startWorker();
      expect(await desk.settledAt(0)).toEqual([]);
      expect(await threads(desk)).toEqual([]);
    },
  );
});
