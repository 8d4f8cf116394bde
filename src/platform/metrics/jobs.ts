/** The jobs of one name that this process has run. */
export interface JobFigures {
  done: number;
  failed: number;
  seconds: number;
}

const byName = new Map<string, JobFigures>();

/** Counts a job that ended in this process. */
export function observeJob(name: string, outcome: 'done' | 'failed', ms: number): void {
  const figures = byName.get(name) ?? { done: 0, failed: 0, seconds: 0 };
  byName.set(name, figures);
  figures[outcome] += 1;
  figures.seconds += ms / 1_000;
}

export const jobFigures = (): Readonly<Record<string, JobFigures>> => Object.fromEntries(byName);
