import { Type, type TSchema } from 'typebox';
import { request } from '#core/schema/schema.ts';
import type { Section } from '#core/section.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Compiling the schema takes 100 ms, so it is done once. */
const known = new WeakMap<readonly Section[], TSchema>();

/** The schema of the whole manifest, as `config/manifest.schema.json` publishes it. */
export function manifestSchema(sections: readonly Section[]): TSchema {
  const schema = known.get(sections) ?? wholeSchema(sections);
  known.set(sections, schema);
  return schema;
}

function wholeSchema(sections: readonly Section[]): TSchema {
  const members = sections.map((section) => [section.name, Type.Optional(schemaOf(section))]);
  const whole = request({
    $schema: Type.Optional(
      Type.String({ description: 'The schema for editors; ignored by Frontdesk.' }),
    ),
    ...Object.fromEntries(members),
  });
  return Type.Unsafe({
    $schema: DIALECT,
    title: 'Frontdesk manifest',
    description: 'The setup of a sub-account. Every section is optional.',
    ...whole,
  });
}

function schemaOf({ match, schema, name: title, summary: description }: Section): TSchema {
  switch (match) {
    case 'only':
      return Type.Unsafe({ title, description, ...schema });
    case 'member':
      return Type.Unsafe({ title, description, type: 'object', additionalProperties: schema });
    case 'key':
    case 'name':
    case 'slug':
      return Type.Array(schema, { title, description });
  }
}
