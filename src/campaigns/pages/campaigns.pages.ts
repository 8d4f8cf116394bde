import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { Secrets } from '#core/secrets.ts';
import { Type } from '#core/schema/type.ts';
import type { TokenSubject } from '#lib/signed-token.ts';
import { errorPage, preferencesPage } from './preferences-page.ts';
import { readPreferences, setPreferences } from './preferences.ts';
import { showPreview } from '../compose/show-preview.ts';
import { PREVIEW, readLinkToken, UNSUBSCRIBE, type LinkKind } from '../compose/campaign-links.ts';

const TOKEN_MAX = 200;
const WORD_MAX = 100;

const params = s.request({ token: Type.String({ maxLength: TOKEN_MAX }) });
const word = Type.Optional(Type.String({ maxLength: WORD_MAX }));

/** What the page's forms send, and what mail programs do (RFC 8058); nothing else is needed to unsubscribe. */
const choices = Type.Object(
  { save: word, email: word, sms: word },
  { additionalProperties: Type.String({ maxLength: WORD_MAX }) },
);

interface PreferencesRequest {
  readonly params: { readonly token: string };
  readonly tools: { readonly secrets: Secrets };
}

function linkedOf(
  kind: LinkKind,
  { params: { token }, tools: { secrets } }: PreferencesRequest,
): TokenSubject {
  const linked = readLinkToken(kind, secrets, token);
  if (!linked) {
    throw notFound('page');
  }
  return linked;
}

const mailedOf = (call: PreferencesRequest): TokenSubject => linkedOf(UNSUBSCRIBE, call);

/**
 * Where the link of every campaign mail leads, and a mail as it would be shown. Looking changes
 * nothing: mail scanners look, too.
 */
export const campaignPages = [
  definePageEndpoint({
    id: 'campaigns.preferences',
    method: 'GET',
    path: '/u/:token',
    summary: 'What may be sent to whoever got a mail',
    limit: 'availability',
    params,
    error: errorPage,
    owner: async (call) => mailedOf(call).subAccountId,
    async read({ view, ...call }) {
      const preferences = await readPreferences(view, mailedOf(call).id);
      return { data: null, document: preferencesPage(preferences) };
    },
  }),

  definePageEndpoint({
    id: 'campaigns.unsubscribe',
    method: 'POST',
    path: '/u/:token',
    summary: 'Unsubscribe, or choose',
    params,
    body: choices,
    // As mail programs should send it (RFC 8058).
    takes: ['multipart/form-data'],
    error: errorPage,
    owner: async (call) => mailedOf(call).subAccountId,
    async write({ work, body, ...call }) {
      const before = await readPreferences(work, mailedOf(call).id);
      const isChoice = body.save !== undefined;
      const wanted = isChoice
        ? { email: body.email !== undefined, sms: body.sms !== undefined }
        : { email: false };
      const after = await setPreferences(work, before, wanted);
      return { data: null, document: preferencesPage(after, true) };
    },
  }),

  definePageEndpoint({
    id: 'campaigns.preview',
    method: 'GET',
    path: '/campaigns/preview/:token',
    summary: 'The mail of a campaign, for whoever has the link',
    limit: 'availability',
    params,
    error: errorPage,
    owner: async (call) => linkedOf(PREVIEW, call).subAccountId,
    read: async ({ view, ...call }) => ({
      data: null,
      document: await showPreview(view, linkedOf(PREVIEW, call).id),
    }),
  }),
];
