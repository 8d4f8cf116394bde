import type { Document } from '#core/endpoint/reply.ts';
import { notFound, type Fault } from '#core/fault.ts';
import { html, type Html } from '#lib/html.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/offers.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { hostOf, type Host, findPublicOffer } from '../public/public-offers.ts';
import { summary, reasonText, pageOf, languageOf, type BookingLanguage } from './layout.ts';
import { hrefTo, monthOf, startOf, type Choice } from './choice.ts';
import { findPicks, pickedSlot, type Picks } from './find-picks.ts';
import {
  formView,
  fieldErrorsOf,
  fieldErrorsIn,
  visitorOf,
  type VisitorForm,
} from './visitor-form.ts';
import { picker, zonePicker, zoneName, zoneFor } from './picker.ts';
import { formatSpan } from './format-time.ts';

/** What every page of one type needs. */
interface BookingContext {
  readonly host: Host;
  readonly offer: Offer;
  readonly language: BookingLanguage;
  readonly path: string;
}

export async function bookingContext(view: View, name: string): Promise<BookingContext> {
  const host = await hostOf(view);
  const offer = await findPublicOffer(view, name);
  if (!offer) {
    throw notFound('appointment type');
  }
  const path = `/book/${view.subAccountId}/${name}`;
  return { host, offer, language: languageOf(host.locale), path };
}

/** Returns the page with the free times, or with the form if a time was chosen. */
export async function showBooking(view: View, name: string, choice: Choice): Promise<Document> {
  const context = await bookingContext(view, name);
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
    const body = html`${alert}${picker({ ...context, choice, picks })}`;
    return bookingPage(context, { picks, choice, body });
  }
  const { path, language } = context;
  const form = formView({ language, path, zone, start, once: crypto.randomUUID() });
  return bookingPage(context, { picks, choice, body: form, start });
}

/** Returns the form again, with the typed values and the reason for the refusal. */
export async function showRefused(
  view: View,
  name: string,
  { form, fault }: { readonly form: VisitorForm; readonly fault: Fault },
): Promise<Document> {
  const context = await bookingContext(view, name);
  const { language, path, offer } = context;
  const { messages } = language;
  const zone = zoneFor(form.tz, offer.calendar.timezone);
  const start = startOf(form.start);
  const details = visitorOf(form);
  const named = fieldErrorsIn(fault, details, messages);
  const errors = named.size > 0 ? named : fieldErrorsOf(details, messages);
  const choice = { tz: zone, ...(start !== undefined && dayOf(start, zone)) };
  const picks = await findPicks(view, offer, { choice, zone });
  const isFree = pickedSlot(picks, start) !== undefined;
  const reason =
    reasonText(fault, messages) ?? (isFree ? undefined : messages.reasons.slot_unavailable);
  if (!reason && errors.size === 0) {
    throw fault;
  }
  const others = picks.date === undefined ? [] : (picks.days.get(picks.date) ?? []);
  const once = form.once ?? crypto.randomUUID();
  const freeStart = isFree ? start : undefined;
  const filled = { language, path, zone, start: freeStart, once, form, errors, others };
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
        <p class="fact place">${zoneName(zone)}</p>
        <p>
          <a class="back" data-swap href="${hrefTo(path, choice, { start: '' })}"
            >${messages.otherTime}</a
          >
        </p>`
    : zonePicker({ language, path, choice, zone });
  const main = html`<main class="card ${isForm ? 'filling' : 'picking'}" id="page">
    ${summary({ language, brand: host.brand, what: type.name, duration: type.duration, more })}
    ${body}
  </main>`;
  return pageOf({
    language,
    title: messages.book(type.name),
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
