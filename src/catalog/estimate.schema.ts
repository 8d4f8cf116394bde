import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';

export const ESTIMATE_STATUSES = [
  'draft',
  'sent',
  'approved',
  'declined',
  'expired',
  'invoiced',
] as const;

export type EstimateStatus = (typeof ESTIMATE_STATUSES)[number];

/** A quote as an assistant sees it (spec "Estimate"): no lines, notes, links or payments. */
export const estimateSchema = s.response({
  id: s.uuid(),
  number: Type.String(),
  status: s.oneOf(ESTIMATE_STATUSES),
  isApproved: Type.Boolean(),
  total: Type.Number(),
  currency: Type.String(),
  validUntil: s.nullable(s.isoTime()),
  isExpired: Type.Boolean(),
  approvedAt: s.nullable(s.isoTime()),
  createdAt: s.isoTime(),
});
