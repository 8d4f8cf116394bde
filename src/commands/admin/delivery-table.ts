import type { ListedDelivery } from '../../webhooks/deliveries/list-all-deliveries.ts';

/** The columns of delivery attempts, the most important first. */
export const deliveryTable = (rows: readonly ListedDelivery[]) =>
  rows.map(({ id, createdAt, event, attempt, status, nextAttemptAt, ...row }) => ({
    id,
    event,
    status,
    createdAt,
    answer: row.error ?? row.responseStatus,
    attempt,
    ms: row.durationMs,
    nextAttemptAt,
  }));
