import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { oneOf, shortText, request, timeZone } from '#core/schema/schema.ts';
import { defineSection } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { hoursIssues, WEEKDAYS, WINDOW_PATTERN } from './business-hours.ts';
import { CHAT_DEFAULTS, type ChatSettings } from './chat-settings.ts';

const TITLE_MAX = 100;
const TEXT_MAX = 2_000;
const WINDOWS_MAX = 10;

const windows = Type.Optional(
  Type.Array(Type.String({ pattern: WINDOW_PATTERN }), { maxItems: WINDOWS_MAX }),
);

const schema = request({
  enabled: Type.Optional(
    Type.Boolean({ description: 'If false, visitors cannot start a chat. Default: true.' }),
  ),
  title: Type.Optional(
    shortText({
      maxLength: TITLE_MAX,
      description: "Heading of the widget. Default: the sub-account's brand.",
    }),
  ),
  welcomeMessage: Type.Optional(
    Type.String({ maxLength: TEXT_MAX, description: 'First text that visitors see.' }),
  ),
  color: Type.Optional(
    Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'Color of the widget, as #rrggbb.' }),
  ),
  position: Type.Optional(
    oneOf(['left', 'right'], { description: 'Corner of the page. Default: right.' }),
  ),
  requireEmail: Type.Optional(
    Type.Boolean({ description: 'Visitors must give an email address to start a chat.' }),
  ),
  legalText: Type.Optional(
    Type.String({ maxLength: TEXT_MAX, description: 'Text under the form that starts a chat.' }),
  ),
  businessHours: Type.Optional(
    Type.Object(
      {
        mon: windows,
        tue: windows,
        wed: windows,
        thu: windows,
        fri: windows,
        sat: windows,
        sun: windows,
      } satisfies Record<(typeof WEEKDAYS)[number], unknown>,
      {
        additionalProperties: false,
        description: 'Hours when the team is online, by weekday. Default: always.',
      },
    ),
  ),
  timezone: Type.Optional(
    timeZone({ description: "Time zone of the hours. Default: the sub-account's." }),
  ),
});

interface Row {
  readonly id: string;
  readonly settings: Partial<ChatSettings>;
}

export const chatSection = defineSection({
  name: 'chat',
  summary: 'The live chat on websites. Without this section it is disabled.',
  match: 'only',
  schema,
  check: ({ businessHours = {} }: Static<typeof schema>) =>
    hoursIssues(businessHours).map(({ path, message }) => ({
      path: `/businessHours${path}`,
      message,
    })),
  complete: (given): ChatSettings => ({ ...CHAT_DEFAULTS, ...given }),
  load: (work) => work.rows<Row>(STORED, [work.subAccountId]),
  valueOf: ({ settings }): ChatSettings => ({ ...CHAT_DEFAULTS, ...settings }),
  create(work, settings): Row {
    const row = { id: newId(work.now), settings };
    work.write(INSERT, valuesOf(work, row));
    return row;
  },
  update: (work, { id }, settings) => work.write(UPDATE, valuesOf(work, { id, settings })),
  remove: (work, { id }) => work.write(DELETE, [work.subAccountId, id]),
});

const valuesOf = ({ subAccountId, now }: Work, { id, settings }: Row) => [
  subAccountId,
  id,
  now,
  JSON.stringify(settings),
];

const STORED = 'select id, settings from chat_settings where sub_account_id = $1';

const INSERT = `insert into chat_settings (sub_account_id, id, created_at, updated_at, settings)
  values ($1, $2, $3, $3, $4)`;

const UPDATE = `update chat_settings set updated_at = $3, settings = $4
  where sub_account_id = $1 and id = $2`;

const DELETE = 'delete from chat_settings where sub_account_id = $1 and id = $2';
