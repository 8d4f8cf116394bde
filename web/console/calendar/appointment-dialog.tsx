import { useState } from 'react';
import { Link } from 'wouter';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { WhyButton } from '../why/why-button.tsx';
import { nameOf } from './appointment-name.ts';
import { useChangeWithNotice, type AppointmentChange } from './appointment-queries.ts';
import { MoveDialog } from './move-dialog.tsx';
import styles from './calendar.module.css';

interface AppointmentDialogProps {
  readonly appointment: Appointment;
  readonly onClose: () => void;
}

/** An appointment, and what can be done with it. */
export function AppointmentDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { calendar } = useMessages();
  const { submit, isPending } = useChangeWithNotice();
  const [step, setStep] = useState<'cancel' | 'move'>();
  const apply = (change: AppointmentChange) => submit(appointment, change, onClose);
  if (step === 'cancel') {
    return (
      <ConfirmDialog
        title={calendar.cancel}
        text={calendar.cancelText}
        confirm={calendar.cancel}
        isDangerous
        onClose={() => setStep(undefined)}
        onConfirm={() => apply({ kind: 'cancel' })}
      />
    );
  }
  if (step === 'move') {
    return (
      <MoveDialog
        appointment={appointment}
        isPending={isPending}
        onClose={onClose}
        onMove={(to) => apply({ kind: 'move', ...to })}
      />
    );
  }
  return <Details appointment={appointment} onClose={onClose} onStep={setStep} onChange={apply} />;
}

interface DetailsProps extends AppointmentDialogProps {
  readonly onStep: (step: 'cancel' | 'move') => void;
  readonly onChange: (change: AppointmentChange) => void;
}

function Details({ appointment, onClose, onStep, onChange }: DetailsProps) {
  const { agenda, calendar, common } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { data: team = [] } = useTeam();
  const { startTime, endTime, status, contactId, contact, assignedTo, notes } = appointment;
  const member = team.find(({ id }) => id === assignedTo)?.name;
  const reach = [contact?.email, contact?.phone].filter(Boolean).join(' · ');
  return (
    <Dialog
      title={nameOf(appointment, common.unnamed)}
      isOpen
      isWide
      onClose={onClose}
      actions={<Actions appointment={appointment} onStep={onStep} onChange={onChange} />}
    >
      <p>
        <Badge>{calendar.statuses[status]}</Badge>
      </p>
      <p>
        {format.dayAndTime(startTime)} – {format.time(endTime)} ({timezone})
      </p>
      {appointment.title && <p>{appointment.title}</p>}
      {member && <p>{member}</p>}
      {reach && <p>{reach}</p>}
      {notes && <p className={styles.notes}>{notes}</p>}
      <p>
        {agenda.confirmation} <WhyButton query={{ kind: 'confirmation', id: appointment.id }} />
      </p>
      <p>
        {agenda.reminders} <WhyButton query={{ kind: 'reminder', id: appointment.id }} />
      </p>
      {contactId && (
        <p>
          <Link href={`/contacts/${contactId}`}>{agenda.contact}</Link>
        </p>
      )}
    </Dialog>
  );
}

/** The actions that the status and the time allow. */
function Actions({ appointment, onStep, onChange }: Omit<DetailsProps, 'onClose'>) {
  const { calendar } = useMessages();
  const { role } = usePlace().membership;
  const { status, startTime } = appointment;
  if (role === 'viewer') {
    return null;
  }
  const hasStarted = Date.parse(startTime) <= Date.now();
  const isLive = status === 'scheduled' || status === 'confirmed';
  const may = {
    confirmed: status === 'scheduled',
    completed: hasStarted && (isLive || status === 'no_show'),
    no_show: hasStarted && (isLive || status === 'completed'),
  };
  return (
    <>
      {isLive && <Button onPress={() => onStep('cancel')}>{calendar.cancel}</Button>}
      {isLive && <Button onPress={() => onStep('move')}>{calendar.move}</Button>}
      {(['confirmed', 'completed', 'no_show'] as const).map(
        (kind) =>
          may[kind] && (
            <Button key={kind} onPress={() => onChange({ kind })}>
              {calendar.mark[kind]}
            </Button>
          ),
      )}
    </>
  );
}
