import type { Sealed } from '#core/secrets.ts';

const SEALED_HEADERS = 'sealedHeaders';

/**
 * A workflow without its signing secret refuses calls. A workflow whose http steps lose headers is
 * deactivated: the receiver would refuse its calls, or attribute them to another sender.
 */
export const sealedWorkflows: Sealed = {
  columns: ['workflows.secret', 'workflow_versions.steps'],
  async leaveOut({ rows }) {
    const signed = await rows<{ slug: string }>(DELETE_SECRETS);
    const versions = await rows<{ id: string; steps: unknown }>(VERSIONS, [SEALED_HEADERS]);
    for (const { id, steps } of versions) {
      await rows(SET_STEPS, [id, JSON.stringify(withoutHeaders(steps))]);
    }
    const calling = await rows<{ slug: string }>(DEACTIVATE, [versions.map(({ id }) => id)]);
    return [
      ...signed.map(({ slug }) => `the signing secret of workflow ${slug}`),
      ...calling.map(({ slug }) => `headers of the http steps of workflow ${slug}, now inactive`),
    ];
  },
};

const withoutHeaders = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(withoutHeaders);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const rest = Object.entries(value).filter(([name]) => name !== SEALED_HEADERS);
  return Object.fromEntries(rest.map(([name, inner]) => [name, withoutHeaders(inner)]));
};

const DELETE_SECRETS = `update incoming_workflows set secret = null
  where secret is not null returning slug`;

const VERSIONS = `select id, steps from incoming_workflow_versions
  where strpos(steps::text, $1) > 0`;

const SET_STEPS = 'update incoming_workflow_versions set steps = $2::json where id = $1';

const DEACTIVATE = `update incoming_workflows set active = false
  where active and id in (select workflow_id from incoming_workflow_versions where id = any($1))
  returning slug`;
