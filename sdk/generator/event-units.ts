import type { EventType } from '../../src/core/event.ts';
import { events } from '../../src/registry/events.ts';
import { schemaAt, type Names } from './names.ts';
import { tsdoc } from './tsdoc.ts';
import { ownText, typeText } from './type-text.ts';
import type { Unit } from './unit.ts';
import { pascalCase } from './words.ts';

/** Generates a file per noun with the data of its events, and one with their union. */
export function eventUnits(names: Names): Unit[] {
  const nouns = [...Map.groupBy(events, ({ name }) => name.split('.')[0] ?? '')];
  const fields = nouns.map(([noun]) => `${pascalCase(noun)}Events`);
  const common = ownText(schemaAt('events.list/data/[]/data'), names.naming('answer'));
  const listed = events.map(({ name }) => `'${name}',`).join('\n');
  return [
    ...nouns.map(([noun, own]) => nounUnit(noun, own, names)),
    {
      file: 'event-fields',
      imports: nouns.map(
        ([noun], at) => `import type { ${fields[at]} } from './${noun}-events.ts';`,
      ),
      text: `/** What the \`data\` of every event holds. */
        export type CommonFields = ${common};

        /** What it holds besides, by the event's name. */
        export type EventFields = ${fields.join(' & ')};

        /** What a subscription may ask for. */
        export type EventName = keyof EventFields;

        export const EVENT_NAMES = [${listed}] as const satisfies readonly EventName[];`,
    },
  ];
}

function nounUnit(noun: string, own: readonly EventType[], names: Names): Unit {
  const members = own.map(
    ({ name, summary, data }) =>
      `${tsdoc([`Fires when: ${summary}.`])}\n'${name}': ${typeText(data, names.naming('answer'))};`,
  );
  return {
    file: `${noun}-events`,
    imports: [],
    text: `export interface ${pascalCase(noun)}Events {\n${members.join('\n')}\n}`,
  };
}
