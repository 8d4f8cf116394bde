// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface TeamMember {
  id: string;
  key: string;
  name: string;
  email: string | null;
}

export const team = (api: Api) => ({
  /**
   * List the team members.
   *
   * Sorted by name. `id` is what `assignedTo` of contacts, tasks, opportunities and
   * appointments refers to; `key` is the key of the manifest.
   *
   * Scope: `contacts:read`.
   */
  list: (options?: CallOptions) => api.data<TeamMember[]>('GET', path`/api/v1/team`, { options }),
});
