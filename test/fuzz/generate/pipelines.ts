import type { Expected, GeneratedCase, World } from '../fuzz-case.ts';
import type { Random } from '../random.ts';
import { aCheck, anOrdinaryBody, asProxied, type Draft, type Field, without, write } from './request.ts';

type Kind = readonly [change: (check: Draft, world: World) => Draft, codes: Expected['codes']];

const KINDS: readonly Kind[] = [
  [(check) => check, ['ok']],
  [(check) => ({ ...check, body: Buffer.from('{"email":') }), ['invalid_json']],
  [(check, { marker }) => ({ ...check, body: Buffer.from(`{"email":"${marker}"}`) }), ['unparseable_email']],
  [(check) => ({ ...check, target: '/nothing' }), ['not_found']],
  [(check) => ({ ...check, method: 'DELETE' }), ['method_not_allowed']],
  [(check) => ({ ...check, headers: without(check, 'Content-Type') }), ['unsupported_media_type']],
  [(check) => ({ ...check, headers: without(check, 'Authorization') }), ['missing_api_key', 'rate_limited']],
  [(check) => ({ ...check, method: 'HEAD', target: '/healthz', body: Buffer.alloc(0) }), ['ok']],
];

/** Whole requests in one write; each must be answered, in order, each with its own request id. */
export function generatePipeline(random: Random, world: World): GeneratedCase {
  const requests = Array.from({ length: random.pick([2, 3, 8, 10]) }, (_, nth) => {
    const [change, codes] = random.pick(KINDS);
    const requestId = `${world.requestId}.${nth}`;
    const check = aCheck(world, anOrdinaryBody(world));
    const named: Field[] = [...without(check, 'Request-Id'), ['Request-Id', requestId]];
    const draft = change({ ...check, headers: named }, world);
    return {
      // Chunks of unknown length would end the connection after a refusal, and the rest with it.
      bytes: write(world.listener === 'plain' ? asProxied(draft, random) : draft, random, false),
      expected: { requestId, isHead: draft.method === 'HEAD', ...(codes && { codes }) },
    };
  });
  return {
    name: 'pipeline',
    listener: world.listener,
    steps: [{ send: Buffer.concat(requests.map(({ bytes }) => bytes)) }],
    ending: 'keep',
    expected: requests.map(({ expected }) => expected),
    leastAnswers: requests.length,
  };
}
