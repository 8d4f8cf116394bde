import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { useTeam } from '../inbox/conversation-queries.ts';
import { nameOf } from './appointment-name.ts';

/** When an appointment is, of which type, and with which member; `isNamed` adds the customer. */
export function AppointmentFacts(props: {
  readonly appointment: Appointment;
  readonly isNamed?: boolean;
}) {
  const { appointment, isNamed = false } = props;
  const { common } = useMessages();
  const zone = useZone();
  const format = useFormat();
  const { data: team = [] } = useTeam();
  const { startTime, endTime, title, assignedTo } = appointment;
  const member = team.find(({ id }) => id === assignedTo)?.name;
  return (
    <>
      {isNamed && (
        <p>
          <strong>{nameOf(appointment, common.unnamed)}</strong>
        </p>
      )}
      <p>
        {format.dayAndTime(startTime)} – {format.time(endTime)} ({zone})
      </p>
      {title && <p>{title}</p>}
      {member && <p>{member}</p>}
    </>
  );
}
