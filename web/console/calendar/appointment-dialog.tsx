import { useState } from 'react';
import { Link } from 'wouter';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { useCanWrite } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { AppointmentFacts } from './appointment-facts.tsx';
import { nameOf } from './appointment-name.ts';
import { useChangeWithNotice, type AppointmentChange } from './appointment-queries.ts';
import { MoveDialog } from './move-dialog.tsx';
import { NoticeState } from './notice-state.tsx';
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
        keep={calendar.keep}
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
  const { status, contactId, contact, notes } = appointment;
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
      <AppointmentFacts appointment={appointment} />
      {reach && <p>{reach}</p>}
      {notes && <p className={styles.notes}>{notes}</p>}
      <NoticeState label={agenda.confirmation} kind="confirmation" appointmentId={appointment.id} />
      <NoticeState label={agenda.reminders} kind="reminder" appointmentId={appointment.id} />
      {contactId && (
        <p>
          <Link href={`/contacts/${contactId}`}>{agenda.contact}</Link>
        </p>
      )}
      <NotYet appointment={appointment} />
    </Dialog>
  );
}

const NOT_YET = 'not-yet';

const isLive = ({ status }: Appointment): boolean =>
  status === 'scheduled' || status === 'confirmed';
const hasStarted = ({ startTime }: Appointment): boolean => Date.parse(startTime) <= Date.now();

/** Says from when an appointment can be marked with its outcome. */
function NotYet({ appointment }: Pick<DetailsProps, 'appointment'>) {
  const { planner } = useMessages();
  const format = useFormat();
  if (!useCanWrite() || !isLive(appointment) || hasStarted(appointment)) {
    return null;
  }
  return (
    <p id={NOT_YET} className={styles.hint}>
      {planner.notYet(format.dayAndTime(appointment.startTime))}
    </p>
  );
}

/** The actions that the status allows; those that the time does not allow yet are disabled. */
function Actions({ appointment, onStep, onChange }: Omit<DetailsProps, 'onClose'>) {
  const { calendar } = useMessages();
  if (!useCanWrite()) {
    return null;
  }
  const { status } = appointment;
  const isOpen = isLive(appointment);
  const isEarly = !hasStarted(appointment);
  const may = {
    confirmed: status === 'scheduled',
    completed: isOpen || status === 'no_show',
    no_show: isOpen || status === 'completed',
  };
  return (
    <>
      {isOpen && <Button onPress={() => onStep('cancel')}>{calendar.cancel}</Button>}
      {isOpen && <Button onPress={() => onStep('move')}>{calendar.move}</Button>}
      {(['confirmed', 'completed', 'no_show'] as const).map(
        (kind) =>
          may[kind] && (
            <Button
              key={kind}
              isDisabled={isEarly && kind !== 'confirmed'}
              {...(isEarly && kind !== 'confirmed' && { 'aria-describedby': NOT_YET })}
              onPress={() => onChange({ kind })}
            >
              {calendar.mark[kind]}
            </Button>
          ),
      )}
    </>
  );
}
