import type { SurveyedDelivery } from '../../webhooks/survey-deliveries.ts';

/** Attempts as they fit a screen. */
export const deliveryTable = (rows: readonly SurveyedDelivery[]) =>
  rows.map(({ id, createdAt, event, attempt, status, nextAttemptAt, ...row }) => ({
    id,
    createdAt,
    event,
    attempt,
    status,
    answer: row.error ?? row.responseStatus,
    ms: row.durationMs,
    nextAttemptAt,
  }));
