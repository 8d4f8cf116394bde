import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { html, type Html, type Part } from '#lib/html.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { isLive, REASON_MAX } from '../../appointments/appointment.schema.ts';
import { customerReason } from '../../verified/customer-appointment.ts';
import { hrefTo, type Choice } from '../choice.ts';
import { pageOf, reasonText } from '../layout.ts';
import { bookingPathOf, managedContext, type ManagedContext } from './managed.ts';
import { zonePicker, zoneFor } from '../picker.ts';
import { formatSpan } from '../format-time.ts';

interface ManagedQuery {
  readonly secrets: Secrets;
  readonly token: string;
  readonly choice: Choice;
  /** Why the change that was just requested was refused. */
  readonly fault?: Fault;
}

/** Returns the page with an appointment and what its customer may do with it. */
export async function showManaged(
  view: View,
  { secrets, token, choice, fault }: ManagedQuery,
): Promise<Document> {
  const context = await managedContext(view, secrets, token);
  const { host, language, path, appointment, what } = context;
  const { messages, locale } = language;
  const { startTime, endTime } = appointment;
  const zone = zoneFor(choice.tz, appointment.timezone);
  const alert = fault && (reasonText(fault, messages) ?? messages.badRequestLead);
  const now = view.now.getTime();
  const isCancelled = appointment.status === 'cancelled';
  const bookAgainPath = await bookingPathOf(view, context);
  const main = html`<main class="card narrow managed ${isCancelled && 'gone'}" id="page">
    ${alert && html`<p class="alert" role="alert" id="problem" tabindex="-1">${alert}</p>`}
    ${headline(context, choice, now)}
    <dl class="facts">
      <div>
        <dt>${messages.what}</dt>
        <dd>${what}</dd>
      </div>
      <div>
        <dt>${messages.when}</dt>
        <dd>
          ${formatSpan(startTime, endTime, { locale, zone })}
          ${zonePicker({ language, path, choice: {}, zone })}
        </dd>
      </div>
      <div>
        <dt>${messages.withWhom}</dt>
        <dd>${host.brand}</dd>
      </div>
    </dl>
    ${
      isCancelled || endTime <= now
        ? bookAgainPath &&
          html`<p class="acts">
            <a class="primary" href="${hrefTo(bookAgainPath, { tz: zone })}"
              >${messages.bookAgain}</a
            >
          </p>`
        : actions(context, zone, now)
    }
  </main>`;
  return pageOf({
    language,
    title: `${messages.yours}: ${what}`,
    brand: host.brand,
    main,
    zone: fault ? undefined : zone,
    isPrivate: true,
  });
}

function headline(
  { language: { messages }, appointment }: ManagedContext,
  { done }: Choice,
  now: number,
) {
  const { status, endTime } = appointment;
  if (status === 'cancelled') {
    return html`<h1 class="sign no">${messages.cancelled}</h1>`;
  }
  if (endTime <= now) {
    return html`<h1>${messages.past}</h1>`;
  }
  const text: Part =
    done === 'booked' ? messages.booked : done === 'moved' ? messages.moved : undefined;
  return text
    ? html`<div role="status"><h1 class="sign yes">${text}</h1></div>
        <p class="lead">${messages.bookedLead}</p>`
    : html`<h1>${messages.yours}</h1>`;
}

/** Returns the actions of an upcoming appointment, and the reasons against those that are not allowed. */
function actions(context: ManagedContext, zone: string, now: number): Html {
  const { language, path, appointment, offer } = context;
  const { messages } = language;
  const reasonNot = (change: 'cancel' | 'reschedule') =>
    isLive(appointment.status)
      ? customerReason(change, appointment, now)
      : ('invalid_transition' as const);
  const moving = offer ? reasonNot('reschedule') : 'reschedule_not_allowed';
  const cancelling = reasonNot('cancel');
  const reasons = new Set([moving, cancelling].filter((reason) => reason !== undefined));
  return html`<p class="acts">
      <a class="primary" href="${path}/appointment.ics">${messages.addToCalendar}</a>
      ${moving === undefined && html`<a class="quiet" href="${hrefTo(`${path}/move`, { tz: zone })}">${messages.move}</a>`}
    </p>
    ${[...reasons].map((reason) => html`<p class="hint">${messages.reasons[reason]}</p>`)}
    ${cancelling === undefined && cancelForm(context, zone)}`;
}

const cancelForm = ({ language: { messages }, path }: ManagedContext, zone: string): Html =>
  html`<details class="cancel">
    <summary>${messages.cancel}</summary>
    <form method="post" action="${path}/cancel" data-once>
      <input type="hidden" name="tz" value="${zone}" />
      <p>${messages.cancelSure}</p>
      <div class="field">
        <label for="reason"
          >${messages.cancelReason} <span class="optional">(${messages.optional})</span></label
        >
        <input id="reason" name="reason" maxlength="${REASON_MAX}" autocomplete="off" />
      </div>
      <button class="danger" data-busy="${messages.wait}">${messages.cancel}</button>
    </form>
  </details>`;
