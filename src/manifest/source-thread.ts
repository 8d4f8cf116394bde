import { serveThread } from '#platform/process/guarded-thread.ts';
import { parseSource, type Place, type Source } from './parse-source.ts';

export interface SourceToParse {
  readonly text: string;
  /** The JSON pointers whose positions are needed. */
  readonly paths: readonly string[];
}

export interface ParsedSource extends Pick<Source, 'value' | 'errors'> {
  readonly places: readonly Place[];
}

/** Runs in its own thread: the parser takes seconds for some texts. */
serveThread(async ({ text, paths }: SourceToParse): Promise<ParsedSource> => {
  const { value, errors, placeOf } = parseSource(text);
  return { value, errors, places: paths.map((path) => placeOf(path)) };
});
