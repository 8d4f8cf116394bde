import type { Document } from '#core/endpoint/reply.ts';
import { notFound, type Fault } from '#core/fault.ts';
import { html, type Html } from '#lib/html.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/offers.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { hostOf, type Host, findPublicOffer } from '../public/public-offers.ts';
import {
  isAlreadyBooked,
  summary,
  reasonText,
  pageOf,
  languageOf,
  type BookingLanguage,
  withClock,
} from './layout.ts';
import { hrefTo, monthOf, startOf, type Choice } from './choice.ts';
import { brandOf } from '../public/public-offers.ts';
import { findPicks, pickedSlot, type Picks } from './find-picks.ts';
import { alternativesIn } from '../availability/booking-refusal.ts';
import { nextPicks, nextTimes } from './next-times.ts';
import {
  formView,
  fieldErrorsOf,
  fieldErrorsIn,
  hostCountry,
  visitorOf,
  type VisitorForm,
} from './visitor-form.ts';
import { picker } from './picker.ts';
import { typeDetails } from './type-details.ts';
import { zonePicker, zoneName, zoneFor } from './zone-picker.ts';
import { formatSpan } from './format-time.ts';

/** What every page of one type needs. */
export interface BookingContext {
  readonly host: Host;
  readonly offer: Offer;
  readonly language: BookingLanguage;
  readonly path: string;
}

export async function bookingContext(
  view: View,
  name: string,
  clock?: string,
): Promise<BookingContext> {
  const host = await hostOf(view);
  const offer = await findPublicOffer(view, name);
  if (!offer) {
    throw notFound('appointment type');
  }
  const path = `/book/${view.subAccountId}/${name}`;
  return { host, offer, language: withClock(languageOf(host.locale, host.languages), clock), path };
}

/** Returns the page with the free times, or with the form if a time was chosen. */
export async function showBooking(view: View, name: string, choice: Choice): Promise<Document> {
  const context = await bookingContext(view, name, choice.clock);
  const zone = zoneFor(choice.tz, context.offer.calendar.timezone);
  const start = startOf(choice.start);
  const chosen = start === undefined ? choice : { ...choice, ...dayOf(start, zone) };
  const picks = await findPicks(view, context.offer, { choice: chosen, zone });
  if (start === undefined) {
    return bookingPage(context, { picks, choice, body: picker({ ...context, choice, picks }) });
  }
  if (!pickedSlot(picks, start)) {
    const alert = html`<p class="alert" role="alert">
      ${context.language.messages.reasons.slot_unavailable}
    </p>`;
    const times = nextPicks(picks, start);
    const body = html`${alert}${nextTimes({ ...context, choice, zone, times })}
    ${picker({ ...context, choice, picks })}`;
    return bookingPage(context, { picks, choice, body });
  }
  const { path, language, host } = context;
  const { clock } = choice;
  const once = crypto.randomUUID();
  const form = formView({ language, host, path, zone, clock, start, once });
  return bookingPage(context, { picks, choice, body: form, start });
}

/** Returns the form again, with the typed values and the reason for the refusal. */
export async function showRefused(
  view: View,
  name: string,
  { form, fault }: { readonly form: VisitorForm; readonly fault: Fault },
): Promise<Document> {
  const context = await bookingContext(view, name, form.clock);
  const { language, path, offer, host } = context;
  const { messages } = language;
  const zone = zoneFor(form.tz, offer.calendar.timezone);
  const start = startOf(form.start);
  const details = visitorOf(form, hostCountry(host));
  const named = fieldErrorsIn(fault, details, messages);
  const errors = named.size > 0 ? named : fieldErrorsOf(details, messages);
  const { clock } = form;
  const choice = {
    tz: zone,
    ...(clock && { clock }),
    ...(start !== undefined && dayOf(start, zone)),
  };
  const picks = await findPicks(view, offer, { choice, zone });
  // The customer's own appointment may leave the time free for others.
  const isFree = pickedSlot(picks, start) !== undefined && !isAlreadyBooked(fault);
  const reason =
    reasonText(fault, messages) ?? (isFree ? undefined : messages.reasons.slot_unavailable);
  if (!reason && errors.size === 0) {
    throw fault;
  }
  const others = picks.date === undefined ? [] : (picks.days.get(picks.date) ?? []);
  const once = form.once ?? crypto.randomUUID();
  const freeStart = isFree ? start : undefined;
  const next = alternativesIn(fault);
  const offered = { others: others.filter(({ startTime }) => startTime !== start), next };
  const filled = {
    language,
    host,
    path,
    zone,
    clock,
    start: freeStart,
    once,
    form,
    errors,
    ...offered,
  };
  const body = formView({ ...filled, ...(reason !== undefined && { alert: reason }) });
  return bookingPage(context, { picks, choice, body, start: freeStart, isSubmitted: true });
}

interface BookingView {
  readonly picks: Picks;
  readonly choice: Choice;
  readonly body: Html;
  /** The chosen time. */
  readonly start?: number | undefined;
  /** The response to a form: its address alone cannot show it again. */
  readonly isSubmitted?: boolean;
}

function bookingPage(
  { host, offer, language, path }: BookingContext,
  { picks, choice, body, start, isSubmitted }: BookingView,
): Document {
  const { zone } = picks;
  const { type } = offer;
  const { messages, locale } = language;
  const isForm = start !== undefined || isSubmitted === true;
  const chosen =
    start !== undefined &&
    html`<p class="fact time">
      ${formatSpan(start, start + type.duration * MINUTE_MS, { locale, zone })}
    </p>`;
  const more = isForm
    ? html`${chosen}
        <p class="fact in-zone">${zoneName(zone)}</p>
        <p>
          <a class="back" data-swap href="${hrefTo(path, choice, { start: '' })}"
            >${messages.otherTime}</a
          >
        </p>`
    : zonePicker({ language, path, choice, zone });
  const main = html`<main class="card ${isForm ? 'filling' : 'picking'}" id="page">
    ${summary({
      language,
      brand: brandOf(host),
      what: type.name,
      duration: type.duration,
      details: typeDetails(type, host, language),
      more,
    })}
    ${body}
  </main>`;
  return pageOf({
    language,
    title: messages.book(type.name),
    brand: brandOf(host),
    main,
    alternate: `${path}.md`,
    zone: isSubmitted ? undefined : zone,
  });
}

const dayOf = (start: number, zone: string): Choice => {
  const date = localDate(zone, start);
  return { date, month: monthOf(date) };
};
