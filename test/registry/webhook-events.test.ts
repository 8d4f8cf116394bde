import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import type { EventType } from '#core/event.ts';
import { exampleId, exampleOf } from '#core/schema/example.ts';
import { events } from '#registry/events.ts';
import { tableOf } from '../../docs/reference/markdown.ts';

test('docs/webhook-events.md matches the declarations; `vitest -u` writes it', async () => {
  const page = [HEAD, ...events.map(sectionOf)].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/webhook-events.md');
});

const COMMON = {
  subAccountId: exampleId('subAccountId'),
  locationId: 'Zp3kQ0vXy7LmT2cB9dRf',
  contactId: exampleId('contactId'),
  tags: ['vip'],
};

const HEAD = `# The events

After reading this page you know every event of a subscription, and the fields of its \`data\`. [Webhooks](webhooks.md) describes how events are signed, verified and repeated. This page is generated from the declarations in \`src/\`.

Every body is \`{event, timestamp, data}\`; \`timestamp\` is the time of the event, in ISO 8601. Besides the fields listed below, \`data\` has:

${tableOf(
  ['Field', 'Type', 'Meaning'],
  [
    ['`subAccountId`', 'string', 'the id of the sub-account; always present'],
    ['`locationId`', 'string', 'the public id of the sub-account; always present'],
    ['`contactId`', 'string', 'the id of the contact; absent if the event is not about one'],
    [
      '`tags`',
      'string[]',
      'the tags of that contact; absent if it has none, except in `contact.created`',
    ],
  ],
)}

The fields listed under an event are always present, \`null\` if they have no value; \`tags\` of \`contact.created\` is then an empty list. Later releases may add members: ignore those you do not know, and do not rely on their order.

Events contain no custom fields of the contact. A change of one fires \`contact.updated\`: get the contact (\`GET /api/v1/contacts/{id}\`) to read its value.

No event says that a contact was deleted, erased or merged into another one; see [mirroring all contacts](webhooks.md#mirroring-all-contacts). The upcoming appointments and open tasks of a deleted contact fire \`appointment.cancelled\` and \`task.updated\`.
`;

function sectionOf(event: EventType): string {
  const rows = Object.entries(event.data.properties).map(([name, schema]) => [
    `\`${name}\``,
    typeOf(schema),
    meaningOf(schema),
  ]) as [string, string, string][];
  return `## \`${event.name}\`

Fires when: ${event.summary}.

${fieldTable(rows)}

\`\`\`json
${jsonOf(bodyOf(event))}
\`\`\`
`;
}

/** The column of the meanings is left out if all names speak for themselves. */
function fieldTable(rows: readonly (readonly [string, string, string])[]): string {
  return rows.some(([, , meaning]) => meaning !== '')
    ? tableOf(['Field', 'Type', 'Meaning'], rows)
    : tableOf(
        ['Field', 'Type'],
        rows.map(([name, type]) => [name, type]),
      );
}

function bodyOf({ name, data }: EventType): object {
  const fields = exampleOf(data) as object;
  // The contact's declarations have no examples.
  const known = Object.entries(CONTACT).filter(([field]) => field in fields);
  const own = name.startsWith('contact.') ? Object.fromEntries(known) : {};
  return {
    event: name,
    timestamp: '2026-12-01T09:00:00.000Z',
    data: { ...COMMON, ...fields, ...own },
  };
}

const CONTACT = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+4930123456',
  company: 'Analytical Engines',
  source: 'website',
  tags: ['vip'],
  lifecycleStage: 'lead',
  newStage: 'customer',
  previousStage: 'lead',
  tagName: 'vip',
};

interface Keywords {
  readonly type?: string | readonly string[];
  readonly items?: TSchema;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly description?: string;
}

function typeOf(schema: TSchema): string {
  const { type, items } = schema as Keywords;
  const names = [type].flat().map((one) => {
    const name = one === 'integer' ? 'number' : (one ?? 'any');
    return name === 'array' && items ? `${typeOf(items)}[]` : name;
  });
  return names.join(' or ');
}

function meaningOf(schema: TSchema): string {
  const { enum: values = [], format, description } = schema as Keywords;
  const choice = values.filter((value) => value !== null).map((value) => `\`${value}\``);
  return description ?? (choice.join(', ') || (FORMATS[format ?? ''] ?? ''));
}

const FORMATS: Readonly<Record<string, string>> = { uuid: 'an id', 'date-time': 'ISO 8601' };

/** Formats JSON as oxfmt does: a list that fits stays on one line. */
const jsonOf = (value: object): string =>
  JSON.stringify(value, undefined, 2).replaceAll(
    /\[\s+("[^\]]*")\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/\s*\n\s*/g, ' ')}]`,
  );
