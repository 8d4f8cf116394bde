import type { Refusal } from './refusal.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members that name a record to a person, the best first. */
const NAMES = ['title', 'name', 'subject', 'label', 'email', 'firstName'];

/** Returns what a result holds, in one short sentence; the data itself is the structured content. */
export function resultText(result: Members): string {
  const { error, status, summary, dryRun, repeated, actions } = result;
  if (error !== undefined) {
    const { code, message, next } = error as Refusal;
    return `${code}: ${message}. ${next}`;
  }
  if (status === 'awaiting_approval') {
    // Customers wrote the names in it: in quotes they cannot pass for instructions.
    return `Nothing was done yet. A person must approve this first: ${JSON.stringify(summary)}. Tell the user. Call again with the same arguments to learn the decision.`;
  }
  if (Array.isArray(actions)) {
    return actions.length === 0 ? 'No action fits; try other words.' : `${actions.length} actions.`;
  }
  const text = dataText(result);
  if (dryRun === true) {
    return `Dry run, nothing was changed. It would return: ${text}`;
  }
  return repeated === true ? `Already done by an equal call; not run again. ${text}` : text;
}

function dataText({ data, meta }: Members): string {
  if (Array.isArray(data)) {
    const { hasMore, total } = (meta ?? {}) as { hasMore?: boolean; total?: number };
    const count = `${data.length} ${data.length === 1 ? 'row' : 'rows'}`;
    const all = typeof total === 'number' && total > data.length ? ` of ${total}` : '';
    return `${count}${all}.${hasMore === true ? ' For more, pass meta.cursor as cursor.' : ''}`;
  }
  if (typeof data !== 'object' || data === null) {
    return 'Done.';
  }
  const record = data as Members;
  const name = NAMES.map((one) => record[one]).find((one) => typeof one === 'string');
  const time = Object.entries(record).find(([key]) => key === 'startTimeLocal')?.[1];
  const parts = [name, record['status'], time, record['id']].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  return parts.length > 0 ? `Done: ${parts.join(', ')}.` : 'Done.';
}
