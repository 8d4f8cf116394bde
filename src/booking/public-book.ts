import { json, jsonText, type Json } from '#kit/json.ts';
import type { Secrets } from '#kit/secrets.ts';
import type { Work } from '#kit/work.ts';
import type { AppointmentCreate } from './appointment.schema.ts';
import { bookAppointment } from './book-appointment.ts';
import { manageLink } from './manage-link.ts';

interface PublicBookDeps {
  readonly secrets: Secrets;
  /** The public address. */
  readonly baseUrl: string;
}

/** Books like any key does, and answers, once it is written, what its visitor may know of it. */
export async function bookForVisitor(
  work: Work,
  input: AppointmentCreate,
  { secrets, baseUrl }: PublicBookDeps,
): Promise<() => Promise<Json>> {
  const { id, record } = await bookAppointment(work, input);
  const { firstName, lastName, email, phone = null } = input;
  const contact = { firstName, lastName, email, phone };
  const { subAccountId } = work;
  const manageUrl = manageLink(secrets, baseUrl, { subAccountId, appointmentId: id });
  return async () => {
    const written = JSON.parse(jsonText(record())) as Record<string, unknown>;
    for (const name of KEPT_BACK) {
      delete written[name];
    }
    return json(JSON.stringify({ ...written, contact, manageUrl }));
  };
}

/** What a visitor has no use for, or must not learn. */
const KEPT_BACK = ['contactId', 'assignedTo', 'updatedAt', 'cancelReason', 'partOfSeries'];
