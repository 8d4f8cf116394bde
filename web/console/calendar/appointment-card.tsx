import { useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { useDrag } from 'react-aria-components/useDrag';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { nameOf } from './appointment-name.ts';
import { boxOf } from './grid-column.ts';
import type { Place } from './day-grid.ts';
import styles from './appointment-card.module.css';

/** The type of dragged appointments. */
export const APPOINTMENT_TYPE = 'application/x-frontdesk-appointment';

/** An appointment that was picked up, and how far below its start. */
export interface Grab {
  readonly appointment: Appointment;
  readonly grabRows: number;
}

export interface CardProps {
  readonly place: Place;
  /** Parts of the column's width. */
  readonly lane: { readonly left: number; readonly width: number };
  /** Undefined where the column names the member. */
  readonly member: string | undefined;
  readonly onOpen: (appointment: Appointment) => void;
}

interface AppointmentCardProps extends CardProps {
  readonly appointment: Appointment;
  readonly onGrab: ((grab: Grab | undefined) => void) | undefined;
}

/** Returns the style that puts a card in its place. */
export const cardBox = ({ place, lane }: Pick<CardProps, 'place' | 'lane'>) => ({
  ...boxOf(place),
  left: `${lane.left * 100}%`,
  width: `${lane.width * 100}%`,
});

/** An appointment in the grid: it opens when pressed, and moves when dragged. */
export function AppointmentCard(props: AppointmentCardProps) {
  const { appointment, place, member, onOpen, onGrab } = props;
  const { common, calendar } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { status, startTime, title } = appointment;
  const name = nameOf(appointment, common.unnamed);
  const isMovable = onGrab !== undefined && (status === 'scheduled' || status === 'confirmed');
  const { ref, dragging, isDragging } = useGrab(appointment, place, onGrab);
  return (
    <li
      ref={ref}
      {...(isMovable && dragging)}
      className={cx(styles.slot, isDragging && styles.dragged)}
      style={cardBox(props)}
    >
      <Button
        className={cx(styles.appointment, styles[status])}
        onPress={() => onOpen(appointment)}
      >
        <span className={styles.title}>
          <span className={styles.time}>{format.time(startTime)} </span>
          {name}
        </span>
        {status !== 'scheduled' && (
          <span className={styles.status}> {calendar.statuses[status]}</span>
        )}
        {title && title !== name && <span className={styles.fact}> {title}</span>}
        {member && <span className={styles.fact}> {member}</span>}
      </Button>
    </li>
  );
}

/** Dragging is for the mouse; the keyboard has the dialog: what would make the item a button is left out. */
function useGrab(
  appointment: Appointment,
  { height }: Place,
  onGrab: ((grab: Grab | undefined) => void) | undefined,
) {
  const ref = useRef<HTMLLIElement>(null);
  const { dragProps, isDragging } = useDrag({
    getItems: () => [{ [APPOINTMENT_TYPE]: appointment.id, 'text/plain': appointment.id }],
    getAllowedDropOperations: () => ['move'],
    onDragStart({ y }) {
      const box = ref.current?.getBoundingClientRect();
      const grabRows = box ? ((y - box.top) / box.height) * height : 0;
      onGrab?.({ appointment, grabRows });
    },
    onDragEnd: () => onGrab?.(undefined),
  });
  const {
    role: _role,
    tabIndex: _tabIndex,
    ...dragging
  } = dragProps as typeof dragProps & { role?: string; tabIndex?: number };
  return { ref, dragging, isDragging };
}
