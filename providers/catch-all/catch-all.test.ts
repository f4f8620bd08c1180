import { unknown } from 'postern/provider-kit';
import { fakeDns, fakeSmtp } from 'postern/provider-kit/testing';
import { runContract } from 'postern/provider-kit/vitest';
import { describe, expect, it } from 'vitest';
import { anAddress } from '../../test/support/addresses.ts';
import { aMailWorld, aStore, notRun, T0, YES } from '../../test/support/catch-all-world.ts';
import { prepareCheck, withDefaults } from '../../test/support/check-with.ts';
import catchAll from './index.ts';
import { Table } from './table.ts';

describe('the table', () => {
  it.each(['gmail.com', 'outlook.com', 'hotmail.co.uk', 'proton.me', 'gmx.de'])(
    'answers false for %s from the table, and asks no mail host',
    async (domain) => {
      const { ask, asked } = await aMailWorld();
      expect(await ask(domain)).toEqual({
        facts: { 'domain.is_catch_all': false },
        evidence: { from: 'table' },
      });
      expect(asked).toEqual([]);
    },
  );

  it.each(['yahoo.com', 'icloud.com', 'mozmail.com', 'jane.mozmail.com', 'jane.anonaddy.com'])(
    'never asks the mail host of %s, not in mode live either',
    async (domain) => {
      const { ask, asked } = await aMailWorld({ mode: 'live', mx: { [domain]: ['mx.example.com'] } });
      expect(await ask(domain)).toEqual(notRun('not to be found out from outside'));
      expect(asked).toEqual([]);
    },
  );

  it.each([
    'example-com.mail.protection.outlook.com',
    'mx1.example.iphmx.com',
    'mta5.am0.yahoodns.net',
    'eu-smtp-inbound-1.mimecast.com',
  ])('never asks the mail host of a domain whose mail goes to %s', async (exchange) => {
    const { ask, asked } = await aMailWorld({
      mode: 'live',
      ttlSeconds: 120,
      mx: { 'firm.example': [exchange, 'backup.example'] },
    });
    expect(await ask('firm.example')).toEqual(notRun('not to be found out from outside', 120));
    expect(asked).toEqual([]);
  });

  it('does not apply to subdomains of its entries, and matches hosts at label boundaries', () => {
    const table = Table.load();
    expect([table.policyOf('gmail.com'), table.policyOf('sub.gmail.com')]).toEqual(['never', undefined]);
    expect(table.isBeyondAsking('mimecast.com')).toBe(true);
    expect(table.isBeyondAsking('mx.notmimecast.com')).toBe(false);
    expect(table.policyOf('com')).toBeUndefined();
  });
});

describe('without SMTP', () => {
  it.each(['example.com', 'sub.gmail.com'])(
    'answers unknown for %s, with the reason not_run',
    async (domain) => {
      const { ask } = await prepareCheck(catchAll);
      expect(await ask(anAddress('x', domain))).toEqual(notRun('not in the table'));
    },
  );

  it.each(['cached', 'live'])(
    'asks neither DNS nor a mail host without helo_name, in mode %s',
    async (mode) => {
      const { ask, asked, lookedUp } = await aMailWorld({ mode, helo_name: null });
      expect(await ask('firm.example')).toEqual(notRun('not in the table'));
      expect([asked, lookedUp]).toEqual([[], []]);
    },
  );

  it('answers not_run in mode off', async () => {
    const { ask, asked, lookedUp } = await aMailWorld({ mode: 'off' });
    for (const domain of ['gmail.com', 'firm.example']) {
      expect(await ask(domain)).toEqual(notRun('switched off'));
    }
    expect([asked, lookedUp]).toEqual([[], []]);
  });

  it('asks no mail host from a command, which has no SMTP port, and answers what the service has stored', async () => {
    const store = aStore({ now: () => T0 });
    const command = await aMailWorld({ mode: 'live', smtp: null, store });
    expect(await command.ask('firm.example')).toMatchObject(
      notRun('only the service asks mail hosts', Infinity),
    );
    const service = await aMailWorld({ store });
    await service.ask('firm.example');
    await service.reply(YES);
    expect(await command.ask('firm.example')).toMatchObject({ facts: { 'domain.is_catch_all': true } });
  });
});

describe('the MX records', () => {
  it.each([
    ['there are none', { outcome: 'nodata', ttlSeconds: 90 } as const, notRun('no MX record', 90)],
    ['there is no such domain', { outcome: 'nxdomain' } as const, notRun('no MX record')],
    [
      'the domain takes no mail',
      { outcome: 'found', records: [{ exchange: '', preference: 0 }], ttlSeconds: 90 } as const,
      notRun('null MX', 90),
    ],
    [
      'they are not found out in time',
      { outcome: 'timeout' } as const,
      { unknown: 'timeout', detail: 'MX records' },
    ],
    ['the server fails', { outcome: 'servfail' } as const, { unknown: 'servfail', detail: 'MX records' }],
  ])('%s: unknown, and no mail host is asked', async (_what, answer, expected) => {
    const { ask, asked } = await aMailWorld({ mode: 'live', answer });
    expect(await ask('firm.example')).toEqual(expected);
    expect(asked).toEqual([]);
  });

  it.each(['192.0.2.25', '127.0.0.1', '[192.0.2.25]', '2001:db8::25', 'localhost', 'mail.localhost'])(
    'never asks a mail host at %s, and asks the other exchange where there is one',
    async (exchange) => {
      for (const mode of ['cached', 'live']) {
        const alone = await aMailWorld({ mode, ttlSeconds: 90, mx: { 'firm.example': [exchange] } });
        expect(await alone.ask('firm.example')).toEqual(notRun('null MX', 90));
        expect(alone.asked).toEqual([]);
      }
      const other = await aMailWorld({ mx: { 'firm.example': [exchange, 'mx.firm.example'] } });
      await other.ask('firm.example');
      expect(other.asked.map((question) => question.exchange)).toEqual(['mx.firm.example']);
    },
  );

  it.each(['literal', 'dotless'] as const)('are not looked up for a %s domain', async (domainKind) => {
    const { ask, lookedUp } = await aMailWorld({ mode: 'live' });
    expect(await ask('firm.example', domainKind)).toEqual(notRun('not a domain name'));
    expect(lookedUp).toEqual([]);
  });
});

describe('the options', () => {
  it('make no SMTP connection by default', () => {
    const defaults = {
      mode: 'cached',
      helo_name: null,
      port: 25,
      allow_private_addresses: false,
      daily_probes: 1_000,
      daily_probes_per_domain: 4,
    };
    expect(withDefaults(catchAll.options)).toEqual(defaults);
    const all = {
      mode: 'live',
      helo_name: 'mail.example.org',
      port: 2525,
      allow_private_addresses: true,
      daily_probes: 5,
      daily_probes_per_domain: 0,
    };
    expect(withDefaults(catchAll.options, all)).toEqual(all);
  });

  it.each(['mail.example.org', 'mx', '[192.0.2.1]', '[IPv6:2001:db8::1]'])(
    'accept the name %s',
    (helo_name) => {
      expect(withDefaults(catchAll.options, { helo_name })).toMatchObject({ helo_name });
    },
  );

  it.each([
    { mode: 'on' },
    { port: 0 },
    { helo_name: 1 },
    { helo_name: '' },
    { helo_name: 'a b' },
    { helo_name: 'a\r\nQUIT' },
    { helo_name: 'mail.example.org\n' },
    { helo: 'x' },
    { daily_probes: -1 },
  ])('refuse %j', (options) => {
    expect(() => withDefaults(catchAll.options, options)).toThrow();
  });
});

runContract(catchAll, {
  given: {
    options: { mode: 'live', helo_name: 'postern.example' },
    ports: { dns: fakeDns({ 'own.example': { mx: ['mail.own.example'], ttlSeconds: 300 } }) },
  },
  cases: [
    { email: 'jane@gmail.com', expect: { 'domain.is_catch_all': false }, evidence: { from: 'table' } },
    { email: 'jane@own.example', expect: { 'domain.is_catch_all': false } },
    {
      name: 'a host that takes all',
      email: 'jane@own.example',
      given: { ports: { smtp: fakeSmtp('all_accepted') } },
      expect: { 'domain.is_catch_all': true },
    },
    {
      name: 'a host that takes its time',
      email: 'jane@own.example',
      given: { ports: { smtp: fakeSmtp('deferred') } },
      expect: unknown('refused'),
    },
    { email: 'jane@yahoo.com', expect: unknown('not_run') },
  ],
});
