import { at, bookedOf, bookingOf, calendarOf } from '../../support/calendars.ts';
import { expect, type TestService } from '../../support/service.ts';

export interface PageView {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Opens a page like a browser without scripts. Redirects are not followed. */
export async function open(
  { url }: Pick<TestService, 'url'>,
  path: string,
  init: RequestInit = {},
): Promise<PageView> {
  const answer = await fetch(new URL(path, url), { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Sends a form like a browser. */
export const send = (
  service: Pick<TestService, 'url'>,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<PageView> => open(service, path, { method: 'POST', body: new URLSearchParams(form) });

export const linksIn = ({ text }: PageView): string[] =>
  [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

/** Returns the fields that a page's booking form sends if it is not edited. */
export function fieldsIn({ text }: PageView): Record<string, string> {
  const form = /<form method="post"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
  const inputs = [...form.matchAll(/<input([^>]*)>/g)].map(([, traits = '']) => {
    const trait = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(traits)?.[1] ?? '';
    return [trait('name'), trait('value')] as const;
  });
  return Object.fromEntries(inputs);
}

export const GRACE = {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.com',
  phone: '',
  notes: '',
};

export const pageOf = ({ subAccountId }: TestService, name = 'check-up'): string =>
  `/book/${subAccountId}/${name}`;

/** Opens the form of a slot and returns its fields. */
export async function openForm(service: TestService, startTime: number) {
  const shown = await open(service, `${pageOf(service)}?tz=UTC&start=${startTime}`);
  expect(shown.status).toBe(200);
  return fieldsIn(shown);
}

/** Books an appointment and returns it with its manage link. */
export async function managed(service: TestService, more: object = {}, days = 2) {
  const setup = await calendarOf(service, more);
  const startTime = at(service, days, '09:00');
  const { subAccountId } = service;
  const body = { subAccountId, ...bookingOf(setup.typeId, startTime) };
  const answer = await service.call('POST /api/booking/appointments', { key: null, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  await service.events();
  const { id, manageUrl } = answer.body.data;
  return { ...setup, id: id as string, startTime, path: new URL(manageUrl).pathname };
}

export const another = (service: TestService, typeId: string, startTime: number) =>
  bookedOf(service, bookingOf(typeId, startTime));
