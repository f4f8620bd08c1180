import type { Expected, GeneratedCase, Step, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, anOrdinaryBody, asProxied, type Draft, type Field, head, without } from './request.ts';

interface Slow {
  readonly steps: readonly Step[];
  readonly expected: readonly Expected[];
  readonly leastAnswers: number;
}

type Generator = (random: Random, draft: Draft, body: Buffer, world: World) => Slow;

const add = (draft: Draft, ...fields: Field[]) => head({ ...draft, headers: [...draft.headers, ...fields] });
const whole = (draft: Draft, body: Buffer) =>
  Buffer.concat([add(draft, ['Content-Length', String(body.length)]), body]);
const part = (random: Random, bytes: Buffer) => bytes.subarray(0, random.between(1, bytes.length - 1));
const timedOut = (requestId?: string): Expected => ({
  codes: ['request_timeout'],
  ...(requestId && { requestId }),
});

const GENERATORS: readonly (readonly [weight: number, name: string, generate: Generator])[] = [
  [2, 'says nothing', () => ({ steps: [], expected: [timedOut()], leastAnswers: 1 })],
  [
    4,
    'half of the headers',
    (random, draft) => ({
      steps: [{ send: part(random, head(draft)) }],
      expected: [timedOut()],
      leastAnswers: 1,
    }),
  ],
  [
    4,
    'dribbles headers',
    (random, draft) => {
      const bytes = head(draft);
      const steps = Array.from({ length: 8 }, (_, at): Step[] => [
        { send: bytes.subarray(at, at + 1) },
        { pauseMs: random.between(1, 100) },
      ]);
      return { steps: steps.flat(), expected: [timedOut()], leastAnswers: 1 };
    },
  ],
  [
    4,
    'no body',
    (_, draft, body, { requestId }) => ({
      steps: [{ send: add(draft, ['Content-Length', String(body.length)]) }],
      expected: [timedOut(requestId)],
      leastAnswers: 1,
    }),
  ],
  [
    4,
    'half of the body',
    (random, draft, body, { requestId }) => ({
      steps: [
        { send: add(draft, ['Content-Length', String(body.length)]) },
        { pauseMs: random.below(100) },
        { send: part(random, body) },
      ],
      expected: [timedOut(requestId)],
      leastAnswers: 1,
    }),
  ],
  [
    3,
    'no last chunk',
    (_, draft, body, { requestId }) => ({
      steps: [
        { send: add(draft, ['Transfer-Encoding', 'chunked']) },
        { send: Buffer.from(`${body.length.toString(16)}\r\n${body}\r\n`) },
      ],
      expected: [timedOut(requestId)],
      leastAnswers: 1,
    }),
  ],
  [
    2,
    'waits for no 100',
    (_, draft, body, { requestId }) => ({
      steps: [{ send: add(draft, ['Content-Length', String(body.length)], ['Expect', '100-continue']) }],
      expected: [timedOut(requestId)],
      leastAnswers: 1,
    }),
  ],
  // Its answer is out: when the rest does not come there is nothing left to answer.
  [
    3,
    'refused before its body',
    (_, draft, body, { marker, requestId }) => ({
      steps: [
        {
          send: add(
            { ...draft, headers: without(draft, 'Authorization') },
            ['Authorization', `Bearer ${marker}`],
            ['Content-Length', String(body.length)],
          ),
        },
      ],
      expected: [{ codes: ['malformed_api_key', 'rate_limited'], requestId }],
      leastAnswers: 1,
    }),
  ],
  [
    3,
    'stays after its answer',
    (_, draft, body, { requestId }) => ({
      steps: [{ send: whole(draft, body) }],
      expected: [{ codes: ['ok'], requestId }],
      leastAnswers: 1,
    }),
  ],
  // The first answer must come; the second message never does.
  [
    3,
    'one whole, one half',
    (random, draft, body, { requestId }) => ({
      steps: [{ send: Buffer.concat([whole(draft, body), part(random, head(draft))]) }],
      expected: [{ codes: ['ok'], requestId }, timedOut()],
      leastAnswers: 1,
    }),
  ],
];

/** Connections of which the client never makes an end. The service's own time-outs have to. */
export function generateSlow(random: Random, world: World): GeneratedCase {
  const [name, generate] = random.weigh(GENERATORS.map(([weight, ...rest]) => [weight, rest] as const));
  const body = anOrdinaryBody(world);
  const check = aCheck(world, body);
  const isPlain = random.chance(0.6);
  const slow = generate(random, isPlain ? asProxied(check, random) : check, body, world);
  const isCut = random.chance(0.15);
  return {
    name: `slow: ${name}${isCut ? ', cut' : ''}`,
    listener: isPlain ? 'plain' : 'https',
    ...slow,
    ...(isCut ? { ending: 'reset', leastAnswers: 0 } : { ending: 'await_close' }),
  };
}
