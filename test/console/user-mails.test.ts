import {
  handleMailInvitation,
  handleMailLink,
} from '../../src/accounts/sign-in/sign-in-mails.jobs.ts';
import { apply } from '../support/manifest.ts';
import { inviteAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';
import { mailing, tokenIn } from './mailing.support.ts';

/** The locale of the sub-account, with words of the invitation and of the sign-in link. */
const LANGUAGES = [
  [
    'en-GB',
    'Invitation: Harbour Dental',
    'within 24 hours',
    'Your sign-in link',
    'within 15 minutes',
  ],
  [
    'de-DE',
    'Einladung: Harbour Dental',
    'innerhalb von 24 Stunden',
    'Ihr Anmeldelink',
    'innerhalb von 15 Minuten',
  ],
  [
    'es-ES',
    'Invitación: Harbour Dental',
    'durante 24 horas',
    'Su enlace de acceso',
    'durante 15 minutos',
  ],
  [
    'fr-FR',
    'Invitation : Harbour Dental',
    'pendant 24 heures',
    'Votre lien de connexion',
    'pendant 15 minutes',
  ],
  [
    'nl-NL',
    'Invitation: Harbour Dental',
    'within 24 hours',
    'Your sign-in link',
    'within 15 minutes',
  ],
] as const;

describe('the mails to a member', () => {
  test.for(LANGUAGES)(
    'have the language of the sub-account: %s',
    async ([locale, invitation, day, signInLink, minutes], { service }) => {
      await apply(service, { subAccount: { locale } });
      const { email, userId } = await inviteAs(service, 'agent');
      const { subAccountId } = service;
      const { mails, context } = mailing(service);
      await handleMailInvitation.handle({ subAccountId, userId }, context);
      await handleMailLink.handle({ email }, context);
      expect(mails).toMatchObject([
        { subject: invitation, text: expect.stringContaining(day) },
        { subject: signInLink, text: expect.stringContaining(minutes) },
      ]);
      for (const mail of mails) {
        expect(mail.text).toContain(`\n\n${service.url}/console/sign-in#${tokenIn(mail)}\n\n`);
      }
    },
  );
});
