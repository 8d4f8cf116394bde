import type { MergeValues } from '#lib/merge-fields.ts';

const FIELD = /\{\{([^{}]*)\}\}/g;

/** Turns texts and the values of fields into pieces of the wire; each piece is complete by itself. */
export interface Encoding {
  readonly text: (text: string) => string;
  readonly value: (value: string) => string;
}

/**
 * Takes a text with merge fields apart once, so that for each recipient there is nothing to do but
 * to put pieces together. What is unknown or empty becomes nothing, as everywhere.
 */
export function compileTemplate(
  template: string,
  { text, value }: Encoding,
): (values: MergeValues) => string {
  const parts = template.split(FIELD);
  const statics = parts.filter((_, at) => at % 2 === 0).map(text);
  const names = parts.filter((_, at) => at % 2 === 1).map((name) => name.trim());
  return (values) => {
    let merged = statics[0] ?? '';
    for (const [at, name] of names.entries()) {
      const found = Object.hasOwn(values, name) ? values[name] : '';
      merged += (found ? value(found) : '') + (statics[at + 1] ?? '');
    }
    return merged;
  };
}
