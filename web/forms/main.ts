import { areValid, checkFields, followConditions } from './fields.ts';
import { guard } from './guard.ts';
import { replaceBrokenLogo } from '../pages/replace-broken-logo.ts';
import { reportHeight } from './report-height.ts';
import { makeSteps } from './steps.ts';

/** Progressive enhancement: forms without a captcha work without all of this. */
const form = document.querySelector('form');
const problem = document.querySelector<HTMLElement>('#problem');

if (form) {
  followConditions(form);
  checkFields(form);
  makeSteps(form);
  form.addEventListener('submit', (event) => {
    if (!areValid(form, form)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  });
  guard(form);
}
reportHeight();
replaceBrokenLogo();
problem?.focus();
