import { ok, warn, type Check } from './check.ts';

/** Receivers that were switched off, or have failed for so long that they will be. */
export const webhooks: Check = {
  name: 'webhooks',
  async examine({ rows }) {
    const [found] = await rows<Figures>(FIGURES);
    const { all, disabled, failing } = found as Figures;
    return disabled + failing > 0
      ? warn(
          `of ${all} receivers ${disabled} were switched off and ${failing} fail for an hour or more`,
          'see frontdesk admin webhook list; frontdesk admin webhook enable ID once they are mended',
        )
      : ok(`${all} receivers`);
  },
};

interface Figures {
  readonly all: number;
  readonly disabled: number;
  readonly failing: number;
}

const FIGURES = `
  select count(*)::int as all,
    count(*) filter (where status = 'disabled' and disabled_reason is not null)::int as disabled,
    count(*) filter (where status = 'active' and failing_since < now() - interval '1 h')::int
      as failing
  from webhook_subscriptions where deleted_at is null`;
