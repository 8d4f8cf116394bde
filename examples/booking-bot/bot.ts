// A booking bot: books the next free slot, moves and cancels it.
//   node bot.ts book ada@example.com Ada Lovelace
//   node bot.ts move ada@example.com Lovelace
//   node bot.ts cancel ada@example.com Lovelace
// Instead of the email, a phone (+442079460018) or the id of a contact, which needs no names.
import { createClient, FrontdeskError } from '@frontdesk/client';

const TYPE = process.env.APPOINTMENT_TYPE ?? 'check-up';
const DAY_MS = 86_400_000;
const TRIES = 5;

const frontdesk = createClient({
  baseUrl: process.env.FRONTDESK_URL ?? 'http://localhost:8080',
  apiKey: process.env.FRONTDESK_API_KEY ?? '',
});

type Customer = { email: string } | { phone: string } | { contactId: string };

/**
 * An email or a phone is what the customer gives. An id comes from your own records or from the
 * event `message.received`: never accept it from the customer.
 */
function customerOf(text: string): Customer {
  if (text.includes('@')) {
    return { email: text };
  }
  return text.startsWith('+') ? { phone: text } : { contactId: text };
}

/** An id identifies the customer alone, an email or a phone only together with the last name. */
const identificationOf = (customer: Customer, lastName: string) =>
  'contactId' in customer ? customer : { ...customer, lastName };

/** Returns the free slots of the next two weeks, and the type that they belong to. */
async function freeSlots() {
  const dayOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return frontdesk.calendars.availability({
    appointmentType: TYPE,
    date: dayOf(1),
    endDate: dayOf(14),
  });
}

interface Times {
  startTime: number;
  endTime: number;
}

/**
 * Takes the first time. If another customer took it in the meantime, the refusal names the next free
 * ones. A bot in a conversation offers those to the customer instead of taking the first.
 */
async function takeFirst(first: Times | undefined, take: (times: Times) => Promise<unknown>) {
  let times = first;
  for (let tries = 1; times; tries += 1) {
    try {
      await take(times);
      return times.startTime;
    } catch (error) {
      const alternatives = alternativesIn(error);
      if (!alternatives || tries === TRIES) {
        throw error;
      }
      [times] = alternatives;
    }
  }
  throw new Error(`There is no free time for ${TYPE}.`);
}

/** Returns the free times that a refusal of a time offers; undefined for other errors. */
const alternativesIn = (error: unknown): Times[] | undefined =>
  error instanceof FrontdeskError
    ? (error.details?.['alternatives'] as Times[] | undefined)
    : undefined;

const labelOf = (time: number, timeZone: string): string =>
  new Date(time).toLocaleString('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' });

async function book(customer: Customer, firstName: string, lastName: string) {
  const { data, meta } = await freeSlots();
  const details = 'contactId' in customer ? customer : { ...customer, firstName, lastName };
  const start = await takeFirst(data[0], ({ startTime, endTime }) =>
    // Send the times exactly as availability returned them.
    frontdesk.appointments.create({
      appointmentTypeId: meta.appointmentTypeId ?? '',
      startTime,
      endTime,
      ...details,
    }),
  );
  console.log(`Booked: ${labelOf(start, meta.timezone)}`);
}

/** The customer proves who they are by two facts; the API finds the appointment that they mean. */
async function appointmentOf(customer: ReturnType<typeof identificationOf>) {
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

async function move(customer: Customer, lastName: string) {
  const identification = identificationOf(customer, lastName);
  const { appointmentId } = await appointmentOf(identification);
  const { data, meta } = await freeSlots();
  const start = await takeFirst(data[0], ({ startTime, endTime }) =>
    frontdesk.booking.reschedule({
      ...identification,
      appointmentId,
      newStartTime: startTime,
      newEndTime: endTime,
    }),
  );
  console.log(`Moved: ${labelOf(start, meta.timezone)}`);
}

async function cancel(customer: Customer, lastName: string) {
  const identification = identificationOf(customer, lastName);
  const { appointmentId } = await appointmentOf(identification);
  // `confirm` keeps a bot from cancelling before the customer has said yes.
  await frontdesk.booking.cancel({ ...identification, appointmentId, confirm: true });
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
    return 'I cannot find an appointment for these details. Please check the email or phone, and the last name.';
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

const [command, text = '', ...names] = process.argv.slice(2);
const [first = '', last = ''] = names;
const commands: Record<string, () => Promise<void>> = {
  book: () => book(customerOf(text), first, last),
  move: () => move(customerOf(text), first),
  cancel: () => cancel(customerOf(text), first),
};
const run = commands[command ?? ''];
if (run) {
  await run().catch((error: unknown) => {
    console.error(explain(error));
    process.exitCode = 1;
  });
} else {
  console.error(
    'Usage: node bot.ts book CUSTOMER FIRST LAST | move CUSTOMER LAST | cancel CUSTOMER LAST',
  );
  process.exitCode = 2;
}
