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
    /** of winning, per cent */
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
    /** of winning, per cent */
    probability: number;
    count: number;
    /** one for each currency in which anything has a value */
    values: {
      currency: string;
      value: number;
      /** by the stage's probability */
      weightedValue: number;
    }[];
  }[];
  totals: {
    count: number;
    /** one for each currency in which anything has a value */
    values: {
      currency: string;
      value: number;
      /** by the stage's probability */
      weightedValue: number;
    }[];
  };
}

export const pipelines = (api: Api) => ({
  /**
   * List all pipelines with their stages, in order.
   *
   * The first one is the default. Pipelines are set up by the manifest.
   *
   * Scope: `opportunities:read`.
   */
  list: (options?: CallOptions) =>
    api.data<Pipeline[]>('GET', path`/api/v1/pipelines`, { options }),

  /**
   * Count and value of the open opportunities in each stage.
   *
   * Won, lost, abandoned and deleted ones are left out. Values are summed by currency;
   * `weightedValue` is the value times the probability of its stage.
   *
   * Scope: `opportunities:read`.
   */
  summary: (id: string, options?: CallOptions) =>
    api.data<PipelineSummary>('GET', path`/api/v1/pipelines/${id}/summary`, { options }),
});
