import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { alternate, type Contestant, leastOf, medianOf } from './alternate.ts';
import { PARTS, type Part } from './parts.ts';
import { TestBed } from './test-bed.ts';

const ROUNDS = 3;
const SECONDS = 4;
const FULL = 'everything on';

export const costOfParts: Section = {
  title: 'HTTP: what each part costs',
  async measure(note) {
    const bed = new TestBed();
    try {
      const full = await bed.postern({ name: 'full' });
      const contestants: Contestant[] = [{ name: FULL, server: full, key: full.key }];
      const parts = Object.keys(PARTS) as Part[];
      for (const part of parts) {
        const server = await bed.posternWithout(part, full);
        contestants.push({ name: part, server, key: server.key });
      }
      const stretches = await alternate({ contestants, rounds: ROUNDS, seconds: SECONDS, note });
      const rate = (name: string) => number(medianOf(stretches, name, 'requestsPerSecond'));
      const cost = (name: string, pick: 'cpuUs' | 'mainUs') => leastOf(stretches, name, pick);
      const rows = parts.map((part) => [
        `${part}: ${PARTS[part]}`,
        rate(part),
        number(cost(part, 'cpuUs')),
        number(cost(FULL, 'cpuUs') - cost(part, 'cpuUs')),
        number(cost(FULL, 'mainUs') - cost(part, 'mainUs')),
      ]);
      const markdown = [
        `The built service with one part left out, against the whole; of ${ROUNDS} alternations of ${SECONDS} s the median rate and the least CPU. A part's module`,
        'is replaced by a stand-in before the start ([bench/http/without.ts](../bench/http/without.ts)); the product has no',
        'switch for it. Differences of a few µs are noise, and the parts need not add up: less of one leaves caches to others.',
        '',
        table(
          ['left out', 'requests/s', 'CPU µs/request', 'saves CPU µs', 'of it event loop'],
          [[FULL, rate(FULL), number(cost(FULL, 'cpuUs')), '', ''], ...rows],
        ),
      ].join('\n');
      return { markdown, goals: [] };
    } finally {
      await bed.close();
    }
  },
};
