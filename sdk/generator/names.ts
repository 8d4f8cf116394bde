import type { TSchema } from 'typebox';
import { schemaAt as schemaIn } from '../../src/platform/openapi/schema-at.ts';
import { endpoints } from '../../src/registry/endpoints.ts';
import { webhookEventNames } from '../../src/registry/events.ts';
import { SCHEMA_NAMES } from '../../src/registry/schema-names.ts';
import { ownText, type Naming, type Use } from './type-text.ts';

/** A type with a name. */
export interface Named {
  readonly name: string;
  /** Its declaration without `export`, or the file that declares it. */
  readonly text?: string;
  readonly file?: string;
}

export interface Names {
  readonly named: readonly Named[];
  naming(use: Use): Naming;
}

/** Types that other files declare. The bodies of methods are named after the method. */
const OWN_NAMES = new Set(['EventName', 'WebhookEvent']);

const EVENT_NAMES = webhookEventNames.map((name) => JSON.stringify(name)).join(' | ');

export function declaredNames(): Names {
  const named: Named[] = [];
  const byText = new Map<string, string>();
  const naming = (use: Use): Naming => ({ use, nameOf: (bare) => nameIn(byText, bare) });
  const add = (bare: string, one: Named) => {
    byText.set(bare, one.name);
    named.push(one);
  };
  add(EVENT_NAMES, { name: 'EventName', file: './event-fields.ts' });
  for (const [name, place] of Object.entries(SCHEMA_NAMES)) {
    if (OWN_NAMES.has(name) || place.endsWith('/body')) {
      continue;
    }
    const schema = schemaAt(place);
    const given = naming(place.includes('/body/') ? 'body' : 'answer');
    const text = declarationText(name, ownText(schema, given));
    add(ownText(schema, given, false), { name, text });
  }
  // The feed's declaration does not know the events' types.
  const row = schemaAt('events.list/data/[]');
  add(ownText(row, naming('answer'), false), { name: 'WebhookEvent', file: '../webhook-event.ts' });
  return { named, naming };
}

/** A parameter that accepts any event name also accepts the test event. */
function nameIn(byText: ReadonlyMap<string, string>, bare: string): string | undefined {
  const known = byText.get(bare);
  if (known !== undefined) {
    return known;
  }
  const more = bare.startsWith(`${EVENT_NAMES} | `) ? bare.slice(EVENT_NAMES.length) : '';
  return more === '' ? undefined : `EventName${more}`;
}

export const declarationText = (name: string, text: string): string =>
  text.startsWith('{') ? `interface ${name} ${text}` : `type ${name} = ${text};`;

/** Returns the schema at `endpoint/part/member/[]`; throws if it does not exist. */
export const schemaAt = (place: string): TSchema => schemaIn(endpoints, place);
