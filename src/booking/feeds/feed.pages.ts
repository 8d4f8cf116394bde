import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { Type } from 'typebox';
import { notFound, orNotFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import {
  rotationOf,
  FEED_TOKEN,
  feedOwner,
  isFeedToken,
  type FeedOwner,
} from './feed-addresses.ts';
import { currentFeed } from './read-feed.ts';

const SUFFIX = '.ics';

/** Feeds that calendar programs subscribe to, at addresses that cannot be guessed. */
export const feedPages = [
  definePageEndpoint({
    id: 'calendar.feed',
    method: 'GET',
    path: '/calendar/:file',
    summary: 'The iCalendar feed of a calendar or a team member',
    limit: 'public_read',
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
    read: async ({ view, params }) => {
      const { document, build } = await currentFeed(view, ownerOf(tokenIn(params.file)).ownerId);
      return { data: null, document, build };
    },
  }),
];

function ownerOf(token: string): FeedOwner {
  return orNotFound(feedOwner(token), 'feed');
}

const tokenIn = (file: string): string => file.slice(0, -SUFFIX.length);
