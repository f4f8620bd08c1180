import { expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck, withDefaults } from '../../test/support/check-with.ts';
import catchAll from './index.ts';

it.each(['gmail.com', 'outlook.com', 'hotmail.co.uk', 'proton.me', 'gmx.de'])(
  'knows that %s is none',
  async (domain) => {
    const { ask } = await prepareCheck(catchAll);
    expect(await ask(anAddress('x', domain))).toEqual({
      facts: { 'domain.is_catch_all': false },
      evidence: { from: 'table' },
    });
  },
);

it.each(['example.com', 'sub.gmail.com', 'yahoo.com', 'icloud.com'])(
  'does not know about %s, and says that nothing was tried',
  async (domain) => {
    const { ask } = await prepareCheck(catchAll);
    expect(await ask(anAddress('x', domain))).toMatchObject({ unknown: 'not_run' });
  },
);

it('takes the four options, and no SMTP connection by default', () => {
  expect(withDefaults(catchAll.options)).toEqual({
    mode: 'cached',
    helo_name: null,
    port: 25,
    allow_private_addresses: false,
  });
  const all = { mode: 'live', helo_name: 'mail.example.org', port: 2525, allow_private_addresses: true };
  expect(withDefaults(catchAll.options, all)).toEqual(all);
});

it.each([{ mode: 'on' }, { port: 0 }, { helo_name: 1 }, { helo: 'x' }])(
  'refuses the options %j',
  (options) => {
    expect(() => withDefaults(catchAll.options, options)).toThrow();
  },
);

it('answers nothing when it is off', async () => {
  const { ask } = await prepareCheck(catchAll, { options: { mode: 'off' } });
  expect(await ask(anAddress('x', 'gmail.com'))).toMatchObject({ unknown: 'not_run' });
});

it('answers the same in mode live, as long as there is no prober', async () => {
  const { ask } = await prepareCheck(catchAll, { options: { mode: 'live', helo_name: 'mail.example.org' } });
  expect(await ask(anAddress('x', 'gmail.com'))).toMatchObject({ facts: { 'domain.is_catch_all': false } });
  expect(await ask(anAddress('x', 'example.com'))).toMatchObject({ unknown: 'not_run' });
});
