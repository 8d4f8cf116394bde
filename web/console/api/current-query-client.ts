import {
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  type QueryKey,
} from '@tanstack/query-core';

/**
 * Misses no change. TanStack Query keeps the answer to a first load or a preload that was under way
 * when its query was invalidated, and takes it for current, although the server may have answered
 * before the change: such a query is invalidated again after its answer.
 */
export class CurrentQueryClient extends QueryClient {
  /** Queries that are invalidated after their answer. */
  readonly #awaited = new WeakSet<Query>();

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const late = this.getQueryCache().findAll(filters).filter(keepsOldAnswer);
    await Promise.all([
      super.invalidateQueries(filters, options),
      ...late.map((query) => this.#invalidateLater(query)),
    ]);
  }

  async #invalidateLater(query: Query): Promise<void> {
    if (this.#awaited.has(query)) {
      return;
    }
    this.#awaited.add(query);
    await query.fetch().catch(() => undefined);
    this.#awaited.delete(query);
    await super.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

const keepsOldAnswer = (query: Query): boolean =>
  query.state.fetchStatus === 'fetching' && (query.state.data === undefined || !query.isActive());
