import type { Reply } from '#core/endpoint/reply.ts';
import type { Work } from '#core/work.ts';
import { queueNotice } from '../../accounts/team/team.jobs.ts';
import { readCustomerAppointment, type CustomerAppointment } from './customer-appointment.ts';
import { cancelForCustomer, lockForCustomer, moveForCustomer } from './customer-changes.ts';
import { customerRefusal, type CustomerChange } from './customer-refusal.ts';
import { unknownCustomer, verifiedCustomer } from './verified-customer.ts';
import type { Identification, VerifiedCancel, VerifiedMove } from './verified-customer.schema.ts';
import { rowTeller } from './verified-row.ts';

export async function cancelVerified(work: Work, asked: VerifiedCancel): Promise<Reply> {
  const { appointmentId, confirm: _, reason = null, ...given } = asked;
  const held = await lockVerified(work, appointmentId, given);
  if (!held) {
    throw unknownCustomer();
  }
  if (held.partOfSeries && held.status !== 'cancelled') {
    return refuseSeries(work, held, 'cancel');
  }
  const { alreadyCancelled } = await cancelForCustomer(work, held, reason);
  return { data: { id: appointmentId, cancelled: true, alreadyCancelled } };
}

/** One that is cancelled cannot be moved, and is as good as none (contract 7). */
export async function moveVerified(
  work: Work,
  { appointmentId, newStartTime, newEndTime, ...given }: VerifiedMove,
): Promise<Reply> {
  const held = await lockVerified(work, appointmentId, given);
  if (!held || held.status === 'cancelled') {
    throw unknownCustomer();
  }
  if (held.partOfSeries) {
    return refuseSeries(work, held, 'reschedule');
  }
  await moveForCustomer(work, held, { startTime: newStartTime, endTime: newEndTime });
  return {
    async data(view: Work) {
      const moved = await readCustomerAppointment(view, appointmentId);
      return moved && (await rowTeller(view.now))(moved);
    },
  };
}

/** Looks twice, whoever asks: he may become part of another contact while his appointment is waited for. */
async function lockVerified(work: Work, appointmentId: string, given: Identification) {
  const look = async () => {
    const contactId = await verifiedCustomer(work, given);
    return lockForCustomer(work, { appointmentId, contactId });
  };
  return (await look()) ?? look();
}

const REQUESTED_CHANGES: Readonly<Record<CustomerChange, string>> = {
  cancel: 'cancel',
  reschedule: 'move',
};

/** Only a person can: the admins are told, once for as long as they have not been yet. */
async function refuseSeries(
  work: Work,
  held: CustomerAppointment,
  change: CustomerChange,
): Promise<Reply> {
  const { subAccountId } = work;
  const { label, appointmentTypeName } = (await rowTeller(work.now))(held);
  const [contact] = await work.rows<{ name: string }>(NAME, [subAccountId, held.contactId]);
  const wish = REQUESTED_CHANGES[change];
  const subject = `A customer wants to ${wish} an appointment of a series`;
  const text = [
    `${contact?.name ?? 'A customer'} asked to ${wish} this appointment. It is part of a series, so nothing was changed: please get in touch.`,
    '',
    `${appointmentTypeName ?? 'Appointment'}: ${label} (${held.timezone})`,
    `Appointment id: ${held.id}`,
  ].join('\n');
  const key = `booking/series/${change}/${held.id}`;
  queueNotice(work, { subject, text }, key);
  return { data: null, refusal: customerRefusal('series') };
}

const NAME = `select trim(concat_ws(' ', first_name, last_name)) as name
  from contacts where sub_account_id = $1 and id = $2`;
