/** Windows such as `09:00-12:00` by weekday, `mon` to `sun`; none on a day that is left out. */
export type BusinessHours = Readonly<Record<string, readonly string[]>>;

/** What `GET /api/chat/config` answers. */
export interface Configuration {
  readonly subAccountId: string;
  readonly enabled: boolean;
  readonly title: string | null;
  readonly welcomeMessage: string | null;
  readonly color: string | null;
  readonly position: 'left' | 'right' | null;
  readonly online: boolean;
  readonly businessHours: BusinessHours | null;
  readonly timezone: string | null;
  readonly requireEmail: boolean;
  readonly legalText: string | null;
}
