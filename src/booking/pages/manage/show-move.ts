import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { html, type Html } from '#lib/html.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { localDate } from '../../../calendars/slots/zone.ts';
import {
  customerMay,
  customerReason,
  customerRefusal,
} from '../../verified/customer-appointment.ts';
import { brandOf } from '../../public/public-offers.ts';
import { summary, reasonText, pageOf } from '../layout.ts';
import { hrefTo, monthOf, startOf, type Choice } from '../choice.ts';
import { findPicks, pickedSlot } from '../find-picks.ts';
import { keptChoice, managedContext, type ManagedContext } from './managed.ts';
import { alternativesIn } from '../../availability/booking-refusal.ts';
import { nextPicks, nextTimes } from '../next-times.ts';
import { picker } from '../picker.ts';
import { typeDetails } from '../type-details.ts';
import { zonePicker, zoneFor } from '../zone-picker.ts';
import { formatSpan } from '../format-time.ts';
import { showManaged } from './show-managed.ts';

interface MoveQuery {
  readonly secrets: Secrets;
  readonly token: string;
  readonly choice: Choice;
  /** The public URL of this server. */
  readonly baseUrl: string;
  /** Why the chosen time was refused. */
  readonly fault?: Fault;
}

/** Returns the page with the times to move to, or, once one is chosen, the page that confirms it. */
export async function showMove(view: View, query: MoveQuery): Promise<Document> {
  const { secrets, token, choice, fault, baseUrl } = query;
  const context = await managedContext(view, secrets, token, choice.clock);
  const { appointment, offer, language } = context;
  const now = view.now.getTime();
  if (!offer || !customerMay('reschedule', appointment, now)) {
    const reason = customerReason('reschedule', appointment, now);
    const refusal = fault ?? (reason && customerRefusal(reason));
    const shown = { secrets, token, choice: keptChoice(choice), baseUrl };
    return showManaged(view, { ...shown, ...(refusal && { fault: refusal }) });
  }
  const zone = zoneFor(choice.tz, appointment.timezone);
  const start = startOf(choice.start);
  const date = start === undefined ? undefined : localDate(zone, start);
  const chosen = date === undefined ? choice : { ...choice, date, month: monthOf(date) };
  const picks = await findPicks(view, offer, { choice: chosen, zone, except: appointment.id });
  const path = `${context.path}/move`;
  const slot = fault ? undefined : pickedSlot(picks, start);
  if (slot) {
    return movePage(context, {
      zone,
      path,
      choice,
      body: confirmView(context, choice, zone, slot),
    });
  }
  const { reasons } = language.messages;
  const alert = fault
    ? (reasonText(fault, language.messages) ?? reasons.closed)
    : start !== undefined && reasons.slot_unavailable;
  const times = fault ? alternativesIn(fault) : start === undefined ? [] : nextPicks(picks, start);
  const body = html`${alert && html`<p class="alert" role="alert">${alert}</p>`}
  ${nextTimes({ language, path, choice, zone, times })}
  ${picker({ language, path, choice: { ...choice, start: '' }, picks })}`;
  return movePage(context, { zone, path, choice, body, isPicking: true });
}

interface MoveView {
  readonly zone: string;
  readonly path: string;
  readonly choice: Choice;
  readonly body: Html;
  readonly isPicking?: boolean;
}

function movePage(
  context: ManagedContext,
  { zone, path, choice, body, isPicking }: MoveView,
): Document {
  const { host, language, appointment, what, offer } = context;
  const { messages, locale } = language;
  const { startTime, endTime } = appointment;
  const more = html`<p class="fact time">
      <span class="tag">${messages.from}</span> ${formatSpan(startTime, endTime, { locale, zone })}
    </p>
    ${isPicking && zonePicker({ language, path, choice, zone })}
    <p>
      <a class="back" href="${hrefTo(context.path, { ...keptChoice(choice), tz: zone })}"
        >${messages.back}</a
      >
    </p>`;
  const duration = Math.round((endTime - startTime) / MINUTE_MS);
  const main = html`<main class="card ${isPicking ? 'picking' : 'filling'}" id="page">
    ${summary({
      language,
      brand: brandOf(host),
      what,
      duration,
      details: offer && typeDetails(offer.type, host, language),
      more,
    })}
    ${body}
  </main>`;
  const title = `${messages.moveIt}: ${what}`;
  return pageOf({ language, title, brand: brandOf(host), main, zone, isPrivate: true });
}

function confirmView(
  { language: { messages, locale }, path }: ManagedContext,
  { clock }: Choice,
  zone: string,
  { startTime, endTime }: { readonly startTime: number; readonly endTime: number },
): Html {
  return html`<section class="details" aria-labelledby="details">
    <h2 id="details" tabindex="-1">${messages.to}</h2>
    <p class="chosen">${formatSpan(startTime, endTime, { locale, zone })}</p>
    <form method="post" action="${path}/move" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      ${clock && html`<input type="hidden" name="clock" value="${clock}" />`}
      <input type="hidden" name="start" value="${startTime}" />
      <button class="primary" data-busy="${messages.wait}">${messages.moveTo}</button>
      <a class="quiet" href="${hrefTo(`${path}/move`, { tz: zone, clock: clock ?? '' })}"
        >${messages.otherTime}</a
      >
    </form>
  </section>`;
}
