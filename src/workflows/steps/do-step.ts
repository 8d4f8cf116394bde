import { queueNotice } from '../../accounts/team/team.jobs.ts';
import { parseDuration } from '#lib/duration.ts';
import { mergedSubject, mergedText } from '#lib/merge-fields.ts';
import type { Work } from '#core/work.ts';
import { botUpdateContact } from '../../contacts/bot-update-contact.ts';
import type { Contact } from '../../contacts/contact.entity.ts';
import { updateContact } from '../../contacts/update-contact.ts';
import { createTask } from '../../tasks/create-task.ts';
import { type LockedRun, refusal, type Done, type Run } from '../runs/run.store.ts';
import { CUSTOM } from '../definition/validate-workflow.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { checkNotify, checkSend, OPTED_OUT } from './check-send.ts';
import { runValues, valuesOf } from './merge-values.ts';
import { openConversation } from '../../conversations/threads/open-conversation.ts';
import { writeMessage } from '../../conversations/messages/write-message.ts';
import { contactCreated } from '../../contacts/contact.events.ts';
import { messageReceived } from '../../conversations/messages/message.events.ts';
import { createOpportunity } from '../../opportunities/create-opportunity.ts';
import { moveOpportunity } from '../../opportunities/move-opportunity.ts';

const DONE: Done = { outcome: 'done' };

/** Performs the action of a step. Throws a Fault if the use case refuses it. */
export async function doStep(work: Work, locked: LockedRun, step: Step): Promise<Done> {
  if (step.notify) {
    return notify(work, locked, step.notify);
  }
  if (step.createTask) {
    return addTask(work, locked, step.createTask);
  }
  if (!locked.contact) {
    throw refusal('the run has no contact');
  }
  return doForContact(work, locked, locked.contact, step);
}

async function doForContact(
  work: Work,
  locked: LockedRun,
  contact: Contact,
  { send: message, addTag, removeTag, setField: change, assign, ...step }: Step,
): Promise<Done> {
  if (message) {
    return send(work, locked, contact, message);
  }
  if (addTag !== undefined) {
    await botUpdateContact(work, contact.id, { operation: 'add_tag', value: addTag });
    return { ...DONE, detail: addTag };
  }
  if (removeTag !== undefined) {
    await botUpdateContact(work, contact.id, { operation: 'remove_tag', value: removeTag });
    return { ...DONE, detail: removeTag };
  }
  if (change) {
    return setField(work, contact, change);
  }
  if (assign !== undefined) {
    await updateContact(work, contact.id, { assignedTo: await memberId(work, assign) });
    return { ...DONE, detail: assign };
  }
  if (step.createOpportunity) {
    return createDeal(work, locked, step.createOpportunity);
  }
  if (step.moveStage) {
    return moveDeal(work, contact.id, step.moveStage);
  }
  throw new Error('the step has no action');
}

async function setField(
  work: Work,
  { id }: Contact,
  { field, value }: NonNullable<Step['setField']>,
): Promise<Done> {
  const isCustom = field.startsWith(CUSTOM);
  await botUpdateContact(work, id, {
    operation: isCustom ? 'set_custom_field' : 'set_field',
    field: isCustom ? field.slice(CUSTOM.length) : field,
    value: value ?? '',
  });
  return { ...DONE, detail: `${field} = ${value ?? 'nothing'}` };
}

async function notify(
  work: Work,
  locked: LockedRun,
  { subject, body }: NonNullable<Step['notify']>,
): Promise<Done> {
  const { contactId } = locked.run;
  const unsent = contactId === null ? undefined : await checkNotify(work, contactId);
  if (unsent) {
    throw refusal(unsent.detail);
  }
  const values = await valuesOf(work, locked);
  queueNotice(work, {
    subject: mergedSubject(subject, values),
    text: mergedText(body, values),
    ...(contactId !== null && { contactId }),
  });
  return DONE;
}

const TITLE_MAX = 500;

async function addTask(
  work: Work,
  locked: LockedRun,
  { title, description, priority, dueIn, assign }: NonNullable<Step['createTask']>,
): Promise<Done> {
  const values = await valuesOf(work, locked);
  const { id } = await createTask(work, {
    title: mergedSubject(title, values).slice(0, TITLE_MAX).trim() || 'Task',
    contactId: locked.run.contactId,
    ...(description !== undefined && { description: mergedText(description, values) }),
    ...(priority && { priority }),
    ...(dueIn && { dueDate: work.now.getTime() + (parseDuration(dueIn) ?? 0) }),
    ...(assign !== undefined && { assignedTo: await memberId(work, assign) }),
  });
  return { ...DONE, detail: id };
}

async function memberId(work: Work, key: string): Promise<string> {
  const [member] = await work.rows<{ id: string }>(MEMBER, [work.subAccountId, key]);
  if (!member) {
    throw refusal(`the team member ${key} was removed`);
  }
  return member.id;
}

const MEMBER = `select id from team_members where sub_account_id = $1 and key = $2`;

/**
 * Writes a message into the contact's conversation of the channel; a job sends it. A skipped message
 * opens no conversation.
 */
async function send(
  work: Work,
  { run }: LockedRun,
  { id: contactId }: Contact,
  { channel, subject, body: bodyText }: NonNullable<Step['send']>,
): Promise<Done> {
  const unsent = await checkSend(work, contactId, channel);
  if (unsent?.outcome === 'failed') {
    throw refusal(unsent.detail);
  }
  if (unsent) {
    return unsent;
  }
  const { id } = await openConversation(work, { contactId, channel });
  const message = { channel, bodyText, ...(subject !== undefined && { subject }) };
  const written = await writeMessage(work, id, message, {
    values: runValues(run),
    isAutomatic: true,
    isAutoReply: await isReply(work, run, contactId),
  });
  // The contact may opt out between the two checks.
  return 'skipped' in written
    ? { outcome: 'skipped', detail: OPTED_OUT }
    : { outcome: 'done', detail: written.id, sent: written.id };
}

/** Whether an inbound message started the chain of the run, also by creating its contact. */
const isReply = async (work: Work, { origin }: Run, contactId: string): Promise<boolean> =>
  origin === messageReceived.name ||
  (origin === contactCreated.name &&
    (await work.rows(WROTE_FIRST, [work.subAccountId, contactId])).length > 0);

/** The contact of a new sender is created together with its conversation. */
const WROTE_FIRST = `select from contacts c
  join conversations v on v.sub_account_id = $1 and v.contact_id = c.id
  join messages m on m.sub_account_id = $1 and m.conversation_id = v.id
  where c.sub_account_id = $1 and c.id = $2 and v.created_at = c.created_at
    and v.channel in ('email', 'gmail') and m.direction = 'inbound'
  limit 1`;

const NAME_MAX = 255;

async function createDeal(
  work: Work,
  locked: LockedRun,
  { pipeline, stage, name, value }: NonNullable<Step['createOpportunity']>,
): Promise<Done> {
  const { pipelineId, stageId } = await findStage(work, pipeline, stage);
  const merged = mergedSubject(name, await valuesOf(work, locked));
  const { id } = await createOpportunity(work, {
    name: merged.slice(0, NAME_MAX).trim() || pipeline,
    pipelineId,
    contactId: locked.run.contactId ?? '',
    ...(stageId !== null && { stageId }),
    ...(value !== undefined && { value }),
  });
  return { outcome: 'done', detail: id };
}

/** Moves the contact's latest open opportunity of the pipeline. */
async function moveDeal(
  work: Work,
  contactId: string,
  { pipeline, stage }: NonNullable<Step['moveStage']>,
): Promise<Done> {
  const { pipelineId, stageId } = await findStage(work, pipeline, stage);
  const [deal] = await work.rows<{ id: string }>(LATEST, [
    work.subAccountId,
    contactId,
    pipelineId,
  ]);
  if (!deal || stageId === null) {
    throw refusal(`the contact has no open opportunity in the pipeline ${pipeline}`);
  }
  await moveOpportunity(work, deal.id, stageId);
  return { outcome: 'done', detail: deal.id };
}

const LATEST = `select id from opportunities
  where sub_account_id = $1 and contact_id = $2 and pipeline_id = $3 and status = 'open'
    and deleted_at is null
  order by id desc limit 1`;

interface DealsRow {
  readonly pipelineId: string;
  readonly stageId: string | null;
}

async function findStage(
  work: Work,
  pipeline: string,
  stage: string | undefined,
): Promise<DealsRow> {
  const [found] = await work.rows<DealsRow>(FIND, [work.subAccountId, pipeline, stage ?? null]);
  if (!found) {
    throw refusal(`the pipeline ${pipeline} was removed`);
  }
  if (stage !== undefined && found.stageId === null) {
    throw refusal(`the stage ${stage} of the pipeline ${pipeline} was removed`);
  }
  return found;
}

const FIND = `select p.id as "pipelineId", s.id as "stageId"
  from pipelines p
  left join pipeline_stages s
    on s.sub_account_id = p.sub_account_id and s.pipeline_id = p.id and s.key = $3
  where p.sub_account_id = $1 and p.key = $2`;
