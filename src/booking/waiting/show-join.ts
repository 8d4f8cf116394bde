import type { Document, Reply } from '#core/endpoint/reply.ts';
import { invalidField, type Fault } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { brandLine } from '#lib/brand.ts';
import { html } from '#lib/html.ts';
import type { View, Work } from '#core/work.ts';
import { hrefTo, type Choice } from '../pages/choice.ts';
import { formatDate } from '../pages/format-time.ts';
import { pageOf, reasonText, redirectTo, summary } from '../pages/layout.ts';
import { bookingContext, type BookingContext } from '../pages/show-booking.ts';
import { typeDetails } from '../pages/type-details.ts';
import {
  checkedVisitor,
  fieldErrorsIn,
  fieldErrorsOf,
  hostCountry,
  joinForm,
  visitorOf,
  type VisitorForm,
} from '../pages/visitor-form.ts';
import { zoneFor } from '../pages/zone-picker.ts';
import { brandOf } from '../public/public-offers.ts';
import { dayIn } from './free-in.ts';
import { joinWaiting } from './join-waiting.ts';

interface JoinQuery {
  readonly choice: Choice;
  /** What was typed, and why it was refused. */
  readonly refused?: { readonly form: VisitorForm; readonly fault: Fault };
}

/** Returns the form that puts a visitor on the waiting list of a day; after it was sent, its result. */
export async function showJoin(
  view: View,
  name: string,
  { choice, refused }: JoinQuery,
): Promise<Document> {
  const context = await bookingContext(view, name, choice.clock);
  const { host, offer, language, path } = context;
  const { messages, locale } = language;
  const date = dateOf(choice.date);
  const zone = zoneFor(choice.tz, offer.calendar.timezone);
  const title = messages.joinWaitingFor(formatDate('shortDay', date, locale));
  if (choice.done === JOINED) {
    return joinedPage(context, formatDate('day', date, locale));
  }
  const main = html`<main class="card filling" id="page">
    ${summary({
      language,
      brand: brandOf(host),
      what: offer.type.name,
      duration: offer.type.duration,
      details: typeDetails(offer.type, host, language),
    })}
    ${joinForm({
      language,
      host,
      path: `${path}/wait`,
      zone,
      title,
      hidden: { date, tz: zone, clock: choice.clock ?? '' },
      ...(refused && refusedForm(refused, context)),
    })}
  </main>`;
  return pageOf({ language, title, brand: brandOf(host), main, isPrivate: true });
}

/** Returns what was typed, with what is wrong. Throws the fault if the form can show no reason for it. */
function refusedForm(
  { form, fault }: NonNullable<JoinQuery['refused']>,
  { host, language: { messages } }: BookingContext,
) {
  const details = visitorOf(form, hostCountry(host));
  const named = fieldErrorsIn(fault, details, messages);
  const errors = named.size > 0 ? named : fieldErrorsOf(details, messages);
  if (errors.size > 0) {
    return { form, errors };
  }
  const alert = reasonText(fault, messages);
  if (alert === undefined) {
    throw fault;
  }
  return { form, alert };
}

const JOINED = 'joined';

/** The same whether the place is new or known, and without its link. */
function joinedPage({ host, offer, language }: BookingContext, day: string): Document {
  const { messages } = language;
  const title = messages.waitingTitle;
  const main = html`<main class="card narrow" id="page">
    ${brandLine(brandOf(host))}
    <h1>${title}</h1>
    <p class="lead">${messages.waitingLead}</p>
    <dl class="facts">
      <div>
        <dt>${messages.what}</dt>
        <dd>${offer.type.name}</dd>
      </div>
      <div>
        <dt>${messages.day}</dt>
        <dd>${day}</dd>
      </div>
    </dl>
    <p class="hint">${messages.joinedHint}</p>
  </main>`;
  return pageOf({ language, title, brand: brandOf(host), main, isPrivate: true });
}

/** Puts the visitor of a form on the waiting list, and redirects to the page that says so. */
export async function submitJoin(
  work: Work,
  name: string,
  form: VisitorForm & { readonly date?: string },
): Promise<Reply> {
  const { offer, host, path } = await bookingContext(work, name);
  const { firstName, lastName, email, phone = null } = checkedVisitor(form, hostCountry(host));
  const timezone = zoneFor(form.tz, offer.calendar.timezone);
  const date = dateOf(form.date);
  const day = dayIn(timezone, date);
  await joinWaiting(work, offer, { firstName, lastName, email, phone, day, timezone });
  const choice = { tz: timezone, clock: form.clock ?? '', date, done: JOINED };
  return redirectTo(hrefTo(`${path}/wait`, choice));
}

function dateOf(text: string | undefined): string {
  if (text === undefined || FORMATS['date']?.test(text) !== true) {
    throw invalidField('/date', 'must be a date, YYYY-MM-DD');
  }
  return text;
}
