import { hash } from 'node:crypto';
import { invalidField } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { claim, keep } from '#platform/http/idempotency.ts';
import { bookForVisitor } from '../appointments/book-appointment.ts';
import { managePath } from './manage/manage-link.ts';
import { hrefTo, startOf } from './choice.ts';
import { redirectTo } from './layout.ts';
import { bookingContext } from './show-booking.ts';
import { checkedVisitor, hostCountry, visitorOf, type VisitorForm } from './visitor-form.ts';
import { lockTexts } from '#platform/database/advisory-lock.ts';

const ONCE_MAX = 100;

interface SubmittedBooking {
  readonly name: string;
  readonly form: VisitorForm;
  readonly secrets: Secrets;
}

/**
 * Books the slot of the form and redirects to the page where the booking is managed. A form that is
 * sent twice, by a double click or a reload, books once and redirects to the same page. That page says so
 * if the details were corrected in between: anyone's details may be in the form, so it changes nothing.
 */
export async function submitBooking(
  work: Work,
  { name, form, secrets }: SubmittedBooking,
): Promise<Reply> {
  const { subAccountId } = work;
  const { offer, host } = await bookingContext(work, name);
  const startTime = startOf(form.start);
  if (startTime === undefined) {
    throw invalidField('/start', 'is required', { reason: 'slot_unavailable' });
  }
  const country = hostCountry(host);
  const details = hash('sha256', JSON.stringify(visitorOf(form, country)));
  const bookedAt = (path: string, done: 'booked' | 'unchanged'): string =>
    hrefTo(path, { tz: form.tz ?? '', clock: form.clock ?? '' }, { done });
  const sent = sentForm(offer.type.id, startTime, form);
  // A second request waits for the first and gets the same response.
  // The lock that `claim` takes without waiting.
  await lockTexts(work, JSON.stringify([subAccountId, sent.keyId, sent.path, sent.key]));
  const earlier = await claim(work, sent);
  if (earlier) {
    const [path = '', bookedDetails] = earlier.body.split(' ');
    return redirectTo(bookedAt(path, bookedDetails === details ? 'booked' : 'unchanged'));
  }
  const { type } = offer;
  const { id: appointmentId } = await bookForVisitor(work, {
    appointmentTypeId: type.id,
    startTime,
    endTime: startTime + type.duration * MINUTE_MS,
    ...checkedVisitor(form, country),
  });
  const path = managePath(secrets, { subAccountId, appointmentId });
  await keep(work, sent, REDIRECTED, `${path} ${details}`);
  return redirectTo(bookedAt(path, 'booked'));
}

const REDIRECTED = 303;

/** A form is one booking of one slot: changed details do not make it another. */
const sentForm = (typeId: string, startTime: number, { once = '' }: VisitorForm) => ({
  key: once.slice(0, ONCE_MAX) || crypto.randomUUID(),
  keyId: AGENCY,
  path: `/book/${typeId}/${startTime}`,
  bodyHash: '',
});
