// A booking bot: books the next free slot, moves and cancels it.
//   node bot.ts book ada@example.com Ada Lovelace
//   node bot.ts move ada@example.com Lovelace
//   node bot.ts cancel ada@example.com Lovelace
import { createClient, FrontdeskError, type Slot } from '@frontdesk/client';

const TYPE = process.env.APPOINTMENT_TYPE ?? 'check-up';
const DAY_MS = 86_400_000;

const frontdesk = createClient({
  baseUrl: process.env.FRONTDESK_URL ?? 'http://localhost:8080',
  apiKey: process.env.FRONTDESK_API_KEY ?? '',
});

/** Returns the free slots of the next two weeks, and the type that they belong to. */
async function freeSlots() {
  const dayOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return frontdesk.calendars.availability({
    appointmentType: TYPE,
    date: dayOf(1),
    endDate: dayOf(14),
  });
}

/** Tries the slots in order: another customer may take one between the question and the booking. */
async function firstThatIsFree<T>(slots: Slot[], take: (slot: Slot) => Promise<T>): Promise<T> {
  for (const slot of slots) {
    try {
      return await take(slot);
    } catch (error) {
      if (!(error instanceof FrontdeskError) || error.details?.['reason'] !== 'slot_unavailable') {
        throw error;
      }
    }
  }
  throw new Error(`There is no free time for ${TYPE} in the next two weeks.`);
}

async function book(email: string, firstName: string, lastName: string) {
  const { data, meta } = await freeSlots();
  const label = await firstThatIsFree(data, async ({ startTime, endTime, label }) => {
    // Send the times exactly as availability returned them.
    await frontdesk.appointments.create({
      appointmentTypeId: meta.appointmentTypeId ?? '',
      startTime,
      endTime,
      firstName,
      lastName,
      email,
    });
    return label;
  });
  console.log(`Booked: ${label}`);
}

/** The customer proves who they are by two facts; the API finds the appointment that they mean. */
async function appointmentOf(customer: { email: string; lastName: string }) {
  const { data } = await frontdesk.booking.actionable(customer);
  if (data.appointment) {
    return data.appointment;
  }
  const { data: all } = await frontdesk.booking.history(customer);
  const open = all.filter(({ canCancel, canReschedule }) => canCancel || canReschedule);
  const labels = open.map(({ label }) => label).join('; ');
  throw new Error(
    labels ? `Which one do you mean: ${labels}?` : 'You have no upcoming appointment.',
  );
}

async function move(email: string, lastName: string) {
  const { appointmentId } = await appointmentOf({ email, lastName });
  const { data } = await freeSlots();
  const label = await firstThatIsFree(data, async ({ startTime, endTime, label }) => {
    await frontdesk.booking.reschedule({
      email,
      lastName,
      appointmentId,
      newStartTime: startTime,
      newEndTime: endTime,
    });
    return label;
  });
  console.log(`Moved: ${label}`);
}

async function cancel(email: string, lastName: string) {
  const { appointmentId } = await appointmentOf({ email, lastName });
  // `confirm` keeps a bot from cancelling before the customer has said yes.
  await frontdesk.booking.cancel({ email, lastName, appointmentId, confirm: true });
  console.log('Cancelled');
}

/** Says why a call was refused, so that the bot can go on with the conversation. */
function explain(error: unknown): string {
  if (!(error instanceof FrontdeskError)) {
    return error instanceof Error ? error.message : String(error);
  }
  // The same response for a wrong email or name, an unknown customer, and one without appointments.
  // The email must have the case with which it was stored.
  if (error.status === 404) {
    return 'I cannot find an appointment for these details. Please check the email and the last name.';
  }
  switch (error.details?.['reason']) {
    case 'too_late':
    case 'started':
    case 'reschedule_not_allowed':
    case 'series':
      return `This cannot be changed here: ${error.message}. I will ask the team to help you.`;
    default:
      return `${error.code}: ${error.message} (request ${error.requestId ?? 'unknown'})`;
  }
}

const [command, email = '', ...names] = process.argv.slice(2);
const [first = '', last = ''] = names;
const commands: Record<string, () => Promise<void>> = {
  book: () => book(email, first, last),
  move: () => move(email, first),
  cancel: () => cancel(email, first),
};
const run = commands[command ?? ''];
if (run) {
  await run().catch((error: unknown) => {
    console.error(explain(error));
    process.exitCode = 1;
  });
} else {
  console.error('Usage: node bot.ts book EMAIL FIRST LAST | move EMAIL LAST | cancel EMAIL LAST');
  process.exitCode = 2;
}
