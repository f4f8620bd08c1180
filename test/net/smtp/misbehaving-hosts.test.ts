import { describe, expect, it } from 'vitest';
import { aClosedPort } from '../../support/closed-port.ts';
import { aBareHost, aMailHost, saying } from '../../support/mail-hosts.ts';
import { aClient } from './a-client.ts';

describe('a host that misbehaves', () => {
  const HELLO = ['220 hi', '250 hi', '250 ok'];
  /** For hosts whose reply never comes. */
  const HASTY = { stepMs: 150 };

  it.each<[what: string, script: readonly string[], answer: object]>([
    [
      'greets with 554',
      ['554 5.7.1 No service'],
      { outcome: 'rejected', step: 'greeting', code: 554, enhancedCode: '5.7.1' },
    ],
    ['speaks another protocol', ['SSH-2.0-OpenSSH_9.2'], { outcome: 'malformed', step: 'greeting' }],
    ['answers garbage to RCPT', [...HELLO, '999 what'], { outcome: 'malformed', step: 'rcpt' }],
    [
      'sends an enormous banner',
      [`220-${'x'.repeat(500)}\r\n`.repeat(2_000)],
      { outcome: 'malformed', step: 'greeting' },
    ],
    [
      'sends a line without an end',
      [`220 ${'x'.repeat(1_000_000)}`],
      { outcome: 'malformed', step: 'greeting' },
    ],
    ['is silent after the greeting', ['220 hi'], { outcome: 'timeout', step: 'ehlo' }],
    ['never greets', [], { outcome: 'timeout', step: 'greeting' }],
    [
      'says more than it was asked before TLS',
      ['220 hi', '250 STARTTLS', '220 go\r\n250 injected'],
      { outcome: 'malformed', step: 'tls' },
    ],
  ])('%s', async (_what, script, answer) => {
    const host = await aBareHost(saying(...script));
    const client = aClient('outcome' in answer && answer.outcome === 'timeout' ? HASTY : {});
    expect(await client.ask(host.port)).toEqual(answer);
    expect(host.connections).toBe(1);
  });

  it('offers STARTTLS and does not speak TLS', async () => {
    const host = await aBareHost(async (socket, next) => {
      await saying('220 hi', '250 STARTTLS')(socket, next);
      await next();
      socket.write('220 go\r\n');
      socket.once('data', () => socket.write('220 no TLS here\r\n'));
    });
    expect(await aClient().ask(host.port)).toEqual({ outcome: 'tls_failed', step: 'tls' });
  });

  it('has no more bytes read than the limit', async () => {
    let written = 0;
    const host = await aBareHost(async (socket) => {
      while (!socket.destroyed) {
        written += 65_536;
        if (!socket.write('220-'.padEnd(65_536, 'x'))) {
          await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
        }
      }
    });
    expect(await aClient().ask(host.port)).toEqual({ outcome: 'malformed', step: 'greeting' });
    // What the kernel's buffers accept, not what a client that reads on would accept.
    expect(written).toBeLessThan(50_000_000);
  });

  it('closes the connection during the dialogue, or within a reply', async () => {
    const early = await aBareHost(async (socket, next) => {
      socket.write('220 hi\r\n');
      await next();
      socket.destroy();
    });
    expect(await aClient().ask(early.port)).toEqual({ outcome: 'dropped', step: 'ehlo' });
    const half = await aBareHost((socket) => void socket.end('220-hi\r\n22'));
    expect(await aClient().ask(half.port)).toEqual({ outcome: 'dropped', step: 'greeting' });
  });

  it('has its last reply used when it closes right after it', async () => {
    const host = await aBareHost((socket) => void socket.end('421 4.3.2 Shutting down\r\n'));
    expect(await aClient().ask(host.port)).toMatchObject({
      outcome: 'deferred',
      step: 'greeting',
      code: 421,
    });
  });

  it('closes right after a reply in TLS: its last reply is used', async () => {
    const host = await aMailHost({
      onMailFrom: (_address, _session, callback) =>
        callback(Object.assign(new Error('4.3.2 No'), { responseCode: 421 })),
    });
    expect(await aClient().ask(host.port)).toMatchObject({ outcome: 'deferred', step: 'mail', code: 421 });
  });

  it('sends single bytes: the limit is for a whole reply, so that bytes do not extend it', async () => {
    const host = await aBareHost((socket) => {
      const drip = setInterval(() => socket.write('2'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await aClient(HASTY).ask(host.port)).toEqual({ outcome: 'timeout', step: 'greeting' });
  });

  it('is slow at each step: both sessions together end with the time limit of the question', async () => {
    let greeted = 0;
    const host = await aMailHost({
      greeting: async () => (greeted++ === 0 ? undefined : new Promise(() => {})),
    });
    const { ask } = aClient({ stepMs: 60_000, questionMs: 1_500 });
    expect(await ask(host.port)).toEqual({ outcome: 'timeout', step: 'greeting' });
    expect(host.sessions).toHaveLength(2);
  });

  it('does not answer QUIT: its reply is used', async () => {
    const host = await aBareHost(saying(...HELLO, '550 5.1.1 Unknown'));
    expect(await aClient().ask(host.port)).toMatchObject({ outcome: 'no_such_mailbox' });
    expect(host.lines.at(-1)).toBe('QUIT');
  });

  it('does not listen', async () => {
    expect(await aClient().ask(await aClosedPort())).toEqual({ outcome: 'unreachable', step: 'connect' });
  });
});
