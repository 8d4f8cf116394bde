import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { brandLine } from '#lib/brand.ts';
import { html, type Html, type Part } from '#lib/html.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { isLive, REASON_MAX } from '../../appointments/appointment.schema.ts';
import { customerReason } from '../../verified/customer-appointment.ts';
import { brandOf } from '../../public/public-offers.ts';
import { hrefTo, type Choice } from '../choice.ts';
import { pageOf, reasonText } from '../layout.ts';
import { bookingPathOf, managedContext, type ManagedContext } from './managed.ts';
import { placeOf } from '../type-details.ts';
import { zonePicker, zoneFor } from '../zone-picker.ts';
import { calendarLinks } from './calendar-links.ts';
import { formatSpan } from '../format-time.ts';

interface ManagedQuery {
  readonly secrets: Secrets;
  readonly token: string;
  readonly choice: Choice;
  /** The public URL of this server. */
  readonly baseUrl: string;
  /** Why the change that was just requested was refused. */
  readonly fault?: Fault;
}

/** Returns the page with an appointment and what its customer may do with it. */
export async function showManaged(
  view: View,
  { secrets, token, choice, fault, baseUrl }: ManagedQuery,
): Promise<Document> {
  const context = await managedContext(view, secrets, token, choice.clock);
  const { host, language, path, appointment, what } = context;
  const { messages, locale } = language;
  const { startTime, endTime } = appointment;
  const zone = zoneFor(choice.tz, appointment.timezone);
  const isCancelled = appointment.status === 'cancelled';
  const unchanged = choice.done === 'unchanged' && !isCancelled ? messages.unchanged : undefined;
  const alert = fault ? (reasonText(fault, messages) ?? messages.badRequestLead) : unchanged;
  const now = view.now.getTime();
  const { clock } = choice;
  const kept: Choice = clock ? { clock } : {};
  const bookAgainPath = await bookingPathOf(view, context);
  const main = html`<main class="card narrow managed ${isCancelled && 'gone'}" id="page">
    ${brandLine(brandOf(host))}
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
          ${zonePicker({ language, path, choice: kept, zone })}
        </dd>
      </div>
      <div>
        <dt>${messages.withWhom}</dt>
        <dd>${host.brand}</dd>
      </div>
      ${whereFact(context)}
    </dl>
    ${
      isCancelled || endTime <= now
        ? bookAgainPath &&
          html`<p class="acts">
            <a class="primary" href="${hrefTo(bookAgainPath, { ...kept, tz: zone })}"
              >${messages.bookAgain}</a
            >
          </p>`
        : html`${calendarLinks(context, baseUrl)} ${actions(context, { ...kept, tz: zone }, now)}`
    }
  </main>`;
  return pageOf({
    language,
    title: `${messages.yours}: ${what}`,
    brand: brandOf(host),
    main,
    zone: fault ? undefined : zone,
    isPrivate: true,
  });
}

/** Returns where the appointment takes place, with the link of a video call. */
function whereFact({ offer, language, appointment }: ManagedContext): Html | false {
  const place = offer && placeOf(offer.type, language);
  if (!offer || place === undefined) {
    return false;
  }
  const { messages } = language;
  const { videoUrl } = offer.type;
  const isJoinable = videoUrl !== null && isLive(appointment.status);
  return html`<div>
    <dt>${messages.where}</dt>
    <dd>
      ${place}
      ${isJoinable && html`<a class="join" rel="noreferrer" href="${videoUrl}">${messages.join}</a>`}
    </dd>
  </div>`;
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
function actions(context: ManagedContext, kept: Choice, now: number): Html {
  const { language, path, appointment, offer } = context;
  const { messages } = language;
  const reasonNot = (change: 'cancel' | 'reschedule') =>
    isLive(appointment.status)
      ? customerReason(change, appointment, now)
      : ('invalid_transition' as const);
  const moving = offer ? reasonNot('reschedule') : 'reschedule_not_allowed';
  const cancelling = reasonNot('cancel');
  const reasons = new Set([moving, cancelling].filter((reason) => reason !== undefined));
  return html`${
    moving === undefined &&
    html`<p class="acts">
      <a class="quiet" href="${hrefTo(`${path}/move`, kept)}">${messages.move}</a>
    </p>`
  }
  ${[...reasons].map((reason) => html`<p class="hint">${messages.reasons[reason]}</p>`)}
  ${cancelling === undefined && cancelForm(context, kept)}`;
}

const cancelForm = ({ language: { messages }, path }: ManagedContext, kept: Choice): Html =>
  html`<details class="cancel">
    <summary class="quiet">${messages.cancel}</summary>
    <form method="post" action="${path}/cancel" data-once>
      ${Object.entries(kept).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
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
