import type { IssueMessages } from '../message-types.ts';

export const frIssues: IssueMessages = {
  texts: {
    required: 'est obligatoire',
    empty: 'ne doit pas être vide',
    blank: 'ne doit pas contenir que des espaces',
    number: 'doit être un nombre',
    whole: 'doit être un nombre entier',
    wholeMinutes: 'doit être en minutes entières',
    email: 'doit être une adresse e-mail',
    phone: 'doit être un numéro avec son indicatif de pays, par exemple +4930123456',
    url: 'doit être une adresse web',
    secureUrl: 'doit être une adresse qui commence par https://',
    zone: 'doit être un fuseau horaire, par exemple Europe/Berlin',
    currency: 'doit être un code de devise ISO 4217, par exemple EUR',
    date: 'doit être une date, AAAA-MM-JJ',
    hours: 'doit être un horaire de-à, par exemple 09:00-17:30',
    color: 'doit être une couleur #rrggbb, par exemple #1d4ed8',
  },
  /** With a number, or the allowed values. */
  limits: {
    tooShort: (min) => `doit avoir au moins ${min} caractère${min === '1' ? '' : 's'}`,
    tooLong: (max) => `doit avoir au plus ${max} caractère${max === '1' ? '' : 's'}`,
    atLeast: (min) => `doit être au moins ${min}`,
    atMost: (max) => `doit être au plus ${max}`,
    above: (limit) => `doit être supérieur à ${limit}`,
    tooFew: (min) => `doit avoir au moins ${min} ${min === '1' ? 'élément' : 'éléments'}`,
    tooMany: (max) => `doit avoir au plus ${max} ${max === '1' ? 'élément' : 'éléments'}`,
    below: (limit) => `doit être inférieur à ${limit}`,
    oneOf: (allowed) => `doit être l’une de ces valeurs : ${allowed}`,
  },
  butIs: (given) => `, pas ${given}`,
};
