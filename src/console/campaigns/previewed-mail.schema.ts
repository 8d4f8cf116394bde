import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';

/** Merge fields that no recipient has a value for. */
export const unknownFields = Type.Array(
  s.response({
    source: Type.String({ description: 'as written', examples: ['{{fristName}}'] }),
    fallback: Type.String({ description: 'what every recipient sees instead; empty for nothing' }),
  }),
);

/** A mail of a campaign as one recipient gets it. */
export const previewedMail = s.response({
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
  preheader: s.nullable(Type.String({ description: 'preview text' })),
  unknownFields,
  contact: s.response({
    contactId: s.nullable(s.uuid({ description: 'null for an example' })),
    name: Type.String({ description: 'empty for a contact without a name' }),
    email: s.nullable(Type.String()),
  }),
});

/** The contact that a mail is merged for. */
export const previewChoice = {
  contactId: Type.Optional(s.uuid({ description: 'the contact that the mail is merged for' })),
  withoutName: Type.Optional(
    Type.Boolean({ description: 'merge it for an example contact that has no name' }),
  ),
};
