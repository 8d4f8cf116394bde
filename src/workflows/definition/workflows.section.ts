import { isDeepStrictEqual } from 'node:util';
import { Type, type Static } from 'typebox';
import type { EventType } from '#core/event.ts';
import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import { shortText, request } from '#core/schema/schema.ts';
import { defineSection, key, type SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { cancelRunsOfWorkflow } from '../runs/cancel-runs.ts';
import { JUST_ACTIVATED, lockReader, updateListeners } from '../triggers/listeners.ts';
import { everyStep, goalsOf } from './places.ts';
import {
  withStoredHeaders,
  hasSealedHeaders,
  withOpenedHeaders,
  withSealedHeaders,
} from './http-headers.ts';
import { loopCautions } from './loop-cautions.ts';
import { issuesIn } from './validate-workflow.ts';
import { stepCautions, textCautions, whereCautions } from './workflow-cautions.ts';
import {
  INBOUND,
  stepList,
  where,
  type FormerTriggers,
  type Step,
  type Trigger,
  type WorkflowEntry,
} from './workflow.schema.ts';

const TRIGGERS_MAX = 50;

const trigger = request({
  on: shortText({ description: `\`${INBOUND}\`, or the name of an event.` }),
  where: Type.Optional(where),
  createContact: Type.Optional(
    Type.Boolean({
      description: 'For `inbound_webhook`: false refuses calls with an unknown email.',
    }),
  ),
});

const schema = request({
  slug: key({
    description: 'Part of its URLs: `/webhooks/workflow/{slug}` and `/webhooks/event/{slug}`.',
  }),
  name: shortText({ description: 'The display name.' }),
  active: Type.Optional(
    Type.Boolean({ default: true, description: 'An inactive workflow starts no runs.' }),
  ),
  reenter: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether a contact may have several unfinished runs at once.',
    }),
  ),
  createContact: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether a call with an unknown email creates a contact.',
    }),
  ),
  triggers: Type.Optional(
    Type.Array(trigger, {
      maxItems: TRIGGERS_MAX,
      description: 'Each trigger starts runs independently of the others.',
    }),
  ),
  steps: Type.Optional(
    Type.Unsafe<readonly Step[]>({
      ...stepList,
      description: 'The steps of a run, in order. A run keeps the steps that it started with.',
    }),
  ),
});

interface Row {
  readonly id: string;
  value: WorkflowEntry;
  /** Whether headers are stored that cannot be decrypted because the secret key is not set. */
  readonly isSealed: boolean;
}

export const workflowsSection = (events: readonly EventType[]) =>
  defineSection({
    name: 'workflows',
    summary: 'Automations: triggers and the steps of a run.',
    match: 'slug',
    schema,
    secrets: HEADERS_PATH,
    freeJson: FREE_PATH,
    environment: {
      path: HEADER_PATH,
      destination: /\/http\/url$/,
      label: "headers of a workflow's http step",
    },
    check: (given) => issuesIn(given as Partial<WorkflowEntry>, namesOf(events)),
    references: ({ steps = [] }) => referencesIn(steps),
    complete: ({ steps, ...given }, stored: WorkflowEntry | undefined): WorkflowEntry => ({
      active: true,
      reenter: false,
      createContact: true,
      triggers: stored?.triggers ?? [],
      ...(given as Omit<Static<typeof schema>, 'steps'> & { triggers?: readonly Trigger[] }),
      steps: steps ? withStoredHeaders(steps, stored?.steps ?? []) : (stored?.steps ?? []),
    }),
    cautions: (stored, wanted) =>
      stored.active && !wanted.active
        ? [`${wanted.slug} becomes inactive and starts no more runs`]
        : [],
    cautionsAbroad: async (work, wanted) => [
      ...(wanted.active && (await isShared(work, wanted.slug)) ? [`${wanted.slug} ${SHARED}`] : []),
      ...whereCautions(wanted, events),
      ...loopCautions(wanted),
      ...(await stepCautions(work, wanted)),
      ...textCautions(wanted, events),
    ],
    load,
    valueOf: ({ value }: Row): WorkflowEntry => value,
    idOf: ({ id }) => id,
    async create(work, wanted, _key, _idOf, tools) {
      const id = newId(work.now);
      await work.rows(INSERT, [work.subAccountId, id, ...columnsOf(wanted), work.now]);
      await addVersion(work, id, withSealedHeaders(wanted.steps, id, tools));
      return { id, value: wanted, isSealed: false };
    },
    async update(work, row, wanted, _idOf, tools) {
      const { subAccountId, now } = work;
      const values = [...columnsOf(wanted), now, ...listeningOf(row.value, wanted)];
      await work.rows(UPDATE, [subAccountId, row.id, ...values]);
      if (!isDeepStrictEqual(row.value.steps, wanted.steps)) {
        refuseSealed(row);
        await addVersion(work, row.id, withSealedHeaders(wanted.steps, row.id, tools));
      }
      row.value = wanted;
    },
    remove: removeWorkflow,
    finish: updateListeners,
  });

const namesOf = (events: readonly EventType[]): readonly string[] => events.map(({ name }) => name);

const STEP = String.raw`^/steps/\d+(?:/(?:then|else)/\d+)*`;
/** The body of an http step is free JSON: a field `headers` within it is not a credential. */
const HEADERS_PATH = new RegExp(`${STEP}/http/headers$`);
const HEADER_PATH = new RegExp(`${STEP}/http/headers/[^/]+$`);
/** A field is set to null to clear it. */
const FREE_PATH = new RegExp(`${STEP}/(?:http/body|setField/value)$`);

/** Throws if stored headers would have to be decrypted without the secret key. */
function refuseSealed({ isSealed }: Row): void {
  if (isSealed) {
    throw new Fault(
      'VALIDATION_ERROR',
      'workflows: the steps have encrypted headers: set FRONTDESK_SECRET_KEY to change them',
    );
  }
}

const SHARED =
  'is also the slug of an active workflow of another sub-account: calls of both return 404';

async function isShared(work: Work, slug: string): Promise<boolean> {
  const found = await work.rows(OTHERS, [work.subAccountId, slug]);
  return found.length > 0;
}

const OTHERS = `select w.id from workflows w
  join sub_accounts s on s.id = w.sub_account_id and s.deleted_at is null
  where w.sub_account_id <> $1 and w.slug = $2 and w.active and w.deleted_at is null limit 1`;

const load = async ({ rows, subAccountId }: Work, tools: SectionTools): Promise<Row[]> => {
  const found = await rows<WorkflowEntry & { readonly id: string }>(LOAD, [subAccountId]);
  return found.map(({ id, steps, ...value }) => ({
    id,
    value: { ...value, steps: withOpenedHeaders(steps, id, tools) },
    isSealed: !tools.secrets && hasSealedHeaders(steps),
  }));
};

const LOAD = `select w.id, w.slug, w.name, w.active, w.reenter,
    w.create_contact as "createContact", w.triggers, v.steps
  from workflows w
  cross join lateral (
    select steps from workflow_versions v
    where v.sub_account_id = $1 and v.workflow_id = w.id order by v.id desc limit 1
  ) v
  where w.sub_account_id = $1 and w.deleted_at is null order by w.id`;

const columnsOf = ({ slug, name, active, reenter, createContact, triggers }: WorkflowEntry) => [
  slug,
  name,
  active,
  reenter,
  createContact,
  JSON.stringify(triggers),
  [...new Set(triggers.map(({ on }) => on))],
];

/** Returns whether a workflow is activated, whether it goes on listening, and the triggers that it loses. */
function listeningOf({ active, triggers }: WorkflowEntry, wanted: WorkflowEntry) {
  const isListening = active && wanted.active;
  const isChanged = isListening && !isDeepStrictEqual(triggers, wanted.triggers);
  const former: readonly FormerTriggers[] = isChanged ? [{ until: null, triggers }] : [];
  return [wanted.active && !active, isListening, JSON.stringify(former)];
}

const INSERT = `insert into workflows (sub_account_id, id, slug, name, active, reenter,
    create_contact, triggers, listens_to, since_position, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${JUST_ACTIVATED}, $10, $10)`;

const UPDATE = `update workflows set slug = $3, name = $4, active = $5, reenter = $6,
    create_contact = $7, triggers = $8, listens_to = $9, updated_at = $10,
    since_position = case when $11 then ${JUST_ACTIVATED} else since_position end,
    former_triggers = case when $12 then former_triggers else '[]' end || $13::jsonb
  where sub_account_id = $1 and id = $2`;

/** Removes a workflow and cancels its runs, also those that the page of events that is being read starts. */
async function removeWorkflow(work: Work, { id }: Pick<Row, 'id'>): Promise<void> {
  await lockReader(work);
  await work.rows(REMOVE, [work.subAccountId, id, work.now]);
  await cancelRunsOfWorkflow(work, id);
}

const REMOVE = `update workflows set deleted_at = $3, updated_at = $3, active = false
  where sub_account_id = $1 and id = $2`;

async function addVersion(work: Work, id: string, steps: readonly Step[]): Promise<void> {
  const { subAccountId, now } = work;
  const values = [subAccountId, newId(now), id, JSON.stringify(steps), goalsOf(steps), now];
  await work.rows(ADD_VERSION, values);
}

const ADD_VERSION = `insert into workflow_versions
    (sub_account_id, id, workflow_id, steps, goals, created_at)
  values ($1, $2, $3, $4, $5, $6)`;

const referencesIn = (steps: readonly Step[]) =>
  everyStep(steps).flatMap(({ place, step }) => {
    const at = (section: string, key: string | undefined, path: string) =>
      key === undefined ? [] : [{ section, key, path: `/steps${place}${path}` }];
    const stageAt = (one: { pipeline: string; stage?: string } | undefined, path: string) =>
      at('stages', one?.stage === undefined ? undefined : `${one.pipeline}/${one.stage}`, path).map(
        (reference) => ({
          ...reference,
          message: `names ${one?.stage}, which pipeline ${one?.pipeline} does not have`,
        }),
      );
    return [
      ...at('team', step.assign, '/assign'),
      ...at('team', step.createTask?.assign, '/createTask/assign'),
      ...at('pipelines', step.createOpportunity?.pipeline, '/createOpportunity/pipeline'),
      ...at('pipelines', step.moveStage?.pipeline, '/moveStage/pipeline'),
      ...stageAt(step.createOpportunity, '/createOpportunity/stage'),
      ...stageAt(step.moveStage, '/moveStage/stage'),
    ];
  });
