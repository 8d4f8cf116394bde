import type { IssueMessages } from '../message-types.ts';

export const deIssues: IssueMessages = {
  texts: {
    required: 'ist erforderlich',
    empty: 'darf nicht leer sein',
    blank: 'darf nicht nur aus Leerzeichen bestehen',
    number: 'muss eine Zahl sein',
    whole: 'muss eine ganze Zahl sein',
    wholeMinutes: 'muss in ganzen Minuten angegeben sein',
    email: 'muss eine E-Mail-Adresse sein',
    phone: 'muss eine Telefonnummer mit Landesvorwahl sein, etwa +4930123456',
    url: 'muss eine Webadresse sein',
    secureUrl: 'muss eine Adresse sein, die mit https:// beginnt',
    zone: 'muss eine Zeitzone sein, etwa Europe/Berlin',
    currency: 'muss ein Währungscode nach ISO 4217 sein, etwa EUR',
    date: 'muss ein Datum sein, JJJJ-MM-TT',
    hours: 'müssen Öffnungszeiten von-bis sein, etwa 09:00-17:30',
    color: 'muss eine Farbe als #rrggbb sein, etwa #1d4ed8',
  },
  /** With a number, or the allowed values. */
  limits: {
    tooShort: (min) => `muss mindestens ${min} Zeichen haben`,
    tooLong: (max) => `darf höchstens ${max} Zeichen haben`,
    atLeast: (min) => `muss mindestens ${min} sein`,
    atMost: (max) => `darf höchstens ${max} sein`,
    above: (limit) => `muss größer als ${limit} sein`,
    tooFew: (min) => `muss mindestens ${min} ${min === '1' ? 'Eintrag' : 'Einträge'} haben`,
    tooMany: (max) => `darf höchstens ${max} ${max === '1' ? 'Eintrag' : 'Einträge'} haben`,
    below: (limit) => `muss kleiner als ${limit} sein`,
    oneOf: (allowed) => `muss eines davon sein: ${allowed}`,
  },
  butIs: (given) => `, nicht ${given}`,
};
