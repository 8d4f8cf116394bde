import { pattern } from '#core/schema/describe-error.ts';
import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { oneOf, shortText, request, timeZone } from '#core/schema/schema.ts';
import { defineSection } from '#core/section.ts';
import { hoursIssues, WEEKDAYS, WINDOW_PATTERN } from './business-hours.ts';
import { CHAT_DEFAULTS, type ChatSettings } from './chat-settings.ts';
import { StoredChatSettings } from './stored-chat-settings.entity.ts';

const TITLE_MAX = 100;
const TEXT_MAX = 2_000;
const WINDOWS_MAX = 10;

const windows = Type.Optional(
  Type.Array(
    Type.String(pattern(WINDOW_PATTERN, 'must be opening hours from-to, for example 09:00-17:30')),
    { maxItems: WINDOWS_MAX },
  ),
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
    Type.String({
      ...pattern('^#[0-9A-Fa-f]{6}$', 'must be a colour as #rrggbb, for example #1d4ed8'),
      description: "Color of the widget, as #rrggbb. Default: the sub-account's brand color.",
    }),
  ),
  position: Type.Optional(
    oneOf(['left', 'right'], { description: 'Corner of the page. Default: right.' }),
  ),
  requireName: Type.Optional(
    Type.Boolean({
      description:
        'If false, visitors can write without giving their name, unless requireEmail is true. Default: true.',
    }),
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
  load: ({ em, subAccountId }) => em.find(StoredChatSettings, { subAccountId }),
  valueOf: ({ settings }: StoredChatSettings): ChatSettings => ({ ...CHAT_DEFAULTS, ...settings }),
  create({ em, subAccountId, now }, settings) {
    const times = { createdAt: now, updatedAt: now };
    const row = em.create(StoredChatSettings, { subAccountId, id: newId(now), settings, ...times });
    em.persist(row);
    return row;
  },
  update({ now }, row, settings) {
    row.settings = settings;
    row.updatedAt = now;
  },
  remove: ({ em }, row) => void em.remove(row),
});
