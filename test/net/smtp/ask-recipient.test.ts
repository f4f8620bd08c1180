import { describe, expect, it } from 'vitest';
import { argument, askRecipient, type Partner } from '../../../src/net/smtp/smtp-client.ts';
import type { Reply } from '../../../src/net/smtp/smtp-connection.ts';

const QUESTION = { heloName: 'probe.example.net', exchange: 'mx.example.com', recipient: 'qx7@example.com' };

/** Plays a host that sends these lines in turn, each "code text" with parts of one reply separated by "|". */
async function talk(script: readonly string[], question = QUESTION) {
  const said: string[] = [];
  const replies = script.map((text): Reply => {
    const lines = text.split('|').map((line) => line.slice(4));
    return { code: Number(text.slice(0, 3)), lines };
  });
  const next = async () => {
    const reply = replies.shift();
    if (!reply) throw new Error('the script is over');
    return reply;
  };
  const partner: Partner = {
    reply: next,
    command: (line) => {
      said.push(line);
      return next();
    },
    secure: async (host) => void said.push(`(TLS with ${host})`),
  };
  const answer = await askRecipient(partner, question);
  expect(replies, 'replies that were not asked for').toEqual([]);
  return { answer, said };
}

const UP_TO_RCPT = ['220 hi', '250 hi', '250 ok'];

describe('askRecipient', () => {
  it('greets, gives the null sender, asks for the recipient, and sends nothing more', async () => {
    const { answer, said } = await talk([...UP_TO_RCPT, '250 2.1.5 ok']);
    expect(said).toEqual(['EHLO probe.example.net', 'MAIL FROM:<>', 'RCPT TO:<qx7@example.com>']);
    expect(answer).toEqual({ outcome: 'all_accepted', step: 'rcpt', code: 250 });
  });

  it('switches to TLS where it is offered, and greets again', async () => {
    const { said } = await talk([
      '220 hi',
      '250-hi|250-SIZE 1|250 starttls ',
      '220 go',
      '250 hi',
      '250 ok',
      '250 ok',
    ]);
    expect(said).toEqual([
      'EHLO probe.example.net',
      'STARTTLS',
      '(TLS with mx.example.com)',
      'EHLO probe.example.net',
      'MAIL FROM:<>',
      'RCPT TO:<qx7@example.com>',
    ]);
  });

  it('sends HELO to a host that does not know EHLO', async () => {
    const { answer, said } = await talk(['220 hi', '502 what?', '250 hi', '250 ok', '251 will forward']);
    expect(said.slice(0, 2)).toEqual(['EHLO probe.example.net', 'HELO probe.example.net']);
    expect(answer).toMatchObject({ outcome: 'all_accepted', code: 251 });
  });

  it.each([
    ['550 5.1.1 User unknown', 'no_such_mailbox', '5.1.1'],
    ['550 5.1.0 Address rejected', 'no_such_mailbox', '5.1.0'],
    ['551 5.1.6 Moved', 'no_such_mailbox', '5.1.6'],
    ['553 5.1.3 Bad address', 'no_such_mailbox', '5.1.3'],
    ['550 5.1.10 Null MX', 'no_such_mailbox', '5.1.10'],
    // About the sender's address, not the recipient's (RFC 3463 section 3.2).
    ['550 5.1.7 Bad sender syntax', 'rejected', '5.1.7'],
    ['550 5.1.8 Sender domain not found', 'rejected', '5.1.8'],
    ['550 5.7.1 Relaying denied', 'rejected', '5.7.1'],
    ['550 5.4.1 Access denied', 'rejected', '5.4.1'],
    ['550 User unknown', 'rejected', undefined],
    ['550 4.1.1 Class of another code', 'rejected', undefined],
    ['552 5.1.1 Not one of the codes', 'rejected', '5.1.1'],
    ['554 5.1.1 Not one of the codes', 'rejected', '5.1.1'],
    ['550 5.1.1x', 'rejected', undefined],
    ['450 4.2.0 Greylisted', 'deferred', '4.2.0'],
    ['451 4.7.500 Busy', 'deferred', '4.7.500'],
    ['421 Closing', 'deferred', undefined],
    ['252 Cannot say', 'malformed', undefined],
    ['354 Go ahead', 'malformed', undefined],
  ])('maps "%s" after RCPT to %s', async (reply, outcome, enhancedCode) => {
    const { answer } = await talk([...UP_TO_RCPT, reply]);
    const code = Number(reply.slice(0, 3));
    expect(answer).toEqual({ outcome, step: 'rcpt', code, ...(enhancedCode && { enhancedCode }) });
  });

  it.each<[step: string, script: readonly string[], outcome: string]>([
    ['greeting', ['554 5.7.1 Go away'], 'rejected'],
    ['greeting', ['421 Too busy'], 'deferred'],
    ['greeting', ['250 What?'], 'malformed'],
    ['ehlo', ['220 hi', '550 5.1.1 Your name'], 'rejected'],
    ['helo', ['220 hi', '500 what?', '554 no'], 'rejected'],
    ['starttls', ['220 hi', '250 STARTTLS', '454 Not now'], 'deferred'],
    ['ehlo', ['220 hi', '250 STARTTLS', '220 go', '554 no'], 'rejected'],
    ['mail', ['220 hi', '250 hi', '550 5.1.1 No null sender'], 'rejected'],
    ['mail', ['220 hi', '250 hi', '530 5.7.0 STARTTLS first'], 'rejected'],
  ])('reports nothing about the recipient when the host ends it at %s', async (step, script, outcome) => {
    const { answer } = await talk(script);
    expect(answer).toMatchObject({ outcome, step });
  });

  it('puts nothing into a command that could end it or begin another', async () => {
    const evil = {
      heloName: 'probe.example.net\r\nMAIL FROM:<x@y>',
      exchange: 'mx.example.com',
      recipient: 'a\r\nDATA\n>b <c@example.com',
    };
    const { said } = await talk([...UP_TO_RCPT, '250 ok'], evil);
    expect(said).toEqual([
      'EHLO probe.example.netMAILFROM:x@y',
      'MAIL FROM:<>',
      'RCPT TO:<aDATAbc@example.com>',
    ]);
    expect(argument('\u0000a\u007f\tb\u00e9\u2028c')).toBe('abc');
  });
});
