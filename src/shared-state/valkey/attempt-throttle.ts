import { clientNetwork } from '../../net/public-address.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { CountHash } from '../count-keys.ts';
import { ATTEMPT_LIMITS, InMemoryAttemptThrottle } from '../memory/attempt-throttle.ts';
import type { AttemptThrottle, RateLimitResult, SignInVerdict } from '../ports.ts';
import type { Script, ValkeyConnection } from './connection.ts';

/**
 * A window is a hash: `n` attempts, and when it ends (`e`) by the clock of the instance that began it. It goes by the server's
 * clock when its time is over, so that no clock that was set back makes it last.
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

/** Answers when the attempt may be made again; or 0, and when each window that counted it ends. One that is refused is kept nowhere. */
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
 * Counts the attempts of all instances, under keyed hashes of addresses and emails. This instance counts what comes to it
 * beside; where Valkey does not answer in time, that alone decides.
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
      // Also where the answer came too late.
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
