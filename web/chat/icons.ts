import { icon } from './element.ts';

export const talkIcon = () =>
  icon(
    'M12 3.2c-5.2 0-9.2 3.5-9.2 8 0 2.5 1.2 4.6 3.1 6.1.1 1.2-.3 2.4-1.2 3.4 1.8-.1 3.5-.8 4.8-1.9.8.2 1.6.3 2.5.3 5.2 0 9.2-3.5 9.2-7.9s-4-8-9.2-8Z',
    'talk',
  );
export const downIcon = () => icon('m6 9.5 6 6 6-6', 'line down');
export const crossIcon = () => icon('m6.5 6.5 11 11m0-11-11 11', 'line');
export const sendIcon = () =>
  icon(
    'M4 11.1 3.2 4.8c-.1-.8.7-1.4 1.4-1l15.3 7.3c.8.4.8 1.5 0 1.8L4.6 20.2c-.7.4-1.5-.2-1.4-1L4 12.9l7-.9z',
    'plane',
  );
export const clipIcon = () =>
  icon(
    'm20 11.5-8.2 8.2a5 5 0 0 1-7.1-7.1l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.8',
    'line',
  );
export const clockIcon = () =>
  icon('M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm0 4.2V12l3 2', 'line');
