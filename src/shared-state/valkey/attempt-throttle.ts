import { clientNetwork } from '../../net/public-address.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { CountHash } from '../count-keys.ts';
import { ATTEMPT_LIMITS, InMemoryAttemptThrottle } from '../memory/attempt-throttle.ts';
import type { AttemptThrottle, RateLimitResult, SignInVerdict } from '../ports.ts';
import type { Script, ValkeyConnection } from './connection.ts';

/**
 * A window is a hash of `n`, the attempts, and `e`, when it ends by the clock of the instance that began it. The key also expires by
 * the server's clock, so that an instance's clock that was set back does not prolong the window.
 */
const WINDOW = `
local now, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local function windowOf(key)
  local n, e = unpack(redis.call('HMGET', key, 'n', 'e'))
  if e and tonumber(e) > now then return tonumber(n), tonumber(e) end
  return 0, now + length
end
local function count(key, n, e)
  redis.call('HSET', key, 'n', n + 1, 'e', e)
  if n == 0 then redis.call('PEXPIRE', key, length) end
end
`;

const FAIL = `${WINDOW}
local n, ends = windowOf(KEYS[1])
count(KEYS[1], n, ends)
return {n + 1, ends}
`;

/** Returns until when the attempt is refused; or 0, and the ends of the windows that counted it. A refused attempt stores nothing. */
const BEGIN = `${WINDOW}
local ofClient, clientEnds = windowOf(KEYS[1])
local ofPair, pairEnds = windowOf(KEYS[2])
local forEmail, emailEnds = windowOf(KEYS[3])
local mostOfPair = forEmail < tonumber(ARGV[5]) and tonumber(ARGV[4]) or 1
local refusedUntil = 0
if ofClient >= tonumber(ARGV[3]) then refusedUntil = clientEnds end
if ofPair >= mostOfPair then refusedUntil = math.max(refusedUntil, pairEnds) end
if refusedUntil > 0 then return {refusedUntil} end
count(KEYS[1], ofClient, clientEnds)
count(KEYS[2], ofPair, pairEnds)
count(KEYS[3], forEmail, emailEnds)
return {0, clientEnds, pairEnds, emailEnds}
`;

const TAKE_BACK = `
for i, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'e') == ARGV[i] then redis.call('HINCRBY', key, 'n', -1) end
end
`;

/**
 * Counts the attempts at all instances in Valkey, under keyed hashes of addresses and emails. Each instance also counts its own attempts
 * in memory: where Valkey does not answer in time, these alone decide.
 */
export class ValkeyAttemptThrottle implements AttemptThrottle {
  readonly #local = new InMemoryAttemptThrottle();
  readonly #fail: Script;
  readonly #begin: Script;
  readonly #takeBack: Script;

  /** The wall clock: instances must agree on it to a second or so. */
  constructor(
    private readonly connection: ValkeyConnection,
    private readonly hashOf: CountHash,
    private readonly clock: Clock,
  ) {
    this.#fail = connection.script('posternFail', FAIL);
    this.#begin = connection.script('posternBeginSignIn', BEGIN);
    this.#takeBack = connection.script('posternTakeBack', TAKE_BACK);
  }

  async recordFailure(clientAddress: string): Promise<Pick<RateLimitResult, 'allowed' | 'resetMs'>> {
    const own = await this.#local.recordFailure(clientAddress);
    const { failures, failuresWindowMs } = ATTEMPT_LIMITS;
    const now = this.clock.now();
    const key = `f${this.hashOf('failure', clientNetwork(clientAddress))}`;
    try {
      const counted = await this.connection.answer(this.#fail([key], now, failuresWindowMs));
      const [attempts = 0, endsAt = 0] = counted as readonly number[];
      return { allowed: attempts <= failures, resetMs: Math.min(endsAt - now, failuresWindowMs) };
    } catch (error) {
      this.connection.miss('attempts', error);
      return own;
    }
  }

  async beginSignIn(clientAddress: string, email: string): Promise<SignInVerdict> {
    const own = await this.#local.beginSignIn(clientAddress, email);
    const { signInWindowMs, ofAClient, ofAPair, forAnEmail } = ATTEMPT_LIMITS;
    const now = this.clock.now();
    const client = clientNetwork(clientAddress);
    const name = email.toLowerCase();
    const keys = [
      ['client', client],
      ['pair', client, name],
      ['email', name],
    ].map((words) => `s${this.hashOf(...words)}`);
    // A script answers a list of whole numbers.
    const asked = this.#begin(keys, now, signInWindowMs, ofAClient, ofAPair, forAnEmail) as Promise<number[]>;
    const takeBack = async () => {
      if (own.allowed) await own.succeeded();
      // Also takes back where Valkey's answer came too late for this attempt.
      asked
        .then(([refusedUntil, ...ends]) => refusedUntil === 0 && this.#takeBack(keys, ...ends))
        .catch(() => undefined);
    };
    try {
      const [refusedUntil = 0] = await this.connection.answer(asked);
      if (refusedUntil === 0) return { allowed: true, succeeded: takeBack };
      if (own.allowed) await own.succeeded();
      return { allowed: false, resetMs: Math.min(refusedUntil - now, signInWindowMs) };
    } catch (error) {
      this.connection.miss('attempts', error);
      return own.allowed ? { allowed: true, succeeded: takeBack } : own;
    }
  }
}
