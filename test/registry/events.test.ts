import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { issuesOf } from '#core/schema/check.ts';
import type { EventType } from '#core/event.ts';
import { exampleOf } from '#core/schema/example.ts';
import { events, webhookEventNames } from '#registry/events.ts';

/** The specification's catalog: names in its order, with the fields beyond the common ones. */
const CATALOG = {
  'contact.created': 'firstName lastName email phone company source tags lifecycleStage',
  'contact.updated': 'firstName lastName email phone company lifecycleStage',
  'contact.lifecycle_changed': 'newStage previousStage',
  'contact.tag_added': 'tagName',
  'message.received':
    'messageId conversationId channel bodyText fromAddress direction attachments visitorVerified',
  'message.sent': 'messageId conversationId channel status externalId',
  'message.delivered': 'messageId conversationId channel status externalId',
  'message.failed': 'messageId conversationId channel status externalId',
  'appointment.booked':
    'appointmentId calendarId appointmentTypeId appointmentTitle startTime endTime status',
  'appointment.cancelled': 'appointmentId status',
  'appointment.rescheduled': 'appointmentId startTime endTime status',
  'appointment.confirmed': 'appointmentId status',
  'appointment.completed': 'appointmentId status',
  'appointment.no_show': 'appointmentId status',
  'opportunity.created': 'opportunityId pipelineId stageId title value',
  // The contract adds `status` for readers of PUT status.
  'opportunity.updated': 'opportunityId pipelineId name value changedFields status',
  'opportunity.stage_changed': 'opportunityId pipelineId fromStageId toStageId title',
  'opportunity.won': 'opportunityId pipelineId title value',
  'opportunity.lost': 'opportunityId pipelineId title value lostReason',
  'opportunity.deleted': 'opportunityId pipelineId name',
  'form.submitted': 'formId submissionId formName fields',
  'invoice.paid': 'invoiceId amount currency paidAt',
  'task.created': 'taskId title status priority dueDate assignedTo',
  'task.updated': 'taskId title status priority changedFields',
  'task.completed': 'taskId title status priority completedAt',
  'task.deleted': 'taskId title status priority',
};

/** The types of fields in the specification that are not text. */
const TYPES: Readonly<Record<string, string>> = {
  // The example is an SMS.
  visitorVerified: 'null',
  startTime: 'number',
  endTime: 'number',
  dueDate: 'number',
  completedAt: 'number',
  value: 'number',
  amount: 'number',
  tags: 'array',
  attachments: 'array',
  changedFields: 'array',
  fields: 'object',
};

const ROOT = resolve(import.meta.dirname, '../..');

const declaredIn = async (file: string): Promise<EventType[]> => {
  const module = (await import(pathToFileURL(resolve(ROOT, file)).href)) as object;
  return Object.values(module) as EventType[];
};

const jsonTypeOf = (value: unknown): string => {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'array' : typeof value;
};
const wantedTypeOf = (field: string): string => TYPES[field] ?? 'string';

describe('the events a subscriber may choose', () => {
  test('are the 26 of the specification, in its order', () => {
    expect(webhookEventNames).toEqual(Object.keys(CATALOG));
    expect(webhookEventNames).toHaveLength(26);
  });

  test('are each declared once', () => {
    expect(new Set(webhookEventNames).size).toBe(webhookEventNames.length);
    expect(new Set(events).size).toBe(events.length);
  });

  test('are exactly the webhook events that the slices declare', async () => {
    const files = globSync('src/**/*.events.ts', { cwd: ROOT });
    const declared = (await Promise.all(files.map(declaredIn))).flat();
    expect(files.length).toBeGreaterThanOrEqual(7);
    expect(new Set(declared.filter(({ webhook }) => webhook))).toEqual(new Set(events));
    expect(events.every(({ webhook }) => webhook)).toBe(true);
    expect(declared.length).toBeGreaterThan(events.length);
  });
});

describe.for(events.map((event) => [event.name, event] as const))('%s', ([name, event]) => {
  const fields = (CATALOG[name as keyof typeof CATALOG] ?? '').split(' ');
  const example = exampleOf(event.data) as Record<string, unknown>;

  test('says when it fires, as the end of a sentence', () => {
    expect(event.summary).toMatch(/^[a-z].*[^.]$/);
  });

  test('carries exactly the fields of the specification, each always', () => {
    expect(Object.keys(event.data.properties).sort()).toEqual(fields.toSorted());
    expect([...(event.data.required as string[])].sort()).toEqual(fields.toSorted());
  });

  test('has an example that is valid for its schema and the types of the specification', () => {
    expect(issuesOf(event.data, structuredClone(example))).toEqual([]);
    expect(Object.entries(example).map(([key, value]) => [key, jsonTypeOf(value)])).toEqual(
      Object.keys(example).map((key) => [key, wantedTypeOf(key)]),
    );
  });

  test('refuses a payload that lacks one of them', () => {
    for (const field of fields) {
      const { [field]: _, ...rest } = example;
      expect(issuesOf(event.data, rest)).toEqual([{ path: `/${field}`, message: 'is required' }]);
    }
  });
});

/** Fields that may be null; names, the record's own id and status never are. */
const NULLABLE = {
  'message.received': 'bodyText fromAddress visitorVerified',
  'message.sent': 'externalId',
  'message.delivered': 'externalId',
  'message.failed': 'externalId',
  'appointment.booked': 'appointmentTypeId appointmentTitle',
  'opportunity.created': 'value',
  'opportunity.updated': 'value',
  'opportunity.won': 'value',
  'opportunity.lost': 'value lostReason',
  'task.created': 'dueDate assignedTo',
};

test('a field is null only if the data was not set', () => {
  const nullableOf = ({ data }: EventType) =>
    Object.keys(data.properties).filter(
      (field) => issuesOf(data, { ...(exampleOf(data) as object), [field]: null }).length === 0,
    );
  const found = events
    .filter(({ name }) => !name.startsWith('contact.'))
    .map((event) => [event.name, nullableOf(event).join(' ')])
    .filter(([, fields]) => fields !== '');
  expect(Object.fromEntries(found)).toEqual(NULLABLE);
});
