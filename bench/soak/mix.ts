import {
  any,
  contacts,
  conversations,
  dayAhead,
  DAY_MS,
  email,
  keep,
  person,
  sessions,
  type Call,
  type Deed,
} from './deed.ts';
import type { Household } from './household.ts';
import { TEAM } from './team.ts';

interface Slot {
  readonly startTime: number;
  readonly endTime: number;
}

/** One contact in this many is a patient, who receives the campaigns; one in so many is a lead. */
const PATIENT_EVERY = 40;
const LEAD_EVERY = 10;

const tagsOf = (n: number): string[] => [
  'soak',
  ...(n % PATIENT_EVERY === 0 ? ['patient'] : []),
  ...(n % LEAD_EVERY === 0 ? ['lead'] : []),
];

/** What bots, visitors and other programs do. */
const BOTS: readonly Deed[] = [
  {
    weight: 20,
    async act(call, _, n) {
      const body = { ...person(n), email: email(n), tags: tagsOf(n) };
      keep(contacts, (await call('POST /api/v1/contacts', body))?.data?.id);
    },
  },
  {
    weight: 22,
    async act(call) {
      const id = any(contacts);
      await call(id ? `GET /api/v1/contacts/${id}` : 'GET /api/v1/contacts?limit=20');
    },
  },
  {
    weight: 5,
    act: async (call) => void (await call('GET /api/v1/contacts?search=soak&limit=10')),
  },
  {
    weight: 6,
    async act(call, _, n) {
      const id = any(contacts);
      await (id && call(`PATCH /api/v1/contacts/${id}`, { company: `Company ${n}` }));
    },
  },
  {
    weight: 8,
    async act(call, _, n) {
      const contactId = any(contacts);
      if (contactId) {
        const opened = await call('POST /api/v1/conversations', { contactId, channel: 'email' });
        keep(conversations, opened?.data?.id);
        const path = `/api/v1/conversations/${opened?.data?.id}/messages`;
        const bodyText = `Hello {{firstName}}, this is ${n}.`;
        await call(`POST ${path}`, { channel: 'email', subject: `Soak ${n}`, bodyText });
        await call(`GET ${path}?limit=10`);
      }
    },
  },
  {
    weight: 6,
    async act(call, { pipelineId, stageIds }, n) {
      const contactId = any(contacts);
      if (contactId) {
        const body = { pipelineId, stageId: stageIds[0], contactId, name: `Deal ${n}`, value: n };
        const made = await call('POST /api/v1/opportunities', body);
        await call(`PUT /api/v1/opportunities/${made?.data?.id}/stage`, { stageId: stageIds[1] });
      }
    },
  },
  {
    weight: 6,
    async act(call, _, n) {
      const body = { title: `Call ${n}`, contactId: any(contacts), dueDate: Date.now() + DAY_MS };
      const made = await call('POST /api/v1/tasks', body);
      await call(`PUT /api/v1/tasks/${made?.data?.id}/complete`);
    },
  },
  {
    weight: 6,
    async act(call, { appointmentTypeId }, n) {
      const ask = `appointmentTypeId=${appointmentTypeId}&date=${dayAhead()}`;
      const offered = await call(`GET /api/v1/calendars/availability?${ask}`);
      const slot = any((offered?.data ?? []) as readonly Slot[]);
      if (slot && n % 2 === 0) {
        const { startTime, endTime } = slot;
        const customer = { ...person(n), email: email(n) };
        const body = { appointmentTypeId, startTime, endTime, ...customer };
        const booked = await call('POST /api/v1/calendars/appointments', body);
        await (booked?.data && call(`DELETE /api/v1/calendars/appointments/${booked.data.id}`));
      }
    },
  },
  {
    weight: 3,
    async act(call, { subAccountId }, n) {
      const visitor = { subAccountId, visitorName: `Visitor ${n}`, visitorEmail: email(n) };
      keep(sessions, (await call('POST /api/chat/session', visitor))?.data?.sessionId);
    },
  },
  {
    weight: 6,
    async act(call, _, n) {
      const sessionId = any(sessions);
      if (sessionId) {
        await call('POST /api/chat/message', { sessionId, message: `Are you there? ${n}` });
        await call(`GET /api/chat/messages?sessionId=${sessionId}`);
      }
    },
  },
  {
    weight: 4,
    async act(call, { formId }, n) {
      const fields = { ...person(n), email: email(n), question: `What does ${n} cost?` };
      await call('POST /api/forms/submit', { formId, fields });
    },
  },
];

const ALL = [...BOTS, ...TEAM].flatMap((deed) => Array.from({ length: deed.weight }, () => deed));

/** Runs one of them, chosen by weight. */
export const someDeed = (call: Call, household: Household, n: number): Promise<void> =>
  (any(ALL) as Deed).act(call, household, n);
