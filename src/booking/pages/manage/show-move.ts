import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { html, type Html } from '#lib/html.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { localDate } from '../../../calendars/slots/zone.ts';
import { customerMay, customerReason, customerRefusal } from '../../verified/customer-refusal.ts';
import { about } from '../about.ts';
import { hrefTo, monthOf, startOf, type Choice } from '../choice.ts';
import { findPicks, pickedSlot } from '../find-picks.ts';
import { pageOf } from '../layout.ts';
import { managedStage, type ManagedStage } from './managed.ts';
import { picker, zonePicker } from '../picker.ts';
import { reasonIn } from '../reason-in.ts';
import { saySpan } from '../say-time.ts';
import { showManaged } from './show-managed.ts';
import { zoneFor } from '../zones.ts';

interface MoveQuery {
  readonly secrets: Secrets;
  readonly token: string;
  readonly choice: Choice;
  /** Why the time that was chosen could not be had. */
  readonly fault?: Fault;
}

/** The times that an appointment can be moved to, then the one that was chosen beside the old one. */
export async function showMove(view: View, asked: MoveQuery): Promise<Document> {
  const { secrets, token, choice, fault } = asked;
  const stage = await managedStage(view, secrets, token);
  const { appointment, offer, pageLocale } = stage;
  const now = view.now.getTime();
  if (!offer || !customerMay('reschedule', appointment, now)) {
    const reason = customerReason('reschedule', appointment, now);
    const why = reason && customerRefusal(reason);
    const told = fault ?? why;
    return showManaged(view, { secrets, token, choice: {}, ...(told && { fault: told }) });
  }
  const zone = zoneFor(choice.tz, appointment.timezone);
  const start = startOf(choice.start);
  const date = start === undefined ? undefined : localDate(zone, start);
  const chosen = date === undefined ? choice : { ...choice, date, month: monthOf(date) };
  const picks = await findPicks(view, offer, { choice: chosen, zone, except: appointment.id });
  const path = `${stage.path}/move`;
  const slot = fault ? undefined : pickedSlot(picks, start);
  if (slot) {
    return movePage(stage, { zone, path, choice, body: confirmView(stage, zone, slot) });
  }
  const { reasons } = pageLocale.words;
  const alert = fault
    ? (reasonIn(fault, pageLocale.words) ?? reasons.closed)
    : start !== undefined && reasons.slot_unavailable;
  const body = html`${alert && html`<p class="alert" role="alert">${alert}</p>`}
  ${picker({ pageLocale, path, choice: { ...choice, start: '' }, picks })}`;
  return movePage(stage, { zone, path, choice, body, isPicking: true });
}

interface MoveView {
  readonly zone: string;
  readonly path: string;
  readonly choice: Choice;
  readonly body: Html;
  readonly isPicking?: boolean;
}

function movePage(
  stage: ManagedStage,
  { zone, path, choice, body, isPicking }: MoveView,
): Document {
  const { host, pageLocale, appointment, what } = stage;
  const { words, locale } = pageLocale;
  const { startTime, endTime } = appointment;
  const more = html`<p class="fact time">
      <span class="tag">${words.from}</span> ${saySpan(startTime, endTime, { locale, zone })}
    </p>
    ${isPicking && zonePicker({ pageLocale, path, choice, zone })}
    <p><a class="back" href="${hrefTo(stage.path, { tz: zone })}">${words.back}</a></p>`;
  const duration = Math.round((endTime - startTime) / 60_000);
  const main = html`<main class="card ${isPicking ? 'picking' : 'filling'}" id="page">
    ${about({ pageLocale, brand: host.brand, what, duration, more })} ${body}
  </main>`;
  const title = `${words.moveIt}: ${what}`;
  return pageOf({ pageLocale, title, brand: host.brand, main, zone, isPrivate: true });
}

function confirmView(
  { pageLocale: { words, locale }, path }: ManagedStage,
  zone: string,
  { startTime, endTime }: { readonly startTime: number; readonly endTime: number },
): Html {
  return html`<section class="details" aria-labelledby="details">
    <h2 id="details" tabindex="-1">${words.to}</h2>
    <p class="chosen">${saySpan(startTime, endTime, { locale, zone })}</p>
    <form method="post" action="${path}/move" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      <input type="hidden" name="start" value="${startTime}" />
      <button class="primary" data-busy="${words.wait}">${words.moveTo}</button>
      <a class="quiet" href="${hrefTo(`${path}/move`, { tz: zone })}">${words.otherTime}</a>
    </form>
  </section>`;
}
