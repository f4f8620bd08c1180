import type { FuzzCase, GeneratedCase, World } from './fuzz-case.ts';
import { generateEmail } from './generate/emails.ts';
import { generateFraming } from './generate/framing.ts';
import { generateHandshake } from './generate/handshakes.ts';
import { generateHeaders } from './generate/headers.ts';
import { generateJsonBody } from './generate/json-bodies.ts';
import { generatePipeline } from './generate/pipelines.ts';
import { generateSlow } from './generate/slow.ts';
import { generateTarget } from './generate/targets.ts';
import { Random } from './random.ts';

/** What every marker begins with. It holds letters that no ULID, hash or key has in a row. */
export const MARKER = 'loudmark';

const QUICK = [
  [38, generateJsonBody],
  [29, generateEmail],
  [18, generateHeaders],
  [14, generateTarget],
  [1, generatePipeline],
] as const;
/** Each on a connection of its own, which costs ten times as much, and may last until the service ends it. */
const SLOW = [
  [7, generateFraming],
  [2, generateSlow],
  [1, generateHandshake],
] as const;

/** Cases of one batch: the first is a slow one, the others are quick. */
export const BATCH_SIZE = 10;

type Keys = Pick<World, 'liveKey' | 'testKey'>;

/** The case of this number under this seed: always the same, whichever ran before it. */
export function makeCase(seed: number, number: number, keys: Keys): FuzzCase {
  const random = new Random(seed, number);
  const name = number.toString(36);
  const batch = Math.floor(number / BATCH_SIZE);
  // The cases of a batch go to one listener, so that they can share a connection.
  const listener = new Random(seed, -1 - batch).pick(['https', 'plain'] as const);
  const world: World = { ...keys, marker: `${MARKER}${name}z`, requestId: `case-${name}`, listener };
  const isSlow = number % BATCH_SIZE === 0;
  const generate = random.weigh<(random: Random, world: World) => GeneratedCase>(isSlow ? SLOW : QUICK);
  return { ...generate(random, world), numbers: [number] };
}

/** The quick cases of a batch. Those that leave the connection open become one: one write, many answers. */
export function makeQuickCases(seed: number, batch: number, keys: Keys): readonly FuzzCase[] {
  const first = batch * BATCH_SIZE;
  const cases = Array.from({ length: BATCH_SIZE - 1 }, (_, nth) => makeCase(seed, first + 1 + nth, keys));
  const calm = cases.filter(({ isCalm }) => isCalm === true);
  return [...merge(calm), ...cases.filter(({ isCalm }) => isCalm !== true)];
}

function merge(cases: readonly FuzzCase[]): FuzzCase[] {
  const [first] = cases;
  if (first === undefined) return [];
  const bytes = cases.flatMap(({ steps }) =>
    steps.map((step) => ('send' in step ? step.send : Buffer.alloc(0))),
  );
  return [
    {
      ...first,
      numbers: cases.flatMap(({ numbers }) => numbers),
      name: cases.map(({ name }) => name).join(' + '),
      steps: [{ send: Buffer.concat(bytes) }],
      expected: cases.flatMap(({ expected }) => expected),
      leastAnswers: cases.length,
    },
  ];
}
