import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Job } from '#core/job-type.ts';
import { keyOf } from '#core/job.ts';
import { jobHandlers } from '#registry/job-handlers.ts';
import { schedule } from '#registry/schedule.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const isJob = (value: unknown): value is Job =>
  typeof value === 'object' && value !== null && 'payload' in value && 'maxAttempts' in value;

/** The worker keeps one handler per name: a second one would silently replace the first. */
test('every declared job has exactly one handler', async () => {
  const files = globSync('src/**/*.jobs.ts', { cwd: ROOT });
  const modules: Readonly<Record<string, unknown>>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(resolve(ROOT, file)).href)),
  );
  const declared = modules.flatMap((module) => Object.values(module).filter(isJob));
  const names = jobHandlers.map(({ job }) => job.name);
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.filter(({ name }) => !names.includes(name))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const properties = {
  subAccountId: 'sub',
  subscriptionId: 'subscription',
  runId: 'run',
  appointmentId: 'appointment',
  before: 60,
  channel: 'sms',
  calendarId: 'calendar',
  memberId: 'member',
  messageId: 'message',
  fileId: 'file',
  taskId: 'task',
  userId: 'user',
  approvalId: 'approval',
};

/** SQL builds some of these keys too, and queued jobs keep theirs during an upgrade. */
test('the key of a job is its name and the values that identify its work', () => {
  const keyed = jobHandlers.map(({ job }) => job).filter(({ keyFrom }) => keyFrom);
  expect(keyed.map((job) => keyOf(job, properties)).toSorted()).toEqual([
    'accounts/mail-invitation:sub:user',
    'accounts/notify-admins:sub',
    'agents/run-approval:approval',
    'booking/confirm:appointment',
    'booking/hold:appointment',
    'booking/offer-waiting:sub',
    'booking/plan-reminders:calendar',
    'booking/remind:appointment:60:sms',
    'calendars/ask-external:member',
    'campaigns/mail:sub',
    'conversations/ask-underway:sub',
    'conversations/fetch-file:file',
    'conversations/send-message:message',
    'privacy/erase-again:sub',
    'privacy/erase-mentions:sub:run',
    'tasks/remind:task',
    'webhooks/close-deliveries:subscription',
    'webhooks/deliver:subscription',
    'workflows/advance:sub:run',
    'workflows/read-events:sub',
  ]);
  expect(keyOf(keyed.find(({ name }) => name === 'campaigns/mail') as Job, properties, '1')).toBe(
    'campaigns/mail:sub:1',
  );
});

test('a key is made of properties that its payload requires, and periodic jobs have none', () => {
  const required = (job: Job): readonly string[] => job.payload.required ?? [];
  const jobs = jobHandlers.map(({ job }) => job);
  const optional = jobs.filter((job) => job.keyFrom?.some((name) => !required(job).includes(name)));
  expect(optional.map(({ name }) => name)).toEqual([]);
  expect(schedule.filter(({ job }) => job.keyFrom)).toEqual([]);
  expect(() => keyOf(schedule[0]?.job as Job, properties)).toThrow('has no keys');
});
