import { Type, type Static } from 'typebox';
import { scope } from '#core/endpoint/keyed-endpoint.ts';
import { Fault } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { admit } from '#platform/http/admission.ts';
import { eventData } from '../../webhooks/feed/event-body.ts';
import { scopeOfEvent } from '../../webhooks/feed/event-scopes.ts';
import { cursorAt, positionOf } from '../../webhooks/feed/feed-cursor.ts';
import { headPosition, readFeed, type PositionedEvent } from '../../webhooks/feed/find-events.ts';
import type { Agents } from '../calls/call-tool.ts';
import type { McpSession } from '../mcp/mcp-session.ts';
import { requireReading } from '../resources/transcript.ts';

/** The parameters of `events/poll` (SEP-3415). */
export const pollParams = s.request({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  arguments: Type.Optional(s.request({ contactId: Type.Optional(s.uuid()) })),
  cursor: Type.Optional(s.nullable(Type.String({ minLength: 1, maxLength: 1_000 }))),
  maxAgeMs: Type.Optional(Type.Integer({ minimum: 0 })),
  maxEvents: Type.Optional(Type.Integer({ minimum: 1 })),
});

type PollParams = Static<typeof pollParams>;

const PAGE_SIZE = 100;
/** Events of other names are skipped; a poll looks at this many pages at most. */
const PAGES_MAX = 10;
const NEXT_POLL_MS = 5 * SECOND_MS;

/**
 * Returns the events of one name after a cursor; without a cursor, none, and the cursor of now. Counts
 * as one read. Throws FORBIDDEN without the scope of the event's noun.
 */
export async function pollEvents(agents: Agents, session: McpSession, params: PollParams) {
  const { deps } = agents;
  requireReading(session.policy);
  const { contactId } = params.arguments ?? {};
  const access = scope(scopeOfEvent(params.name));
  const { caller } = await admit(deps, { access, rate: 'read', cost: 1 }, session, {});
  const view = deps.openView(caller.subAccountId, deps.clock());
  const { cursor = null, maxEvents = PAGE_SIZE } = params;
  if (cursor === null) {
    const now = cursorAt(deps.cursorSecret, view, await headPosition(view));
    return { events: [], cursor: now, truncated: false, hasMore: false, nextPollMs: NEXT_POLL_MS };
  }
  const from = positionOf(deps.cursorSecret, view, cursor);
  const limit = Math.min(maxEvents, PAGE_SIZE);
  const found = await scan(view, { ...params, from, limit, contactId });
  const { events, position, hasMore, isTooOld } = found;
  return {
    events: events.map(occurrenceOf),
    cursor: cursorAt(deps.cursorSecret, view, position),
    truncated: isTooOld,
    hasMore,
    nextPollMs: NEXT_POLL_MS,
  };
}

const occurrenceOf = (event: PositionedEvent) => ({
  eventId: event.id,
  name: event.name,
  timestamp: event.occurredAt.toISOString(),
  data: JSON.parse(eventData(event, event)) as object,
});

interface ScanInput extends PollParams {
  readonly from: number;
  readonly limit: number;
  readonly contactId: string | undefined;
}

interface ScanResult {
  readonly events: readonly PositionedEvent[];
  readonly position: number;
  readonly hasMore: boolean;
  /** Events were left out because of their age. */
  readonly isTooOld: boolean;
}

/** Reads the feed until enough events fit, it ends, or the poll has looked at enough of it. */
async function scan(
  view: View,
  { name, from, limit, contactId, maxAgeMs }: ScanInput,
): Promise<ScanResult> {
  const oldest = maxAgeMs === undefined ? 0 : view.now.getTime() - maxAgeMs;
  const fits = (event: PositionedEvent) =>
    event.name === name && (contactId === undefined || event.contactId === contactId);
  const events: PositionedEvent[] = [];
  let position = from;
  let isTooOld = false;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await readFeed(view, position, PAGE_SIZE);
    for (const event of page.events) {
      ({ position } = event);
      if (fits(event) && event.occurredAt.getTime() < oldest) {
        isTooOld = true;
      } else if (fits(event)) {
        events.push(event);
      }
      if (events.length === limit) {
        return { events, position, hasMore: true, isTooOld };
      }
    }
    if (!page.more) {
      return { events, position, hasMore: false, isTooOld };
    }
  }
  return { events, position, hasMore: true, isTooOld };
}

/** The refusal of a name that is not in the catalog. */
export const unknownEvent = (name: string): Fault =>
  new Fault('NOT_FOUND', `no event is called ${name}; events/list returns the names`);
