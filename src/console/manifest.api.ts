import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import type { Section } from '#core/section.ts';
import { recentSignInNeeded } from '#platform/http/session.ts';
import { applySource } from '../manifest/apply-source.ts';
import { exportWithIds, writeYaml } from '../manifest/export-manifest.ts';

/** Characters: far above every manifest, and below the limit of a body. */
const SOURCE_MAX = 500_000;

const body = s.request({
  source: Type.String({
    maxLength: SOURCE_MAX,
    description: 'the manifest in YAML or JSON',
    examples: ['chat:\n  title: Chat with us\n'],
  }),
  prune: Type.Optional(
    Type.Boolean({ description: 'removes everything that the manifest does not name' }),
  ),
});

const named = {
  section: Type.String({ examples: ['calendars'] }),
  key: Type.String({ examples: ['checkup'] }),
};
const applied = s.request({
  ...body.properties,
  base: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'the manifest, or its sections of the source, as it was read: entries of the source (with `prune`, all entries) that were created, changed or removed since are refused',
    }),
  ),
});

const idMaps = Type.Record(Type.String(), Type.Record(Type.String(), s.uuid()), {
  description: 'the ids of entries by section and key',
});

const outcome = s.response({
  created: Type.Array(s.response(named)),
  updated: Type.Array(
    s.response({
      ...named,
      fields: Type.Array(Type.String()),
      changes: Type.Record(
        Type.String(),
        s.response({
          from: Type.Unknown({ description: 'secrets are masked' }),
          to: Type.Unknown(),
        }),
      ),
    }),
  ),
  unchanged: Type.Integer(),
  removed: Type.Array(s.response(named)),
  skipped: Type.Array(s.response({ ...named, reason: Type.String() })),
  ids: idMaps,
  warnings: Type.Array(Type.String()),
});

const NO_ENVIRONMENT =
  'An issue has the `line` and `column` of the source. `${env:NAME}` keeps its value if it is stored already; a new reference is refused.';

const admin = memberRole('admin');

/** The manifest of the sub-account. */
export const manifestEndpoints = (sections: readonly Section[]) => [
  defineConsoleEndpoint({
    id: 'manifest.get',
    method: 'GET',
    path: '/console/api/v1/manifest',
    summary: 'Get the sub-account as a manifest, without its secrets',
    description: 'As `frontdesk admin export`: applying it changes nothing.',
    access: admin,
    rate: 'read',
    data: s.response({
      source: Type.String({ description: 'YAML' }),
      manifest: Type.Record(Type.String(), Type.Unknown()),
      ids: idMaps,
    }),
    async dryRun({ work }) {
      const { manifest, ids } = await exportWithIds(work, sections);
      return { data: { source: `${writeYaml(manifest)}\n`, manifest, ids } };
    },
  }),
  defineConsoleEndpoint({
    id: 'manifest.diff',
    method: 'POST',
    path: '/console/api/v1/manifest/diff',
    summary: 'Show the changes or errors of a manifest without applying it',
    description: `As \`frontdesk admin diff\`. ${NO_ENVIRONMENT}`,
    access: admin,
    rate: 'read',
    body,
    data: outcome,
    async dryRun({ work, tools, body: { source, prune = false } }) {
      const input = { source, prune, isPlan: true, tools };
      const result = await applySource(work, sections, input);
      return { data: { ...result.outcome, warnings: result.cautions } };
    },
  }),
  defineConsoleEndpoint({
    id: 'manifest.apply',
    method: 'POST',
    path: '/console/api/v1/manifest/apply',
    summary: 'Apply a manifest in one transaction',
    description: `As \`frontdesk admin apply\`. With \`prune\`, it needs a sign-in within the last 10 minutes. ${NO_ENVIRONMENT}`,
    access: admin,
    rate: 'write',
    faults: ['CHANGED_MEANWHILE'],
    body: applied,
    data: outcome,
    async write({ work, caller, tools, body: { source, base, prune = false } }) {
      if (prune && !caller.isRecent) {
        throw recentSignInNeeded();
      }
      const input = { source, base, prune, isPlan: false, tools };
      const result = await applySource(work, sections, input);
      return { data: { ...result.outcome, warnings: result.cautions } };
    },
  }),
];
