import type { Document } from '#core/endpoint/reply.ts';
import { notFound, type Fault } from '#core/fault.ts';
import { brandLine } from '#lib/brand.ts';
import { html, type Html } from '#lib/html.ts';
import type { View } from '#core/work.ts';
import { findOffer } from '../../calendars/offers.ts';
import type { Choice } from '../pages/choice.ts';
import { formatSpan, formatTime } from '../pages/format-time.ts';
import {
  languageOf,
  pageOf,
  reasonText,
  withClock,
  type BookingLanguage,
} from '../pages/layout.ts';
import { zoneName } from '../pages/zone-picker.ts';
import { brandOf, hostOf } from '../public/public-offers.ts';
import { isOffered, readPlace, type WaitingPlace } from './waiting-place.ts';

interface PlaceQuery {
  readonly id: string;
  readonly path: string;
  readonly choice: Choice;
  /** Why the slot could not be booked. */
  readonly fault?: Fault;
}

/** Returns the page of a place in the waiting list: what it waits for, and the slot that is free for it. */
export async function showWaiting(
  view: View,
  { id, path, choice, fault }: PlaceQuery,
): Promise<Document> {
  const host = await hostOf(view);
  const place = await readPlace(view, id);
  const offer = place && (await findOffer(view, place.typeId));
  if (!place || !offer) {
    throw notFound('place');
  }
  const language = withClock(languageOf(host.locale, host.languages), choice.clock);
  const { messages } = language;
  const state = stateOf(place, view.now.getTime());
  const title = messages[TITLES[state]];
  const alert = fault && (reasonText(fault, messages) ?? messages.badRequestLead);
  const main = html`<main class="card narrow" id="page">
    ${brandLine(brandOf(host))}
    ${alert && html`<p class="alert" role="alert" id="problem" tabindex="-1">${alert}</p>`}
    <h1>${title}</h1>
    ${leadOf(state, place, language)}
    <dl class="facts">
      <div>
        <dt>${messages.what}</dt>
        <dd>${offer.type.name}</dd>
      </div>
      <div>
        <dt>${state === 'offered' ? messages.when : messages.day}</dt>
        <dd>${timeOf(state, place, language)}</dd>
      </div>
    </dl>
    ${actionsOf(state, path, language)}
  </main>`;
  return pageOf({ language, title, brand: brandOf(host), main, isPrivate: true });
}

/** What the page shows. */
type Shown = 'waiting' | 'offered' | 'left' | 'over';

function stateOf(place: WaitingPlace, now: number): Shown {
  if (isOffered(place, now)) {
    return 'offered';
  }
  if (place.state === 'left') {
    return 'left';
  }
  return place.until <= now || place.state === 'booked' ? 'over' : 'waiting';
}

const TITLES = {
  waiting: 'waitingTitle',
  offered: 'offerTitle',
  left: 'leftTitle',
  over: 'waitingOver',
} as const;

function leadOf(
  state: Shown,
  { expiresAt, timezone: zone }: WaitingPlace,
  { messages, locale }: BookingLanguage,
): Html | false {
  if (state === 'offered') {
    const until = formatTime('time', expiresAt ?? 0, { locale, zone });
    return html`<p class="lead">${messages.offerUntil(until)}</p>`;
  }
  return state === 'waiting' && html`<p class="lead">${messages.waitingLead}</p>`;
}

function timeOf(
  state: Shown,
  { from, start, end, timezone: zone }: WaitingPlace,
  { locale }: BookingLanguage,
): Html {
  const isTime = state === 'offered' && start !== null && end !== null;
  return isTime
    ? html`${formatSpan(start, end, { locale, zone })}
        <p class="hint">${zoneName(zone)}</p>`
    : html`${formatTime('day', from, { locale, zone })}`;
}

/** Everything that changes something is a form: mail programs open links. */
function actionsOf(state: Shown, path: string, { messages }: BookingLanguage): Html | false {
  const form = (action: string, look: string, label: string) =>
    html`<form method="post" action="${path}/${action}" data-once>
      <button class="${look}" data-busy="${messages.wait}">${label}</button>
    </form>`;
  if (state === 'offered') {
    return html`<div class="acts">
      ${form('book', 'primary', messages.bookThis)} ${form('decline', 'quiet', messages.decline)}
    </div>`;
  }
  return state === 'waiting' && form('leave', 'quiet', messages.leave);
}
