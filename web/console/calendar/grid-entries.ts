import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import type { Span } from './day-grid.ts';

/** A type with several seats for each start. */
export interface ClassType {
  readonly appointmentTypeId: string;
  readonly name: string;
  readonly seats: number;
}

/** What has a card of its own in a day or a week. */
export interface GridEntry extends Span {
  readonly id: string;
  readonly assignedTo: string | null;
  /** The appointment, or those of all who come to the class. */
  readonly appointments: readonly Appointment[];
  /** Undefined for an appointment that is not of a class. */
  readonly ofClass: ClassType | undefined;
}

/** Returns the cards of the appointments: the seats of one start of a class share a card. */
export function gridEntries(
  appointments: readonly Appointment[],
  classes: readonly ClassType[],
): readonly GridEntry[] {
  const typeOf = ({ appointmentTypeId }: Appointment) =>
    classes.find((one) => one.appointmentTypeId === appointmentTypeId);
  const keyOf = (one: Appointment) =>
    typeOf(one) === undefined
      ? one.id
      : [one.appointmentTypeId, one.startTime, one.endTime, one.assignedTo].join(' ');
  return [...Map.groupBy(appointments, keyOf)].flatMap(([id, seats]) =>
    seats.slice(0, 1).map((first) => ({
      id,
      startTime: first.startTime,
      endTime: first.endTime,
      assignedTo: first.assignedTo,
      appointments: seats,
      ofClass: typeOf(first),
    })),
  );
}
