import packet from 'dns-packet';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeQuery, type Question, readReply } from '../../src/net/dns-message.ts';

const QUESTION: Question = { name: 'mail.test', type: 'MX' };
const ID = 4711;

function aReply(more: Partial<packet.Packet> = {}): Buffer {
  const questions: packet.Question[] = [{ type: 'MX', name: 'mail.test' }];
  return packet.encode({ type: 'response', id: ID, questions, ...more });
}

const mx = (name: string, exchange: string, ttl = 300): packet.Answer => ({
  type: 'MX',
  name,
  ttl,
  data: { exchange, preference: 1 },
});
const alias = (name: string, data: string, ttl = 300): packet.Answer => ({ type: 'CNAME', name, ttl, data });
const read = (more: Partial<packet.Packet>) => readReply(aReply(more), QUESTION, ID);

describe('readReply', () => {
  it('finds the end of an alias chain in any order of its records', () => {
    const chain = [
      alias('mail.test', 'One.test'),
      alias('one.test', 'two.test', 50),
      mx('TWO.test', 'mx.test'),
    ];
    for (const answers of [chain, chain.toReversed()]) {
      expect(read({ answers })).toMatchObject({
        outcome: 'found',
        records: [{ data: { exchange: 'mx.test' } }],
        ttlSeconds: 50,
      });
    }
  });

  it('ignores records of names that were not asked', () => {
    const answers = [mx('mail.test', 'mx.test'), mx('stranger.test', 'evil.test')];
    expect(read({ answers })).toMatchObject({ records: [{ data: { exchange: 'mx.test' } }] });
    expect(read({ answers: [mx('stranger.test', 'evil.test')] })).toEqual({ outcome: 'nodata' });
  });

  it('reads no record of another class', () => {
    expect(read({ answers: [{ ...mx('mail.test', 'mx.test'), class: 'CH' } as packet.Answer] })).toEqual({
      outcome: 'nodata',
    });
  });

  it('treats an alias loop as a failure', () => {
    expect(read({ answers: [alias('mail.test', 'b.test'), alias('b.test', 'mail.test')] })).toEqual({
      outcome: 'servfail',
    });
    expect(read({ answers: [alias('mail.test', 'mail.test')] })).toEqual({ outcome: 'servfail' });
  });

  it('asks again where the end of a chain was not answered, and not where the SOA says that it was', () => {
    const answers = [alias('mail.test', 'b.test', 40)];
    expect(read({ answers })).toEqual({ outcome: 'alias', target: 'b.test', ttlSeconds: 40 });
    const data = { mname: 'ns.test', rname: 'root.test', minimum: 900 };
    const authorities: packet.Answer[] = [{ type: 'SOA', name: 'test', ttl: 900, data }];
    expect(read({ answers, authorities })).toEqual({ outcome: 'nodata', ttlSeconds: 40 });
  });

  it('ignores a message with another id, whatever its content', () => {
    expect(readReply(Buffer.alloc(0), QUESTION, ID)).toBe('not_ours');
    expect(readReply(Buffer.from([0]), QUESTION, ID)).toBe('not_ours');
    expect(readReply(aReply({ answers: [mx('mail.test', 'mx.test')] }), QUESTION, ID + 1)).toBe('not_ours');
  });

  const whole = aReply({ answers: [alias('mail.test', 'b.test'), mx('b.test', 'mx.b.test')] });

  it('never throws and never hangs, whatever bytes follow the id', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (octets) => {
        const bytes = Buffer.concat([Buffer.from([ID >> 8, ID & 0xff]), octets]);
        expect(readReply(bytes, QUESTION, ID)).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws and never hangs on a reply with some bytes changed or cut off', () => {
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.nat(whole.length), (changes, length) => {
        const bytes = Buffer.from(whole);
        for (const [at, octet] of changes) bytes[at] = octet;
        expect(readReply(bytes.subarray(0, length), QUESTION, ID)).toBeDefined();
      }),
      { numRuns: 5_000 },
    );
  });
});

it('a question asks for recursion and for datagrams of 1232 octets', () => {
  const query = packet.decode(encodeQuery(QUESTION, ID));
  expect(query).toMatchObject({ type: 'query', id: ID, flag_rd: true, questions: [QUESTION] });
  expect(query.additionals).toMatchObject([{ type: 'OPT', name: '.', udpPayloadSize: 1232, flag_do: false }]);
});
