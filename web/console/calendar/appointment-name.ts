import type { Appointment } from '../../../sdk/src/generated/appointments.ts';

/** Returns the name of the contact, else the title. */
export function nameOf({ contact, title }: Appointment, unnamed: string): string {
  const name = contact === null ? '' : `${contact.firstName} ${contact.lastName}`.trim();
  return name || title || unnamed;
}
