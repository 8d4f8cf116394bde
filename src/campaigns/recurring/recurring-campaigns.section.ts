import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { nullable, request, shortText, timeZone } from '#core/schema/schema.ts';
import { defineSection, key, type IdOf } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { loadSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeFieldCautions } from '../../contacts/merge-field-cautions.ts';
import { campaignCreate } from '../campaign.schema.ts';
import { UNSUBSCRIBE_FIELD } from '../compose/compile-mail.ts';
import { MailTemplate } from '../compose/mail-template.entity.ts';
import { List } from '../lists/list.entity.ts';
import { cronIssue, nextTick, ticksPerDay } from './cron-time.ts';
import { RecurringCampaign } from './recurring-campaign.entity.ts';

const REPEAT_MAX = 200;
/** Above this, a person probably mistook the first field for the hour. */
const TICKS_PER_DAY_WARN = 1;

const { subject, preheader, contentHtml } = campaignCreate.properties;

const schema = request({
  key: key(),
  name: shortText({ description: 'The display name; a run adds its date and time.' }),
  list: key({ description: 'The key of the list.' }),
  template: key({ description: 'The key of the template.' }),
  subject: Type.Unsafe<string>({ ...subject, description: 'The subject, with merge fields.' }),
  preheader: Type.Optional(
    Type.Unsafe<string | null>({ ...preheader, description: 'Preview text of inboxes.' }),
  ),
  content: Type.Unsafe<string>({
    ...contentHtml,
    description: 'The HTML that the template gets as `{{content}}`, with merge fields.',
  }),
  repeat: Type.String({
    maxLength: REPEAT_MAX,
    description:
      'When it runs, as a cron expression: minute, hour, day of month, month, weekday. Example: `0 9 * * MON`.',
  }),
  timezone: Type.Optional(
    nullable(timeZone({ description: "IANA time zone of `repeat`. Default: the sub-account's." })),
  ),
  active: Type.Optional(
    Type.Boolean({ default: true, description: 'If false, it does not run until it is true.' }),
  ),
});

interface RecurringEntry extends Static<typeof schema> {
  readonly preheader: string | null;
  readonly timezone: string | null;
  readonly active: boolean;
}

interface Row {
  readonly campaign: RecurringCampaign;
  readonly list: string | null;
  readonly template: string | null;
}

export const recurringCampaignsSection = defineSection({
  name: 'campaigns',
  summary: 'Recurring campaigns: each run is a campaign with recipients of its own.',
  match: 'key',
  schema,
  check({ repeat }) {
    const message = cronIssue(repeat);
    return message === undefined ? [] : [{ path: '/repeat', message }];
  },
  references: ({ list, template }) => [
    { section: 'lists', key: list, path: '/list' },
    { section: 'templates', key: template, path: '/template' },
  ],
  complete: (given): RecurringEntry => ({
    preheader: null,
    timezone: null,
    active: true,
    ...given,
  }),
  cautions: (stored, wanted) =>
    stored.active && !wanted.active ? [`${wanted.key} becomes inactive and runs no more`] : [],
  async cautionsAbroad(work, { key, repeat, active, subject, preheader, content }) {
    const times = ticksPerDay(repeat);
    const texts = { '/subject': subject, '/preheader': preheader, '/content': content };
    return [
      ...(active && times > TICKS_PER_DAY_WARN
        ? [`${key} runs ${times} times a day: each contact of the list gets as many mails`]
        : []),
      ...(await mergeFieldCautions(work, { entry: key, texts, fields: [UNSUBSCRIBE_FIELD] })),
    ];
  },
  load,
  valueOf,
  exportOf: ({ list, template, ...row }: Row) => ({
    ...valueOf({ list, template, ...row }),
    list,
    template,
  }),
  idOf: ({ campaign }) => campaign.id,
  async create(work, wanted, _key, idOf): Promise<Row> {
    const { em, subAccountId, now } = work;
    const campaign = em.create(RecurringCampaign, {
      ...fieldsOf(wanted, idOf),
      ...(await planOf(work, wanted)),
      subAccountId,
      id: newId(now),
      lastTickAt: null,
      lastError: null,
      createdAt: now,
      updatedAt: now,
    });
    em.persist(campaign);
    return { campaign, list: wanted.list, template: wanted.template };
  },
  async update(work, { campaign }, wanted, idOf) {
    const { repeat, timezone, active } = campaign;
    const isReplanned =
      wanted.repeat !== repeat ||
      wanted.timezone !== (timezone ?? null) ||
      (wanted.active && !active);
    work.em.assign(campaign, {
      ...fieldsOf(wanted, idOf),
      ...(isReplanned && (await planOf(work, wanted))),
      updatedAt: work.now,
    });
  },
  /** Its runs stay. */
  remove: ({ em }, { campaign }) => void em.remove(campaign),
});

/** The keys are empty once the list or the template was removed. */
function valueOf({ campaign, list, template }: Row): RecurringEntry {
  const { key, name, subject, preheader, content, repeat, timezone, active } = campaign;
  return {
    key,
    name,
    list: list ?? '',
    template: template ?? '',
    subject,
    preheader: preheader ?? null,
    content,
    repeat,
    timezone: timezone ?? null,
    active,
  };
}

/** Ticks before now are not caught up: the entry is new, changed or active again. */
async function planOf(work: Work, { repeat, timezone }: RecurringEntry) {
  const plannedZone = timezone ?? (await loadSubAccount(work)).timezone;
  const nextAt = nextTick(repeat, plannedZone, work.now) ?? null;
  return { plannedZone, nextAt, lastError: null };
}

async function load({ em, subAccountId }: Work): Promise<Row[]> {
  const campaigns = await em.find(RecurringCampaign, { subAccountId }, { orderBy: { id: 'asc' } });
  const keysOf = (rows: readonly { readonly id: string; readonly key: string }[]) =>
    new Map(rows.map(({ id, key }) => [id, key]));
  const lists = keysOf(await em.find(List, { subAccountId }));
  const templates = keysOf(await em.find(MailTemplate, { subAccountId }));
  return campaigns.map((campaign) => ({
    campaign,
    list: lists.get(campaign.listId ?? '') ?? null,
    template: templates.get(campaign.templateId ?? '') ?? null,
  }));
}

const fieldsOf = ({ list, template, ...fields }: RecurringEntry, idOf: IdOf) => ({
  ...fields,
  listId: idOf('lists', list),
  templateId: idOf('templates', template),
});
