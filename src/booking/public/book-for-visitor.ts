import { json, jsonText, type Json } from '#core/schema/json.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import type { AppointmentCreate } from '../appointments/appointment.schema.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import { manageLink } from '../pages/manage/manage-link.ts';

interface BookDeps {
  readonly secrets: Secrets;
  /** The public URL of this server. */
  readonly baseUrl: string;
}

/** Books like a keyed call. The returned function gives the visitor's view of the written appointment. */
export async function bookForVisitor(
  work: Work,
  input: AppointmentCreate,
  { secrets, baseUrl }: BookDeps,
): Promise<() => Promise<Json>> {
  const { id, record } = await bookAppointment(work, input);
  const { firstName, lastName, email, phone = null } = input;
  const contact = { firstName, lastName, email, phone };
  const { subAccountId } = work;
  const manageUrl = manageLink(secrets, baseUrl, { subAccountId, appointmentId: id });
  return async () => {
    const written = JSON.parse(jsonText(record())) as Record<string, unknown>;
    for (const name of HIDDEN) {
      delete written[name];
    }
    return json(JSON.stringify({ ...written, contact, manageUrl }));
  };
}

/** Members that visitors do not need or must not see. */
const HIDDEN = ['contactId', 'assignedTo', 'updatedAt', 'cancelReason', 'partOfSeries'];
