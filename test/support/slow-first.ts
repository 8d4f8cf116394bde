import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests start processes, browsers and servers, and take up to a minute. */
const SLOW =
  /survival|citus|killed|steps|release|moving|backup|watchdog|doctor|metrics|chromium|command|admin-|package|receivers|readme|dovecot|radicale|pgbouncer|replica|embedded-postgres|conformance/;

/** Starts the slow files first, so that idle workers do not wait for a late one. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOW.test(moduleId.split('/test/')[1] ?? '');
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
