import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import syntax from './index.ts';

function read(text: string) {
  const reading = readAddress(text);
  if (!reading.ok) throw new Error(`refused: ${reading.refusal.code}`);
  return reading.address;
}

it('calls an address without faults valid, and reports nothing else', async () => {
  const { find } = await prepareCheck(syntax);
  expect(await find(anAddress())).toEqual({
    facts: { 'syntax.valid_format': true, 'syntax.fault_count': 0 },
  });
});

it('counts the kinds of fault and gives their codes and positions, never their text', async () => {
  const { find } = await prepareCheck(syntax);
  const fault = { code: 'double_dot', position: 4, message: 'There are two dots after "jane".' };
  const comment = { ...fault, code: 'comment', position: 12 };
  expect(
    await find(anAddress('jane', 'x.org', { faults: [fault, { ...fault, position: 9 }, comment] })),
  ).toEqual({
    facts: { 'syntax.valid_format': false, 'syntax.fault_count': 2 },
    evidence: {
      faults: [
        { code: 'double_dot', position: 4 },
        { code: 'double_dot', position: 9 },
        { code: 'comment', position: 12 },
      ],
    },
  });
});

it('counts a thousand faults of a kind once and shows the first twenty, so that a record stays small', async () => {
  const { find } = await prepareCheck(syntax);
  const faults = Array.from({ length: 1000 }, (_, position) => ({
    code: 'misplaced_dot',
    position,
    message: '.',
  }));
  const { facts, evidence } = await find(anAddress('jane', 'x.org', { faults }));
  expect(facts['syntax.fault_count']).toBe(1);
  expect(evidence?.faults).toHaveLength(20);
});

it.each([
  'maria@x.org (Maria Lopez)',
  '(Maria Lopez) maria@x.org',
  'maria (at work) @ x.org',
  'Maria Lopez <maria@x.org> (work)',
  'Maria < maria@x.org >',
  'maria@x.org (work) (not home)',
  '\u200bmaria@x.org (Maria)',
])('counts marks that are copied along with an address as one slip: %j', async (text) => {
  const { find } = await prepareCheck(syntax);
  expect((await find(read(text))).facts['syntax.fault_count']).toBe(1);
});

it.each(['maria..lopez@x.org (Maria)', '"maria" <maria.@x.org>', '.maria @x_y.org'])(
  'counts a slip in the address itself separately: %j',
  async (text) => {
    const { find } = await prepareCheck(syntax);
    expect((await find(read(text))).facts['syntax.fault_count']).toBeGreaterThan(1);
  },
);

runContract(syntax, {
  cases: [
    { email: 'jane@example.com', expect: { 'syntax.valid_format': true, 'syntax.fault_count': 0 } },
    { email: '"a b"@localhost', expect: { 'syntax.valid_format': false, 'syntax.fault_count': 2 } },
  ],
});
