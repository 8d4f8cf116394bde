import type { Section } from './markdown.ts';

interface SearchPage {
  readonly to: string;
  readonly title: string;
  readonly group: string;
  readonly sections: readonly Section[];
}

/** A section that search finds. The names are short: the file is loaded with the first search. */
interface SearchRecord {
  /** The address below `/docs/`, with the anchor. */
  readonly id: string;
  /** The title of the page. */
  readonly page: string;
  readonly group: string;
  readonly heading: string;
  readonly body: string;
}

/** A section is found by any of its words; of a very long one, by its first words. */
const BODY_MAX = 2_000;

export const searchRecords = (pages: readonly SearchPage[]): SearchRecord[] =>
  pages.flatMap(({ to, title, group, sections }) =>
    sections.map(({ text, slug, level, body }) => ({
      id: level === 1 ? to : `${to}#${slug}`,
      page: title,
      group,
      heading: text,
      body: body.slice(0, BODY_MAX),
    })),
  );
