import type { Document } from '#core/endpoint/reply.ts';
import { type Fault, notFound } from '#core/fault.ts';
import { html, type Html } from '#lib/html.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { hostOf, type Host } from '../public/public-host.ts';
import { offerNamed } from '../public/public-offers.ts';
import { about } from './about.ts';
import { hrefTo, monthOf, startOf, type Choice } from './choice.ts';
import { findPicks, pickedSlot, type Picks } from './find-picks.ts';
import { formView } from './form-view.ts';
import { pageOf } from './layout.ts';
import { picker, zonePicker } from './picker.ts';
import { reasonIn } from './reason-in.ts';
import { saySpan } from './say-time.ts';
import { localeOf, type Locale } from './messages/locale.ts';
import { fieldErrorsAbout, fieldErrorsIn, visitorOf, type VisitorForm } from './visitor-form.ts';
import { sayZone, zoneFor } from './zones.ts';

/** The page of one type. */
interface Stage {
  readonly host: Host;
  readonly offer: Offer;
  readonly pageLocale: Locale;
  readonly path: string;
}

export async function stageOf(view: View, name: string): Promise<Stage> {
  const host = await hostOf(view);
  const offer = await offerNamed(view, name);
  if (!offer) {
    throw notFound('appointment type');
  }
  const path = `/book/${view.subAccountId}/${name}`;
  return { host, offer, pageLocale: localeOf(host.locale), path };
}

/** The times that can be had, or, where one was chosen, the form for it. */
export async function showBooking(view: View, name: string, choice: Choice): Promise<Document> {
  const stage = await stageOf(view, name);
  const zone = zoneFor(choice.tz, stage.offer.calendar.timezone);
  const start = startOf(choice.start);
  const chosen = start === undefined ? choice : { ...choice, ...dayOf(start, zone) };
  const picks = await findPicks(view, stage.offer, { choice: chosen, zone });
  if (start === undefined) {
    return bookingPage(stage, { picks, choice, body: picker({ ...stage, choice, picks }) });
  }
  if (!pickedSlot(picks, start)) {
    const alert = html`<p class="alert" role="alert">
      ${stage.pageLocale.words.reasons.slot_unavailable}
    </p>`;
    const body = html`${alert}${picker({ ...stage, choice, picks })}`;
    return bookingPage(stage, { picks, choice, body });
  }
  const { path, pageLocale } = stage;
  const form = formView({ pageLocale, path, zone, start, once: crypto.randomUUID() });
  return bookingPage(stage, { picks, choice, body: form, start });
}

/** The form again, with what was typed, and why it was refused. */
export async function showRefused(
  view: View,
  name: string,
  { form, fault }: { readonly form: VisitorForm; readonly fault: Fault },
): Promise<Document> {
  const stage = await stageOf(view, name);
  const { pageLocale, path, offer } = stage;
  const { words } = pageLocale;
  const zone = zoneFor(form.tz, offer.calendar.timezone);
  const start = startOf(form.start);
  const given = visitorOf(form);
  const named = fieldErrorsIn(fault, given, words);
  const errors = named.size > 0 ? named : fieldErrorsAbout(given, words);
  const choice = { tz: zone, ...(start !== undefined && dayOf(start, zone)) };
  const picks = await findPicks(view, offer, { choice, zone });
  const isThere = pickedSlot(picks, start) !== undefined;
  const reason = reasonIn(fault, words) ?? (isThere ? undefined : words.reasons.slot_unavailable);
  if (!reason && errors.size === 0) {
    throw fault;
  }
  const others = picks.date === undefined ? [] : (picks.days.get(picks.date) ?? []);
  const once = form.once ?? crypto.randomUUID();
  const kept = isThere ? start : undefined;
  const filled = { pageLocale, path, zone, start: kept, once, form, errors, others };
  const body = formView({ ...filled, ...(reason !== undefined && { alert: reason }) });
  return bookingPage(stage, { picks, choice, body, start: kept, isSubmitted: true });
}

interface BookingView {
  readonly picks: Picks;
  readonly choice: Choice;
  readonly body: Html;
  /** What was chosen. */
  readonly start?: number | undefined;
  /** To a form: its address alone does not bring it back. */
  readonly isSubmitted?: boolean;
}

function bookingPage(
  { host, offer, pageLocale, path }: Stage,
  { picks, choice, body, start, isSubmitted }: BookingView,
): Document {
  const { zone } = picks;
  const { type } = offer;
  const { words, locale } = pageLocale;
  const isForm = start !== undefined || isSubmitted === true;
  const chosen =
    start !== undefined &&
    html`<p class="fact time">
      ${saySpan(start, start + type.duration * MINUTE_MS, { locale, zone })}
    </p>`;
  const more = isForm
    ? html`${chosen}
        <p class="fact place">${sayZone(zone)}</p>
        <p>
          <a class="back" data-swap href="${hrefTo(path, choice, { start: '' })}"
            >${words.otherTime}</a
          >
        </p>`
    : zonePicker({ pageLocale, path, choice, zone });
  const main = html`<main class="card ${isForm ? 'filling' : 'picking'}" id="page">
    ${about({ pageLocale, brand: host.brand, what: type.name, duration: type.duration, more })}
    ${body}
  </main>`;
  return pageOf({
    pageLocale,
    title: words.book(type.name),
    brand: host.brand,
    main,
    alternate: `${path}.md`,
    zone: isSubmitted ? undefined : zone,
  });
}

const dayOf = (start: number, zone: string): Choice => {
  const date = localDate(zone, start);
  return { date, month: monthOf(date) };
};
