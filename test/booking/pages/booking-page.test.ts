import { DAY_MS } from '#lib/duration.ts';
import { at, calendarOf, CHECKUP } from '../../support/calendars.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { fieldsIn, linksIn, open, pageOf } from './page.support.ts';

const appointments = async ({ call }: TestService): Promise<any[]> =>
  (await call('GET /api/v1/calendars/appointments')).body.data;

describe('the booking page', () => {
  test('shows bookable days and times as links in the requested time zone', async ({ service }) => {
    await calendarOf(service, { timezone: 'Europe/Berlin' });
    const shown = await open(service, `${pageOf(service)}?tz=Asia%2FTokyo`);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(shown.text).toContain('<option value="Asia/Tokyo" selected>');
    const first = linksIn(shown).find((href) => href.includes('start=')) ?? '';
    const form = await open(service, first);
    expect(form.text).toContain('name="email"');
    expect(Number(fieldsIn(form)['start'])).toBeGreaterThan(service.clock().getTime());
  });

  test('continues a month about to end with the first weeks of the next one', async ({
    service,
  }) => {
    await calendarOf(service, { timezone: 'UTC' });
    const now = service.clock();
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
    const daysLeft = async (days: number) => {
      service.clock.advance(nextMonth - days * DAY_MS - service.clock().getTime());
      const shown = await open(service, `${pageOf(service)}?tz=UTC`);
      const dates = linksIn(shown).map((href) => new URL(href, service.url).searchParams);
      const monthOfNext = new Date(nextMonth).toISOString().slice(0, 7);
      const later = dates.filter((query) => query.get('date')?.startsWith(monthOfNext));
      expect(later.every((query) => query.get('month') === monthOfNext)).toBe(true);
      return { later: later.length, rows: shown.text.split('<tr>').length - 2 };
    };
    expect((await daysLeft(15)).later).toBe(0);
    const shown = await daysLeft(8);
    expect(shown.later).toBeGreaterThan(9);
    expect(shown.rows).toBe(5);
  });

  test('allows no inline or foreign content, and sends no referrer', async ({ service }) => {
    await calendarOf(service, {
      types: [{ key: 'x', name: '<img src=x onerror=alert(1)>"\'&', slug: 'x', duration: 30 }],
    });
    const { headers, text } = await open(service, pageOf(service, 'x'));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*form-action 'self'/);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/<img|<style|\sstyle=|\son\w+=["']/);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
    expect(
      [...text.matchAll(/<script([^>]*)>([^<]*)</g)].map(([, src, inside]) => [src, inside]),
    ).toEqual([[' src="/book/page.js"', '']]);
  });

  test.for([
    '?tz=Nowhere/At_All&month=2026-99&date=x&start=-1',
    '?month=0001-01',
    '?date=9999-12-31&start=99999999999999999999',
    '?start=253402300799999&month=9999-12',
    '?utm_source=mail&tz=&start=',
  ])('tolerates %s', async (query, { service }) => {
    await calendarOf(service);
    const { status, text } = await open(service, pageOf(service) + query);
    expect([status, text.includes('Check-up')]).toEqual([200, true]);
  });

  test('is a page for unknown addresses too', async ({ service }) => {
    await calendarOf(service, { types: [{ ...CHECKUP.types[0], active: false }] });
    const other = await calendarOf(service, {}, 'other');
    const { subAccountId } = service;
    const texts = new Set<string>();
    for (const path of [
      pageOf(service),
      pageOf(service, 'nothing'),
      pageOf(service, other.typeId),
      `/book/${crypto.randomUUID()}/check-up`,
      '/book/unknown/check-up',
      '/book/unknown',
      `/book/${subAccountId}/nothing.md`,
      '/book/manage/nothing',
      `/book/manage/${'A'.repeat(64)}`,
      `/book/manage/${'A'.repeat(64)}/move`,
      `/book/manage/${'A'.repeat(64)}/appointment.ics`,
    ]) {
      const { status, headers, text } = await open(service, path);
      expect([path, status, headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      // A page of a known sub-account shows its brand, and is otherwise the same.
      expect(text.includes('class="brand"')).toBe(path.includes(subAccountId));
      texts.add(text);
    }
    expect(texts.size).toBe(2);
  });

  test('of a sub-account lists its offers, each under a unique name', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const second = { ...CHECKUP, key: 'second', name: 'Second', members: ['ben'] };
    const { typeId: twin } = await calendarOf(service, {
      ...second,
      types: [{ key: 'twin', name: 'Twin', slug: 'CHECK-UP', duration: 45 }],
    });
    const index = await open(service, `/book/${service.subAccountId}`);
    const offers = linksIn(index).filter((href) =>
      href.startsWith(`/book/${service.subAccountId}/`),
    );
    expect(offers).toEqual([pageOf(service), pageOf(service, twin)]);
    for (const [path, name] of [
      [offers[0], 'Check-up'],
      [offers[1], 'Twin'],
      [pageOf(service, typeId), 'Check-up'],
    ] as const) {
      expect((await open(service, path ?? '')).text).toContain(`<h1>${name}</h1>`);
    }
  });
});

test('viewing pages changes nothing', async ({ service }) => {
  await calendarOf(service);
  await service.events();
  for (const method of ['GET', 'HEAD']) {
    for (const query of ['', '?start=' + String(at(service, 1, '09:00'))]) {
      const { status } = await open(service, pageOf(service) + query, { method });
      expect(status).toBe(200);
    }
  }
  expect([await service.events(), await appointments(service)]).toEqual([[], []]);
});

test('the Markdown page lists types, times and calls, and the calls work as printed', async ({
  service,
}) => {
  const { typeId } = await calendarOf(service);
  const { status, headers, text } = await open(service, `${pageOf(service)}.md`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  const [, address = ''] = /curl '([^']+)'/.exec(text) ?? [];
  const times: any = await (await fetch(address)).json();
  expect(times.meta.appointmentTypeId).toBe(typeId);
  const [, call = '', json = ''] = /POST (\S+)[\s\S]*?\n\n((?: {4}.*\n)+)/.exec(text) ?? [];
  const body = JSON.parse(json) as { startTime: number };
  expect(text).toContain(`| ${body.startTime} |`);
  const booked = await fetch(call, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: json,
  });
  expect(booked.status).toBe(201);
});
