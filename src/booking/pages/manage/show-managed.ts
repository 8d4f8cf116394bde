import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { html, type Html, type Part } from '#lib/html.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { isLive } from '../../appointments/appointment-status.ts';
import { REASON_MAX } from '../../appointments/appointment.schema.ts';
import { customerReason } from '../../verified/customer-refusal.ts';
import { hrefTo, type Choice } from '../choice.ts';
import { pageOf } from '../layout.ts';
import { bookingPathOf, managedStage, type ManagedStage } from './managed.ts';
import { zonePicker } from '../picker.ts';
import { reasonIn } from '../reason-in.ts';
import { saySpan } from '../say-time.ts';
import { zoneFor } from '../zones.ts';

interface ManagedQuery {
  readonly secrets: Secrets;
  readonly token: string;
  readonly choice: Choice;
  /** Why what was asked for just now could not be done. */
  readonly fault?: Fault;
}

/** An appointment, and what its customer may do with it. */
export async function showManaged(
  view: View,
  { secrets, token, choice, fault }: ManagedQuery,
): Promise<Document> {
  const stage = await managedStage(view, secrets, token);
  const { host, pageLocale, path, appointment, what } = stage;
  const { words, locale } = pageLocale;
  const { startTime, endTime } = appointment;
  const zone = zoneFor(choice.tz, appointment.timezone);
  const alert = fault && (reasonIn(fault, words) ?? words.badRequestLead);
  const now = view.now.getTime();
  const isCancelled = appointment.status === 'cancelled';
  const again = await bookingPathOf(view, stage);
  const main = html`<main class="card narrow managed ${isCancelled && 'gone'}" id="page">
    ${alert && html`<p class="alert" role="alert" id="problem" tabindex="-1">${alert}</p>`}
    ${headline(stage, choice, now)}
    <dl class="facts">
      <div>
        <dt>${words.what}</dt>
        <dd>${what}</dd>
      </div>
      <div>
        <dt>${words.when}</dt>
        <dd>
          ${saySpan(startTime, endTime, { locale, zone })}
          ${zonePicker({ pageLocale, path, choice: {}, zone })}
        </dd>
      </div>
      <div>
        <dt>${words.withWhom}</dt>
        <dd>${host.brand}</dd>
      </div>
    </dl>
    ${
      isCancelled || endTime <= now
        ? again &&
          html`<p class="acts">
            <a class="primary" href="${hrefTo(again, { tz: zone })}">${words.bookAgain}</a>
          </p>`
        : acts(stage, zone, now)
    }
  </main>`;
  return pageOf({
    pageLocale,
    title: `${words.yours}: ${what}`,
    brand: host.brand,
    main,
    zone: fault ? undefined : zone,
    isPrivate: true,
  });
}

function headline(
  { pageLocale: { words }, appointment }: ManagedStage,
  { done }: Choice,
  now: number,
) {
  const { status, endTime } = appointment;
  if (status === 'cancelled') {
    return html`<h1 class="sign no">${words.cancelled}</h1>`;
  }
  if (endTime <= now) {
    return html`<h1>${words.past}</h1>`;
  }
  const said: Part = done === 'booked' ? words.booked : done === 'moved' ? words.moved : undefined;
  return said
    ? html`<div role="status"><h1 class="sign yes">${said}</h1></div>
        <p class="lead">${words.bookedLead}</p>`
    : html`<h1>${words.yours}</h1>`;
}

/** What can be done with an appointment that is still to come; what cannot says why. */
function acts(stage: ManagedStage, zone: string, now: number): Html {
  const { pageLocale, path, appointment, offer } = stage;
  const { words } = pageLocale;
  const reasonNot = (change: 'cancel' | 'reschedule') =>
    isLive(appointment.status)
      ? customerReason(change, appointment, now)
      : ('invalid_transition' as const);
  const moving = offer ? reasonNot('reschedule') : 'reschedule_not_allowed';
  const cancelling = reasonNot('cancel');
  const told = new Set([moving, cancelling].filter((reason) => reason !== undefined));
  return html`<p class="acts">
      <a class="primary" href="${path}/appointment.ics">${words.addToCalendar}</a>
      ${moving === undefined && html`<a class="quiet" href="${hrefTo(`${path}/move`, { tz: zone })}">${words.move}</a>`}
    </p>
    ${[...told].map((reason) => html`<p class="hint">${words.reasons[reason]}</p>`)}
    ${cancelling === undefined && cancelForm(stage, zone)}`;
}

const cancelForm = ({ pageLocale: { words }, path }: ManagedStage, zone: string): Html =>
  html`<details class="cancel">
    <summary>${words.cancel}</summary>
    <form method="post" action="${path}/cancel" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      <p>${words.cancelSure}</p>
      <div class="field">
        <label for="reason"
          >${words.cancelReason} <span class="optional">(${words.optional})</span></label
        >
        <input id="reason" name="reason" maxlength="${REASON_MAX}" autocomplete="off" />
      </div>
      <button class="danger" data-busy="${words.wait}">${words.cancel}</button>
    </form>
  </details>`;
