/** A message as the server tells it. `inbound` is the visitor's own, `outbound` an agent's. */
export interface Row {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly bodyText: string;
  readonly senderName: string | null;
  readonly createdAt: string;
}
