import type { JobContext } from '#core/job.ts';
import { openDryRun } from '../../src/commands/server/open-dry-run.ts';
import { handleImportContacts } from '../../src/console/imports/run-import.ts';
import type { Browser } from '../support/people.ts';
import type { TestService } from '../support/service.ts';

const POST = 'POST /console/api/v1/imports';

export const upload = (
  { call }: Browser,
  raw: string | Uint8Array,
  query = '',
  type = 'text/csv',
) => call(POST + query, { raw, headers: { 'content-type': type } });

export const contextOf = (service: TestService, more: Partial<JobContext> = {}) =>
  ({
    ...service,
    attempt: 1,
    signal: new AbortController().signal,
    openDryRun: (tables: readonly string[]) => openDryRun(service, tables),
    async execute(text: string, values: readonly unknown[] = []) {
      return (await service.database.pool.query(text, [...values])).rowCount ?? 0;
    },
    ...more,
  }) as unknown as JobContext;

/** Runs the job of an import. */
export const work = (service: TestService, importId: string, more: Partial<JobContext> = {}) =>
  handleImportContacts.handle(
    { subAccountId: service.subAccountId, importId },
    contextOf(service, more),
  );
