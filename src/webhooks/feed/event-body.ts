/** The ids by which events name their sub-account. */
export interface Account {
  readonly subAccountId: string;
  readonly locationId: string;
}

export interface StoredEvent {
  readonly name: string;
  readonly occurredAt: Date;
  readonly contactId: string | null;
  /** The JSON of the event's own members, byte for byte as stored. */
  readonly data: string;
}

/** The `data` of an event as JSON: the common fields (spec "Common data fields"), then its own. */
export function eventData(
  { subAccountId, locationId }: Account,
  { contactId, data }: Pick<StoredEvent, 'contactId' | 'data'>,
): string {
  const common = JSON.stringify({ subAccountId, locationId, ...(contactId && { contactId }) });
  const own = data.slice(data.indexOf('{') + 1, data.lastIndexOf('}')).trim();
  return own === '' ? common : `${common.slice(0, -1)},${own}}`;
}

/** The body that is posted: the same bytes in every attempt. */
export const eventBody = (account: Account, event: StoredEvent): string =>
  `{"event":${JSON.stringify(event.name)},"timestamp":"${event.occurredAt.toISOString()}","data":${eventData(account, event)}}`;
