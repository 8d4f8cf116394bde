/** The sub-account's ids in an event. */
export interface Account {
  readonly subAccountId: string;
  readonly locationId: string;
}

export interface StoredEvent {
  readonly name: string;
  readonly occurredAt: Date;
  readonly contactId: string | null;
  /** The JSON of the event's own fields, byte for byte as stored. */
  readonly data: string;
}

/** Returns an event's `data` as JSON: common fields (spec "Common data fields"), then its own. */
export function eventData(
  { subAccountId, locationId }: Account,
  { contactId, data }: Pick<StoredEvent, 'contactId' | 'data'>,
): string {
  const common = JSON.stringify({ subAccountId, locationId, ...(contactId && { contactId }) });
  const own = data.slice(data.indexOf('{') + 1, data.lastIndexOf('}')).trim();
  return own === '' ? common : `${common.slice(0, -1)},${own}}`;
}

/** Returns the body to post: the same bytes in every attempt. */
export const eventBody = (account: Account, event: StoredEvent): string =>
  `{"event":${JSON.stringify(event.name)},"timestamp":"${event.occurredAt.toISOString()}","data":${eventData(account, event)}}`;

/** Returns an event as a row of the feed. */
export const eventRow = (id: string, event: StoredEvent & Account): string =>
  `{"id":"${id}","event":${JSON.stringify(event.name)},` +
  `"timestamp":"${event.occurredAt.toISOString()}","data":${eventData(event, event)}}`;
