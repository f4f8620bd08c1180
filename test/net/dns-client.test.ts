import { describe, expect, it } from 'vitest';
import { DnsClient } from '../../src/net/dns-client.ts';
import type { Question, Reply } from '../../src/net/dns-question.ts';
import { NameServer } from '../../src/net/name-server.ts';

const QUESTION: Question = { name: 'mail.test', type: 'MX' };
const { signal } = new AbortController();
const found: Reply = { outcome: 'nodata', ttlSeconds: 1 };
const gone: Reply = { outcome: 'error' };

/** Servers that reply as `state` says, under a clock of their own. */
function aClient(...labels: readonly string[]) {
  const state = {
    now: 0,
    takesMs: 0,
    replies: new Map<string, Reply>(),
    asked: [] as string[],
    changes: [] as string[],
  };
  const servers = labels.map(
    (label) =>
      new NameServer({
        label,
        isLossy: true,
        patienceMs: 100,
        probeTimeoutMs: 300,
        now: () => state.now,
        onChange: (server, isOut) => state.changes.push(`${server} ${isOut ? 'out' : 'back'}`),
        transport: {
          ask: async ({ name }) => {
            state.now += state.takesMs;
            state.asked.push(name === '.' ? `${label} probed` : label);
            return state.replies.get(label) ?? found;
          },
        },
      }),
  );
  const client = new DnsClient(() => servers, 100);
  const ask = async () => {
    state.asked = [];
    const reply = await client.ask(QUESTION, signal);
    await new Promise((resolve) => setImmediate(resolve));
    return reply;
  };
  return { state, ask };
}

async function askUntilOut({ ask }: ReturnType<typeof aClient>) {
  for (let time = 0; time < 5; time++) await ask();
}

describe('DnsClient', () => {
  it('leaves a server alone that does not reply, while another does', async () => {
    const client = aClient('a', 'b');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    expect(client.state.changes).toEqual(['a out']);
    expect(await client.ask()).toEqual(found);
    expect(client.state.asked).toEqual(['b']);
  });

  it('looks after it beside a question that goes elsewhere, and asks it first again when it is back', async () => {
    const client = aClient('a', 'b');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    client.state.replies.delete('a');
    client.state.now = 5_000;
    await client.ask();
    expect(client.state.asked).toEqual(['a probed', 'b']);
    await client.ask();
    expect(client.state.asked).toEqual(['a']);
    expect(client.state.changes).toEqual(['a out', 'a back']);
  });

  it('fails at once, and never as "no such name", when no server replies', async () => {
    const client = aClient('a');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    expect(await client.ask()).toEqual({ outcome: 'error' });
    expect(client.state.asked).toEqual([]);
  });

  it('answers the first question after the outage', async () => {
    const client = aClient('a');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    client.state.replies.delete('a');
    client.state.now = 5_000;
    expect(await client.ask()).toEqual(found);
  });

  it.each(['servfail', 'refused', 'malformed'] as const)(
    'suspects no server that says %s, though it takes its time: it replies',
    async (outcome) => {
      const client = aClient('a');
      client.state.replies.set('a', { outcome });
      client.state.takesMs = 150;
      for (let time = 0; time < 50; time++) {
        expect(await client.ask()).toEqual({ outcome });
        expect(client.state.asked).toEqual(['a']);
      }
    },
  );
});
