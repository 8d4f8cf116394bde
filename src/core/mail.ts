export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Mail from the installation itself to the people who run a sub-account. */
export interface Mailer {
  /**
   * Rejects where the mail server did not take it; the caller may try again. `logged` where the
   * installation has no mail server to send by.
   */
  send(mail: Mail): Promise<'sent' | 'logged'>;
  close(): Promise<void>;
}
