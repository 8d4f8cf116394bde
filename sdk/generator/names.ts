import type { TSchema } from 'typebox';
import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { envelopeOf } from '../../src/platform/openapi/document.ts';
import { endpoints } from '../../src/registry/endpoints.ts';
import { webhookEventNames } from '../../src/registry/events.ts';
import { DECLARED_NAMES } from './declared-names.ts';
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
  for (const [name, place] of Object.entries(DECLARED_NAMES)) {
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
  const more = bare.startsWith(`${EVENT_NAMES} | `) ? bare.slice(EVENT_NAMES.length) : '';
  const name = byText.get(more === '' ? bare : EVENT_NAMES);
  return name && name + more;
}

export const declarationText = (name: string, text: string): string =>
  text.startsWith('{') ? `interface ${name} ${text}` : `type ${name} = ${text};`;

export const metaOf = (endpoint: Endpoint): TSchema | undefined =>
  membersOf(envelopeOf(endpoint, endpoint.data)).properties?.['meta'];

/** Returns the schema at `endpoint/part/member/[]`; throws if it does not exist. */
export function schemaAt(place: string): TSchema {
  const [id, part, ...members] = place.split('/');
  const endpoint = endpoints.find((one) => one.id === id);
  let schema = endpoint && (part === 'meta' ? metaOf(endpoint) : endpoint[part as 'body' | 'data']);
  for (const member of members) {
    const { items, anyOf, properties } = membersOf(schema);
    schema = member === '[]' ? items : (anyOf?.[Number(member)] ?? properties?.[member]);
  }
  if (!schema) {
    throw new Error(`${place} is not declared`);
  }
  return schema;
}

const membersOf = (schema: TSchema = {}) =>
  schema as {
    readonly items?: TSchema;
    readonly anyOf?: readonly TSchema[];
    readonly properties?: Readonly<Record<string, TSchema>>;
  };
