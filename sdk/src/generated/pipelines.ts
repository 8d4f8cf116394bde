// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface Pipeline {
  id: string;
  name: string;
  position: number;
  isDefault: boolean;
  stages: {
    id: string;
    name: string;
    position: number;
    /** probability of winning, in percent */
    probability: number;
  }[];
  createdAt: string;
  updatedAt: string;
}

export interface PipelineSummary {
  id: string;
  name: string;
  stages: {
    stageId: string;
    name: string;
    position: number;
    /** probability of winning, in percent */
    probability: number;
    count: number;
    /** one entry per currency */
    values: {
      currency: string;
      value: number;
      /** the value times the probability of its stage */
      weightedValue: number;
    }[];
  }[];
  totals: {
    count: number;
    /** one entry per currency */
    values: {
      currency: string;
      value: number;
      /** the value times the probability of its stage */
      weightedValue: number;
    }[];
  };
}

export const pipelines = (api: Api) => ({
  /**
   * List all pipelines with their stages, in order.
   *
   * The first pipeline is the default. Pipelines are configured in the manifest.
   *
   * Scope: `opportunities:read`.
   */
  list: (options?: CallOptions) =>
    api.data<Pipeline[]>('GET', path`/api/v1/pipelines`, { options }),

  /**
   * Get count and value of the open opportunities by stage.
   *
   * Ignores won, lost, abandoned and deleted opportunities. Values are summed by currency;
   * `weightedValue` is the value times the probability of its stage.
   *
   * Scope: `opportunities:read`.
   */
  summary: (id: string, options?: CallOptions) =>
    api.data<PipelineSummary>('GET', path`/api/v1/pipelines/${id}/summary`, { options }),
});
