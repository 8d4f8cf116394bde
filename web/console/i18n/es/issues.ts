import type { IssueMessages } from '../message-types.ts';

export const esIssues: IssueMessages = {
  texts: {
    required: 'es obligatorio',
    empty: 'no puede estar vacío',
    blank: 'no puede tener solo espacios',
    number: 'debe ser un número',
    whole: 'debe ser un número entero',
    wholeMinutes: 'debe ser en minutos enteros',
    email: 'debe ser una dirección de correo',
    phone: 'debe ser un teléfono con su prefijo de país, por ejemplo +4930123456',
    url: 'debe ser una dirección web',
    secureUrl: 'debe ser una dirección que empiece por https://',
    zone: 'debe ser una zona horaria, por ejemplo Europe/Berlin',
    currency: 'debe ser un código de moneda ISO 4217, por ejemplo EUR',
    date: 'debe ser una fecha, AAAA-MM-DD',
    hours: 'debe ser un horario de-a, por ejemplo 09:00-17:30',
    color: 'debe ser un color #rrggbb, por ejemplo #1d4ed8',
  },
  /** With a number, or the allowed values. */
  limits: {
    tooShort: (min) => `debe tener al menos ${min === '1' ? '1 carácter' : `${min} caracteres`}`,
    tooLong: (max) => `puede tener como máximo ${max === '1' ? '1 carácter' : `${max} caracteres`}`,
    atLeast: (min) => `debe ser al menos ${min}`,
    atMost: (max) => `debe ser como máximo ${max}`,
    above: (limit) => `debe ser mayor que ${limit}`,
    tooFew: (min) => `debe tener al menos ${min} ${min === '1' ? 'elemento' : 'elementos'}`,
    tooMany: (max) => `puede tener como máximo ${max} ${max === '1' ? 'elemento' : 'elementos'}`,
    below: (limit) => `debe ser menor que ${limit}`,
    oneOf: (allowed) => `debe ser uno de estos valores: ${allowed}`,
  },
  butIs: (given) => `, no ${given}`,
};
