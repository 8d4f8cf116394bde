import { createHash } from 'node:crypto';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import { ICS_TYPE } from '../notices/appointment-ics.ts';
import { feedIcs } from './feed-ics.ts';
import { FEED_TOKEN, feedOwner, isFeedToken, type FeedOwner } from './feed-token.ts';
import { rotationOf } from './find-feeds.ts';
import { readFeed } from './read-feed.ts';

const SUFFIX = '.ics';

/** Calendars that programs subscribe to, by an address that nobody can guess. */
export const feedPages = [
  definePageEndpoint({
    id: 'calendar.feed',
    method: 'GET',
    path: '/calendar/:file',
    summary: 'The appointments of a calendar or a team member',
    params: s.request({ file: Type.String({ pattern: `^${FEED_TOKEN}\\.ics$` }) }),
    documents: ['text/calendar'],
    async owner({ params, view, tools }) {
      const token = tokenIn(params.file);
      const owner = ownerOf(token);
      const rotation = await rotationOf(view, owner);
      // A wrong token and a missing feed must be indistinguishable.
      if (!isFeedToken(tools.secrets, token, rotation ?? 0) || rotation === undefined) {
        throw notFound('feed');
      }
      return owner.subAccountId;
    },
    async read({ view, params }) {
      const { name, entries } = await readFeed(view, ownerOf(tokenIn(params.file)).ownerId);
      const body = await feedIcs(name, entries);
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      const headers = { etag, 'cache-control': 'private, no-cache' };
      return { data: null, document: { type: ICS_TYPE, body, headers } };
    },
  }),
];

function ownerOf(token: string): FeedOwner {
  const owner = feedOwner(token);
  if (!owner) {
    throw notFound('feed');
  }
  return owner;
}

const tokenIn = (file: string): string => file.slice(0, -SUFFIX.length);
