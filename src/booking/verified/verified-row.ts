import type { CustomerAppointment } from './customer-appointment.ts';
import { customerMay } from './customer-refusal.ts';
import type { VerifiedRow } from './verified-customer.schema.ts';

/** How rows are told, once the time zones are loaded. */
export async function rowTeller(now: Date) {
  const { slotLabel } = await import('../../calendars/slots/slot-label.ts');
  return (appointment: CustomerAppointment): VerifiedRow => {
    const { id, startTime, endTime, timezone, locale, status, typeName } = appointment;
    return {
      appointmentId: id,
      label: slotLabel(startTime, timezone, locale),
      start: new Date(startTime).toISOString(),
      end: new Date(endTime).toISOString(),
      startTime,
      endTime,
      timezone,
      status,
      appointmentTypeName: typeName,
      partOfSeries: appointment.partOfSeries,
      canCancel: customerMay('cancel', appointment, now.getTime()),
      canReschedule: customerMay('reschedule', appointment, now.getTime()),
    };
  };
}
