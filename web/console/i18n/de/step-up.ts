import type { StepUpMessages } from '../message-types.ts';

export const deStepUp: StepUpMessages = {
  title: 'Bestätigen Sie, dass Sie es sind',
  text: 'Dafür darf die letzte Anmeldung höchstens 10 Minuten her sein, damit ein unbeaufsichtigter Computer nicht missbraucht werden kann. Ihre Eingaben bleiben erhalten.',
  passkey: 'Bestätigen Sie mit Ihrem Passkey.',
  mail: (email) =>
    `Oder nehmen Sie einen Link, der an ${email} geht: Öffnen Sie ihn in diesem Browser, und machen Sie dann hier weiter.`,
  mailOnly: (email) =>
    `Senden Sie einen Anmeldelink an ${email}, öffnen Sie ihn in diesem Browser, und machen Sie dann hier weiter.`,
  sent: (email) =>
    `Ein Link ist an ${email} unterwegs. Öffnen Sie ihn in diesem Browser, und machen Sie dann hier weiter.`,
  noMail:
    'Diese Installation verschickt keine Mails. Erstellen Sie mit diesem Befehl auf dem Server einen neuen Anmeldelink, oder lassen Sie sich von jemand anderem mit der Rolle Inhaber einen geben („Agentur“, „Personen“):',
  command: 'Befehl',
  openLink:
    'Öffnen Sie den Link in einem anderen Tab dieses Browsers, und machen Sie dann hier weiter.',
  continue: 'Weiter',
  notYet:
    'Es gibt noch keine neue Anmeldung. Öffnen Sie zuerst den Link in diesem Browser, und wählen Sie dann noch einmal „Weiter“.',
  offerTitle: 'Stellen Sie sicher, dass Sie sich wieder anmelden können',
  offerAdd: 'Passkey einrichten',
  offerText:
    'Diese Installation verschickt keine Mails: Ohne Passkey braucht jede Anmeldung einen neuen Link. Ein Passkey ist der Fingerabdruck, das Gesicht oder die PIN dieses Geräts.',
  offerLater: 'Später',
};
