import { unknown } from 'postern/provider-kit';
import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import type { FactValue } from '../../src/provider-kit/index.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import ownerCluster from './index.ts';

async function ask(email: string, mailHost: FactValue | null) {
  const reading = readAddress(email);
  if (!reading.ok) throw new Error(`${email}: ${reading.refusal.message}`);
  return (await prepareCheck(ownerCluster, { needs: { 'mx.provider': mailHost } })).ask(reading.address);
}

it.each([
  ['jane@firm.example', 'google', 'mail_host', []],
  ['j.a.ne+x@firm.example', 'google', 'mail_host', ['dots']],
  ['j.d-o_e@firm.example', 'proton', 'mail_host', ['dots', 'characters']],
  ['jane-shop@firm.example', 'yahoo', 'mail_host', ['nickname']],
  ['jane.doe@firm.example', 'microsoft', 'canonical', []],
  ['jane.doe@firm.example', 'none', 'canonical', []],
  ['j.ane@gmail.com', 'google', 'canonical', []],
  ['jane@yahoo.com', 'yahoo', 'provider', []],
  ['jane-shop@yahoo.com', 'yahoo', 'provider', ['nickname']],
  ['j.ane@pm.me', 'proton', 'provider', ['domain']],
  ['jane@[192.0.2.1]', 'none', 'canonical', []],
])(
  'gives the basis and the changes of the owner of %s, whose MX is run by %s',
  async (email, mailHost, basis, changes) => {
    expect(await ask(email, mailHost)).toEqual({
      facts: { 'owner_cluster.basis': basis, 'owner_cluster.changes': changes.length },
      ...(changes.length > 0 && { evidence: { changes } }),
    });
  },
);

it.each(['jane@firm.example', 'j.ane@firm.example', 'jane@mail.yahoo.com'])(
  'answers unknown for %s while the operator of its MX is unknown',
  async (email) => {
    expect(await ask(email, null)).toEqual({ unknown: 'not_run', detail: 'who runs the MX is unknown' });
  },
);

it.each([
  ['jane-shop@yahoo.com', 'provider', 1],
  ['jane@gmail.com', 'canonical', 0],
  ['jane@intranet', 'canonical', 0],
  ['jane@[192.0.2.1]', 'canonical', 0],
])('answers for %s what does not depend on the MX', async (email, basis, changes) => {
  expect(await ask(email, null)).toMatchObject({
    facts: { 'owner_cluster.basis': basis, 'owner_cluster.changes': changes },
  });
});

it('shows nothing of the text that it folds', async () => {
  const answers = [
    await ask('j.secret-nick@firm.example', 'proton'),
    await ask('secret-nick@yahoo.com', null),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/secret|nick@|firm|yahoo/);
});

runContract(ownerCluster, {
  cases: [
    { email: 'jane@gmail.com', expect: { 'owner_cluster.basis': 'canonical', 'owner_cluster.changes': 0 } },
    {
      email: 'jane.doe@firm.example',
      given: { needs: { 'mx.provider': 'google' } },
      expect: { 'owner_cluster.basis': 'mail_host', 'owner_cluster.changes': 1 },
    },
    { email: 'jane@firm.example', expect: unknown('not_run') },
  ],
});
