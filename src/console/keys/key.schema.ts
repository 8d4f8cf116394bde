import { Type, type Static } from 'typebox';
import { DECISIONS, RISKS, type Risk } from '#core/agent.ts';
import * as s from '#core/schema/schema.ts';
import { SCOPES } from '#core/scope.ts';
import { KEY_PREFIXES, type KeyKind } from '../../accounts/keys/key-value.ts';

const keyScopes = Type.Array(s.oneOf(SCOPES), { minItems: 1, uniqueItems: true });
const rate = Type.String({ examples: ['600/1m'] });

/** A key without its value. */
export const keyRow = {
  id: s.uuid(),
  name: Type.String({ examples: ['Website'] }),
  kind: s.oneOf(Object.keys(KEY_PREFIXES) as KeyKind[]),
  prefix: Type.String({ examples: ['sk_live_a1B2'] }),
  scopes: Type.Array(s.oneOf(SCOPES)),
  state: s.oneOf(['active', 'expired', 'revoked']),
  expiresAt: s.nullable(s.isoTime()),
  lastUsedAt: s.nullable(s.isoTime()),
  createdAt: s.isoTime(),
  subAccountId: s.nullable(s.uuid()),
  rateRead: s.nullable(rate),
  rateWrite: s.nullable(rate),
  agentPolicy: s.response(
    Object.fromEntries(RISKS.map((risk) => [risk, s.oneOf(DECISIONS)])) as Record<
      Risk,
      ReturnType<typeof s.oneOf<typeof DECISIONS>>
    >,
  ),
  previousExpiresAt: s.nullable(s.isoTime({ description: 'until when the old value works' })),
  previousPrefix: s.nullable(
    Type.String({
      description: 'of the value before the last rotation',
      examples: ['sk_live_z9Y8'],
    }),
  ),
  previousUsedAt: s.nullable(s.isoTime({ description: 'when that value was last used' })),
  clientId: s.nullable(Type.String({ description: 'of a program that connected with OAuth' })),
  grantedBy: s.nullable(Type.String({ description: 'the user who allowed the program' })),
  tokenExpiresAt: s.nullable(s.isoTime({ description: 'when its access token ends' })),
};

/** The members of a new key. */
export const newKey = {
  name: s.shortText(),
  scopes: keyScopes,
  expiresAt: Type.Optional(s.nullable(s.isoTime())),
  rateRead: Type.Optional(s.nullable(rate)),
  rateWrite: Type.Optional(s.nullable(rate)),
};

const decision = Type.Optional(s.oneOf(DECISIONS));

/** What can be changed of a key. */
export const changedKey = {
  agentPolicy: Type.Optional(s.request({ tells: decision, destroys: decision, mass: decision })),
  scopes: Type.Optional(keyScopes),
  rateRead: Type.Optional(s.nullable(rate)),
  rateWrite: Type.Optional(s.nullable(rate)),
};

const newKeySchema = s.request(newKey);

/** Returns the body of a new key as the use case takes it. */
export const newKeyOf = ({
  name,
  scopes: granted,
  expiresAt,
  rateRead,
  rateWrite,
}: Static<typeof newKeySchema>) => ({
  name,
  scopes: granted,
  expiresAt: expiresAt ? new Date(expiresAt) : undefined,
  rateRead: rateRead ?? undefined,
  rateWrite: rateWrite ?? undefined,
});
