import { Type, type Static } from 'typebox';
import { oneOf, shortText, strict } from '#kit/schema.ts';

const PORT_MAX = 65_535;
const SECRET_MAX = 1_000;
const URL_MAX = 2_000;

const secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SECRET_MAX, description }));

/** A channel as a manifest has it. Which members go with which provider, `channelMisfits` says. */
export const channelEntry = strict({
  provider: oneOf(['smtp', 'http'], { description: 'Who carries the messages.' }),
  host: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_.:-]+$',
      maxLength: 255,
      description: 'smtp: its server.',
    }),
  ),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: PORT_MAX, description: 'smtp.' })),
  secure: Type.Optional(Type.Boolean({ description: 'smtp: TLS from the first byte.' })),
  user: Type.Optional(shortText({ description: 'smtp: who logs in.' })),
  password: secret('smtp: of the user.'),
  from: Type.Optional(
    shortText({ description: 'Who writes; smtp: an address or a name with one.' }),
  ),
  ratePerSecond: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'smtp: mails a second at most.' }),
  ),
  apiBaseUrl: Type.Optional(
    Type.String({ format: 'uri', maxLength: URL_MAX, description: 'http: what is posted to.' }),
  ),
  secret: secret('Signs callbacks, and what is posted to an http bridge.'),
});

export type ChannelEntry = Static<typeof channelEntry>;
