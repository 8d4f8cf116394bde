type Schema = Readonly<Record<string, unknown>>;

/** Times that no customer is told. */
const OF_RECORDS = new Set(['createdAt', 'updatedAt', 'lastActivityAt', 'occurredAt']);

/**
 * Returns the value with a `…Local` member beside each time: a text in the time zone of the
 * sub-account, which it names. `schema` says which members are times. Rows that name their own time
 * zone stay as they are.
 */
export function withLocalTimes(value: unknown, schema: Schema, timezone: string): unknown {
  if (Array.isArray(value)) {
    const { items = {} } = schema as { readonly items?: Schema };
    return value.map((one) => withLocalTimes(one, items, timezone));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const members = propertiesOf(schema);
  const localized: Record<string, unknown> = {};
  const namesZone = 'timezone' in value && 'label' in value;
  for (const [name, member] of Object.entries(value)) {
    const declared = members[name] ?? {};
    localized[name] = withLocalTimes(member, declared, timezone);
    if (!namesZone && isTime(declared) && !OF_RECORDS.has(name) && isInstant(member)) {
      localized[`${name}Local`] = localText(new Date(member), timezone);
    }
  }
  return localized;
}

/** Returns the members of an object, or of all objects of a union. */
function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { properties = {}, anyOf = [] } = schema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly anyOf?: readonly Schema[];
  };
  return Object.assign({}, ...anyOf.map(propertiesOf), properties) as Record<string, Schema>;
}

/** Returns whether a schema is one of a time. */
export const isTime = ({ format, description }: Schema): boolean =>
  format === 'date-time' || (typeof description === 'string' && /\bepoch ms\b/.test(description));

export const isInstant = (value: unknown): value is string | number =>
  (typeof value === 'number' || typeof value === 'string') &&
  !Number.isNaN(new Date(value).getTime());

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a time such as `Tue, 1 Dec 2026, 09:00 (Europe/Berlin)`. */
export function localText(time: Date, timezone: string): string {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timezone, format);
  }
  return `${format.format(time)} (${timezone})`;
}
