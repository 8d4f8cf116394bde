import { guard } from './guard.ts';

const form = document.querySelector('form');
const problem = document.querySelector<HTMLElement>('#problem');

if (form) {
  guard(form);
}
problem?.focus();
