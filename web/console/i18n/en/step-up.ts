/** The texts of the second sign-in, and of the offer to add a passkey. */
export const enStepUp = {
  title: 'Confirm that it is you',
  text: 'This needs a sign-in within the last 10 minutes, so that a computer left alone cannot be misused. What you entered is kept.',
  passkey: 'Confirm with your passkey.',
  mail: (email: string): string =>
    `Or use a link that is sent to ${email}: open it in this browser, then continue here.`,
  mailOnly: (email: string): string =>
    `Send a sign-in link to ${email}, open it in this browser, then continue here.`,
  sent: (email: string): string =>
    `A link is on its way to ${email}. Open it in this browser, then continue here.`,
  noMail:
    'This installation sends no mail. Create a new sign-in link on the server with this command, or ask another owner for one (Agency, Users):',
  command: 'Command',
  openLink: 'Open the link in another tab of this browser, then continue here.',
  continue: 'Continue',
  notYet:
    'There is no new sign-in yet. Open the link in this browser first, then press “Continue” again.',
  offerTitle: 'Make sure that you can sign in again',
  offerAdd: 'Set up a passkey',
  offerText:
    'This installation sends no mail: without a passkey, each sign-in needs a new link from the server or from an owner. A passkey is the fingerprint, face or PIN of this device.',
  offerLater: 'Not now',
};
