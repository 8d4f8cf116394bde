import { json, jsonText, type Json } from '#core/schema/json.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import type { AppointmentCreate } from '../appointments/appointment.schema.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import { manageLink } from '../pages/manage/manage-link.ts';

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
