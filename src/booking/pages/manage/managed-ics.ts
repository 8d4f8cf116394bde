import type { Document } from '#core/endpoint/reply.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { appointmentIcs, ICS_TYPE } from '../../notices/appointment-ics.ts';
import { PAGE_HEADERS } from '../layout.ts';
import { managedStage } from './managed.ts';

interface ManagedIcsQuery {
  readonly secrets: Secrets;
  readonly token: string;
  readonly baseUrl: string;
}

/** The appointment for the calendar of whoever has its link. */
export async function managedIcs(
  view: View,
  { secrets, token, baseUrl }: ManagedIcsQuery,
): Promise<Document> {
  const { appointment, host, what, path } = await managedStage(view, secrets, token);
  const { id, startTime, endTime, status, createdAt, updatedAt } = appointment;
  const body = await appointmentIcs({
    id,
    title: what,
    start: new Date(startTime),
    end: new Date(endTime),
    isCancelled: status === 'cancelled',
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    url: baseUrl.replace(/\/$/, '') + path,
    host: host.brand,
  });
  const headers = {
    ...PAGE_HEADERS,
    'content-disposition': 'attachment; filename="appointment.ics"',
  };
  return { type: ICS_TYPE, body, headers };
}
