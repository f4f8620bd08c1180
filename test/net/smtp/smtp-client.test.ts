import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { QUESTION_MS, SessionQueue, STEP_MS } from '../../../src/net/smtp/smtp-client.ts';
import type { DnsResolver } from '../../../src/provider-kit/index.ts';
import { aBareHost, aMailHost, refusesUnknown } from '../../support/mail-hosts.ts';
import { aClient, dnsWith } from './a-client.ts';

describe('a real mail host', () => {
  it('that accepts every recipient is asked twice, for names that do not exist, each in its own session', async () => {
    const host = await aMailHost();
    const { ask } = aClient();
    expect(await ask(host.port)).toEqual({ outcome: 'all_accepted', step: 'rcpt', code: 250 });
    expect(host.sessions).toEqual([
      { helo: 'probe.example.net', isSecure: true, sender: '', recipients: [expect.any(String)] },
      { helo: 'probe.example.net', isSecure: true, sender: '', recipients: [expect.any(String)] },
    ]);
    const recipients = host.sessions.flatMap((session) => session.recipients);
    for (const recipient of recipients) expect(recipient).toMatch(/^[a-z][a-z0-9]{19}@example\.com$/);
    expect(new Set(recipients).size).toBe(2);
    expect(host.mostAtOnce).toBe(1);
  });

  it('that refuses unknown names is asked once', async () => {
    const host = await aMailHost({ recipients: refusesUnknown });
    expect(await aClient().ask(host.port)).toEqual({
      outcome: 'no_such_mailbox',
      step: 'rcpt',
      code: 550,
      enhancedCode: '5.1.1',
    });
    expect(host.sessions).toHaveLength(1);
  });

  it('that refuses one of two names does not accept all', async () => {
    let asked = 0;
    const host = await aMailHost({ recipients: () => (asked++ === 0 ? null : [550, '5.1.1 User unknown']) });
    expect(await aClient().ask(host.port)).toMatchObject({ outcome: 'no_such_mailbox' });
  });

  it('that refuses a second recipient in a session never receives one', async () => {
    const host = await aMailHost({
      recipients: (_, { recipients }) => (recipients.length > 1 ? [451, '4.5.3 Too many recipients'] : null),
    });
    expect(await aClient().ask(host.port)).toMatchObject({ outcome: 'all_accepted' });
  });

  it('that refuses both names for another reason has said nothing about the mailbox', async () => {
    const host = await aMailHost({ recipients: () => [550, '5.7.1 Blocked by policy'] });
    expect(await aClient().ask(host.port)).toMatchObject({ outcome: 'rejected', enhancedCode: '5.7.1' });
  });

  it('that greylists is deferred, at the first name or the second', async () => {
    const host = await aMailHost({ recipients: () => [450, '4.2.0 Greylisted'] });
    expect(await aClient().ask(host.port)).toMatchObject({
      outcome: 'deferred',
      code: 450,
      enhancedCode: '4.2.0',
    });
    let asked = 0;
    const second = await aMailHost({ recipients: () => (asked++ === 0 ? null : [451, '4.7.1 Later']) });
    expect(await aClient().ask(second.port)).toMatchObject({ outcome: 'deferred', code: 451 });
  });

  it('that requires STARTTLS is asked over TLS', async () => {
    const host = await aMailHost({
      recipients: refusesUnknown,
      onMailFrom: (_address, { secure }, callback) =>
        callback(
          secure ? null : Object.assign(new Error('5.7.0 Must issue STARTTLS first'), { responseCode: 530 }),
        ),
    });
    expect(await aClient().ask(host.port)).toMatchObject({ outcome: 'no_such_mailbox' });
  });

  it('without STARTTLS is asked in clear text', async () => {
    const host = await aMailHost({ disabledCommands: ['STARTTLS', 'AUTH'] });
    expect(await aClient().ask(host.port)).toMatchObject({ outcome: 'all_accepted' });
    expect(host.sessions.map(({ isSecure }) => isSecure)).toEqual([false, false]);
  });
});

it('waits 5 s a step and 8 s in all', () => {
  expect([STEP_MS, QUESTION_MS]).toEqual([5_000, 8_000]);
});

describe('the address', () => {
  const PRIVATE = [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    'fd00::1',
    '64:ff9b::7f00:1',
  ];

  it.each(PRIVATE)('%s is not connected to', async (address) => {
    const host = await aMailHost();
    const { ask } = aClient({ dns: dnsWith({ 'mx.example.com': [address] }) });
    expect(await ask(host.port, { allowPrivateAddresses: false })).toEqual({ outcome: 'private_address' });
    expect(host.sessions).toEqual([]);
  });

  it('that was checked is the one that is connected to: the name is not looked up again', async () => {
    const host = await aMailHost();
    const asked: string[] = [];
    const dns: DnsResolver = {
      ...dnsWith(),
      addresses: async (name) => {
        asked.push(name);
        return { outcome: 'found', records: ['127.0.0.1'] };
      },
    };
    // Only the given resolver knows this name.
    expect(await aClient({ dns }).ask(host.port, { exchange: 'mx.invalid' })).toMatchObject({
      outcome: 'all_accepted',
    });
    expect(asked).toEqual(['mx.invalid']);
  });

  it.each(['nxdomain', 'nodata', 'timeout', 'servfail'] as const)(
    'that DNS cannot resolve (%s) is no_address',
    async (outcome) => {
      const dns: DnsResolver = { ...dnsWith(), addresses: async () => ({ outcome }) };
      expect(await aClient({ dns }).ask(25)).toEqual({ outcome: 'no_address' });
    },
  );
});

describe('sessions', () => {
  it('with one host run one after the other, whatever names lead to it', async () => {
    const host = await aMailHost();
    const { ask } = aClient();
    const exchanges = ['mx1.example.com', 'mx1.example.com', 'mx2.example.com', 'mx3.example.com'];
    const answers = await Promise.all(exchanges.map((exchange) => ask(host.port, { exchange })));
    expect(answers.map(({ outcome }) => outcome)).toEqual(exchanges.map(() => 'all_accepted'));
    expect(host.sessions).toHaveLength(8);
    expect(host.mostAtOnce).toBe(1);
  });

  // All of 127.0.0.0/8 is loopback, so that each host has its own address; macOS has only the first.
  it.skipIf(process.platform === 'darwin')(
    'with different hosts run concurrently, up to a limit',
    async () => {
      const gate = Promise.withResolvers<void>();
      let open = 0;
      let most = 0;
      const refuse = async (socket: Socket) => {
        open += 1;
        most = Math.max(most, open);
        if (open === 3) gate.resolve();
        await gate.promise;
        open -= 1;
        socket.end('554 no\r\n');
      };
      const addresses = [1, 2, 3, 4, 5, 6].map((n) => `127.0.0.${n}`);
      const hosts = await Promise.all(addresses.map((address) => aBareHost(refuse, address)));
      const dns = dnsWith(Object.fromEntries(addresses.map((address) => [`mx-${address}`, [address]])));
      const { ask } = aClient({ dns, sessionsAtOnce: 3 });
      const answers = await Promise.all(
        hosts.map(({ port }, index) => ask(port, { exchange: `mx-${addresses[index]}` })),
      );
      expect(answers.map(({ outcome }) => outcome)).toEqual(addresses.map(() => 'rejected'));
      expect(most).toBe(3);
    },
  );

  it('are ended when the client closes; waiting ones are not started', async () => {
    const host = await aBareHost(() => undefined);
    const told: string[] = [];
    const { client, ask } = aClient({ onAnswer: (outcome) => told.push(outcome) });
    const running = ask(host.port);
    const waiting = ask(host.port);
    while (host.connections === 0) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    expect(await running).toEqual({ outcome: 'aborted', step: 'greeting' });
    expect(await waiting).toEqual({ outcome: 'aborted' });
    expect(await ask(host.port)).toEqual({ outcome: 'aborted' });
    expect(host.connections).toBe(1);
    expect(told).toEqual(['aborted', 'aborted', 'aborted']);
  });
});

/** Tasks that end when the test says so, and the names of those that started. */
function aQueue(atOnce: number) {
  const turns = new SessionQueue(atOnce);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const join = (name: string, ...keys: readonly string[]) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return turns.run(keys, async () => {
      begun.push(name);
      await end.promise;
      return name;
    });
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const finish = async (name: string, fault?: Error) => {
    if (fault) ends.get(name)?.reject(fault);
    else ends.get(name)?.resolve();
    await settle();
  };
  return { join, finish, settle, begun };
}

it('runs at most the given number at once, in the order of arrival', async () => {
  const { join, finish, settle, begun } = aQueue(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => join(name, name));
  await settle();
  expect(begun).toEqual(['a', 'b']);
  await finish('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await finish(name);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('never runs two with the same key at once, and starts others before them', async () => {
  const { join, finish, settle, begun } = aQueue(3);
  void join('first', 'name x', 'address 1');
  void join('same name', 'name x', 'address 2');
  void join('same address', 'name y', 'address 1');
  void join('other', 'name z', 'address 3');
  await settle();
  expect(begun).toEqual(['first', 'other']);
  await finish('first');
  expect(begun).toEqual(['first', 'other', 'same name', 'same address']);
});

it('continues after a failed task', async () => {
  const { join, finish, settle, begun } = aQueue(1);
  const failed = join('a', 'x');
  const next = join('b', 'x');
  await settle();
  const refused = expect(failed).rejects.toThrow('fault');
  await finish('a', new Error('fault'));
  await refused;
  expect(begun).toEqual(['a', 'b']);
  await finish('b');
  expect(await next).toBe('b');
});
