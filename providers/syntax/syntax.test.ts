import { expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import syntax from './index.ts';

it('calls an address without faults valid, and has nothing to add', async () => {
  const { find } = await prepareCheck(syntax);
  expect(await find(anAddress())).toEqual({
    facts: { 'syntax.valid_format': true, 'syntax.fault_count': 0 },
  });
});

it('counts the faults and gives their codes and places, never their words', async () => {
  const { find } = await prepareCheck(syntax);
  const fault = { code: 'double_dot', position: 4, message: 'There are two dots after "jane".' };
  expect(await find(anAddress('jane', 'x.org', { faults: [fault, { ...fault, position: 9 }] }))).toEqual({
    facts: { 'syntax.valid_format': false, 'syntax.fault_count': 2 },
    evidence: {
      faults: [
        { code: 'double_dot', position: 4 },
        { code: 'double_dot', position: 9 },
      ],
    },
  });
});

it('counts a thousand faults and shows the first twenty, so that a record stays small', async () => {
  const { find } = await prepareCheck(syntax);
  const faults = Array.from({ length: 1000 }, (_, position) => ({
    code: 'misplaced_dot',
    position,
    message: '.',
  }));
  const { facts, evidence } = await find(anAddress('jane', 'x.org', { faults }));
  expect(facts['syntax.fault_count']).toBe(1000);
  expect(evidence?.faults).toHaveLength(20);
});
