import { DAY_MS, HOUR_MS } from '#lib/duration.ts';
import { dateAfter } from '../../booking/availability/availability.schema.ts';
import { createCampaign } from '../../campaigns/create-campaign.ts';
import { sendCampaign } from '../../campaigns/start-campaign.ts';
import { sessionKey } from '../../chat/chat-session.ts';
import { startSession } from '../../chat/start-session.ts';
import { writeVisitorMessage } from '../../chat/write-visitor-message.ts';
import { createContact } from '../../contacts/create-contact.ts';
import { receiveMessage } from '../../conversations/inbound/receive-message.ts';
import { writeMessage } from '../../conversations/messages/write-message.ts';
import { openConversation } from '../../conversations/threads/open-conversation.ts';
import { createOpportunity } from '../../opportunities/create-opportunity.ts';
import { markOpportunity } from '../../opportunities/set-opportunity-status.ts';
import { completeTask } from '../../tasks/complete-task.ts';
import { createTask } from '../../tasks/create-task.ts';
import { addAppointments, confirmationsWritten } from './demo-appointments.ts';
import { at, dayOf, type Contact, type DemoContext, type Run } from './demo-context.ts';
import { CHATS, DEALS, PEOPLE, TASKS, THREADS } from './demo-records.ts';

/**
 * Fills the demo sub-account: contacts, conversations, appointments of last and next week, deals, tasks and a
 * campaign. The workflow of the manifest starts runs for the contacts that are leads.
 */
export async function loadDemoData(context: DemoContext): Promise<void> {
  const { transact, subAccountId, actor } = context;
  const run: Run = (change) => transact(subAccountId, actor, change);
  const contacts: Contact[] = [];
  for (const [index, person] of PEOPLE.entries()) {
    contacts.push(await addContact(run, context, index, person));
  }
  await addAppointments(run, context, contacts);
  await addDeals(run, context, contacts);
  await addTasks(run, context, contacts);
  await addCampaign(run);
  // Last, so that the inbox begins with customers and not with confirmations.
  await confirmationsWritten(context);
  await addThreads(run, context, contacts);
  await addChats(run, contacts);
}

const PHONE_BASE = 4_930_901_820_000;
const STAGES = ['customer', 'lead', 'repeat', 'qualified', 'customer', 'inactive'] as const;
const TAGS = [['patient'], ['lead'], ['patient', 'recall'], ['lead'], ['patient'], ['patient']];
const RECALL_MONTHS = 6;

async function addContact(
  run: Run,
  { ids, now }: DemoContext,
  index: number,
  [firstName, lastName, company]: (typeof PEOPLE)[number],
): Promise<Contact> {
  const place = index % STAGES.length;
  const email = `${ascii(firstName)}.${ascii(lastName)}@example.com`;
  const phone = `+${PHONE_BASE + index}`;
  const input = {
    firstName,
    lastName,
    email,
    phone,
    company: company ?? null,
    source: ['website', 'recommendation', 'phone'][index % 3] ?? null,
    tags: TAGS[place] ?? [],
    lifecycleStage: STAGES[place] ?? 'lead',
    assignedTo: memberOf(ids, index),
    city: 'Hamburg',
    country: 'DE',
    customFields: {
      insurance: index % 4 === 0 ? 'private' : 'public',
      last_visit: dateAfter(dayOf(now), -20 - index * 9),
      recall_months: RECALL_MONTHS,
    },
  };
  const { id } = await run((work) => createContact(work, input));
  return { id, firstName, lastName, email, phone };
}

/** `Sørensen` becomes `sorensen`. */
const ascii = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '');

const memberOf = ({ team = {} }: DemoContext['ids'], index: number): string | null =>
  Object.values(team)[index % Object.keys(team).length] ?? null;

/** The contact's earlier messages lie in the past; replies and last messages are of now. */
async function addThreads(
  run: Run,
  { now }: DemoContext,
  contacts: readonly Contact[],
): Promise<void> {
  for (const [index, { who, channel, subject, lines }] of THREADS.entries()) {
    const contact = at(contacts, who);
    for (const [line, text] of lines.entries()) {
      if (text.startsWith('> ')) {
        const thread = { contactId: contact.id, channel, ...(subject && { subject }) };
        const { id } = await run((work) => openConversation(work, thread));
        const reply = { channel, bodyText: text.slice(2), ...(subject && { subject }) };
        await run((work) => writeMessage(work, id, reply));
      } else {
        const isLast = line === lines.length - 1;
        const message = {
          externalId: `demo-${index}-${line}`,
          from: channel === 'email' ? contact.email : contact.phone,
          bodyText: text,
          ...(!isLast && { timestamp: now.getTime() - (index + 2) * HOUR_MS }),
          ...(subject && { subject }),
        };
        await run((work) => receiveMessage(work, channel, message));
      }
    }
  }
}

async function addChats(run: Run, contacts: readonly Contact[]): Promise<void> {
  for (const [who, text] of CHATS) {
    const { firstName, lastName, email } = at(contacts, who);
    const visitor = { visitorName: `${firstName} ${lastName}`, visitorEmail: email };
    const { sessionId } = await run((work) =>
      startSession(work, { ...visitor, subAccountId: work.subAccountId }),
    );
    await run((work) =>
      writeVisitorMessage(work, sessionKey(sessionId), { message: text }, String),
    );
  }
}

const CLOSES_WITHIN_DAYS = 20;

async function addDeals(
  run: Run,
  { ids, now }: DemoContext,
  contacts: readonly Contact[],
): Promise<void> {
  for (const [index, [name, value, stage, end]] of DEALS.entries()) {
    const input = {
      name,
      value,
      pipelineId: ids['pipelines']?.['sales'] ?? '',
      stageId: ids['stages']?.[`sales/${stage}`] ?? '',
      contactId: at(contacts, index * 3).id,
      assignedTo: memberOf(ids, index),
      expectedCloseDate: now.getTime() + (CLOSES_WITHIN_DAYS + index) * DAY_MS,
    };
    const { id } = await run((work) => createOpportunity(work, input));
    if (end) {
      const lostReason = end === 'lost' ? { lostReason: 'Too expensive' } : {};
      await run((work) => markOpportunity(work, id, { status: end, ...lostReason }));
    }
  }
}

const COMPLETED = 2;

async function addTasks(
  run: Run,
  { ids, now }: DemoContext,
  contacts: readonly Contact[],
): Promise<void> {
  for (const [index, [title, days, priority]] of TASKS.entries()) {
    const input = {
      title,
      priority,
      dueDate: now.getTime() + days * DAY_MS + 2 * HOUR_MS,
      contactId: at(contacts, index * 4).id,
      assignedTo: memberOf(ids, index),
    };
    const { id } = await run((work) => createTask(work, input));
    if (index >= TASKS.length - COMPLETED) {
      await run((work) => completeTask(work, id));
    }
  }
}

/** The worker captures its mails, as everything that a sandbox sends. */
async function addCampaign(run: Run): Promise<void> {
  const id = await run((work) =>
    createCampaign(work, {
      name: 'Winter opening hours',
      subject: 'Open until the 23rd, {{firstName}}',
      preheader: 'And back on 2 January',
      contentHtml:
        '<p>Dear {{firstName}},</p><p>the practice is open until 23 December and from 2 January. ' +
        '<a href="{{custom_values.booking_link}}">Book your check-up</a> before the holidays.</p>',
      layout: 'Newsletter',
    }),
  );
  await run((work) => sendCampaign(work, id));
}
