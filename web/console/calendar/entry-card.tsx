import { Button } from 'react-aria-components/Button';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { AppointmentCard, cardBox, type CardProps, type Grab } from './appointment-card.tsx';
import { nameOf } from './appointment-name.ts';
import type { ClassType, GridEntry } from './grid-entries.ts';
import styles from './appointment-card.module.css';

interface EntryCardProps extends CardProps {
  readonly entry: GridEntry;
  readonly onGrab: ((grab: Grab | undefined) => void) | undefined;
}

/** The card of an appointment, or of a class. */
export function EntryCard({ entry, onGrab, ...card }: EntryCardProps) {
  const { appointments, ofClass } = entry;
  return ofClass === undefined ? (
    appointments.map((one) => (
      <AppointmentCard key={one.id} appointment={one} onGrab={onGrab} {...card} />
    ))
  ) : (
    <ClassCard entry={entry} ofClass={ofClass} {...card} />
  );
}

interface ClassCardProps extends CardProps {
  readonly entry: GridEntry;
  readonly ofClass: ClassType;
}

/** A class with its taken seats: it lists who comes when pressed. */
function ClassCard({ entry, ofClass, member, onOpen, ...box }: ClassCardProps) {
  const { common, calendar, planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { appointments, startTime } = entry;
  const { name, seats } = ofClass;
  const guests = appointments
    .map((appointment) => ({ appointment, guest: nameOf(appointment, common.unnamed) }))
    .toSorted((one, other) => one.guest.localeCompare(other.guest));
  return (
    <li className={cx(styles.slot)} style={cardBox(box)}>
      <Menu
        label={`${format.time(startTime)} ${name}`}
        trigger={
          <Button className={cx(styles.appointment)}>
            <span className={styles.title}>
              <span className={styles.time}>{format.time(startTime)} </span>
              {name}
            </span>
            <span className={styles.fact}> {planner.seats(appointments.length, seats)}</span>
            {member && <span className={styles.fact}> {member}</span>}
          </Button>
        }
      >
        {guests.map(({ appointment, guest }) => (
          <MenuItem
            key={appointment.id}
            id={appointment.id}
            {...(appointment.status !== 'scheduled' && {
              hint: calendar.statuses[appointment.status],
            })}
            onAction={() => onOpen(appointment)}
          >
            {guest}
          </MenuItem>
        ))}
      </Menu>
    </li>
  );
}
