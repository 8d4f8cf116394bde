import { expect, test } from 'vitest';
import { Fault, notFound } from '#core/fault.ts';

test('a Fault has no stack, other errors do', () => {
  const fault = new Fault('VALIDATION_ERROR', 'no', { reason: 'too_soon' }, { 'retry-after': '1' });
  expect(fault).toBeInstanceOf(Error);
  expect(fault).toMatchObject({ status: 400, message: 'no', details: { reason: 'too_soon' } });
  expect(fault.stack).toBe('Error: no');
  expect(notFound('contact').stack).toBe('Error: contact not found');
  expect(new Error('a bug').stack).toContain('fault.test.ts');
});
