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
  unknownFields,
});
