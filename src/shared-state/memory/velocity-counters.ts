import { hash, hkdfSync, type KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Count } from '../../provider-kit/index.ts';
import type { CountedCheck, CountReceipt, VelocityCounters } from '../ports.ts';

const MINUTE_MS = 60_000;

/** The same canonical address from the same key family within this counts once. */
export const RETRY_MS = 10 * MINUTE_MS;

/** A window is counted in so many parts and moves on by one part at a time: the last 55 to 60 minutes, 22 to 24 hours. */
export const PARTS = 12;
const PART_MS = { '1h': 5 * MINUTE_MS, '24h': 120 * MINUTE_MS } as const;

/** Of all accounts together; a check of a new address makes three, of which one lasts ten minutes. */
const MOST_ENTRIES = 200_000;
/** What an account may have however much the others have. */
const OWN_ENTRIES = 1_000;
/** An estimate, calculated for Node on 64 bits: the key, the numbers and their place in the map. */
export const ENTRY_OCTETS = 140;

/** Entries written or looked through before the event loop runs other work. */
const SLICE = 2_000;
/** A count from further ahead of the clock than this was written under another clock. */
const AHEAD_MS = MINUTE_MS;

/**
 * By key. `h…` and `d…` are counts of the last hour and day: parts that were counted in, each with its number, the oldest
 * first. `r…` are retries: when the address was counted.
 */
type Entries = Map<string, readonly number[]>;

/** What is counted for one account and environment. */
interface Account {
  /** In the order in which they were last counted. */
  readonly entries: Entries;
  /** Stays at the oldest entry: an iteration from the start steps over every key that was deleted before it. */
  readonly oldest: MapIterator<string>;
  /** Counts of checks that are not on record yet, by key. */
  readonly pending: Map<string, number>;
}

/**
 * Counts in memory. Where it is full, an account that counts something new forgets what it has not counted for the longest; the
 * accounts' counts do not displace each other. What is not on record yet is kept apart, so that a snapshot never has it.
 */
export class InMemoryVelocityCounters implements VelocityCounters {
  readonly #secret: string;
  readonly #mostEntries: number;
  readonly #accounts = new Map<string, Account>();
  #size = 0;
  #forgotten = 0;

  /** `hmacKey` is the installation's. */
  constructor(hmacKey: KeyObject, mostEntries = MOST_ENTRIES) {
    // A key of its own (RFC 5869): a count's hash reveals nothing of the hash in a record.
    this.#secret = Buffer.from(hkdfSync('sha256', hmacKey, '', 'postern counters 2', 32)).toString('base64');
    this.#mostEntries = mostEntries;
  }

  async count(check: CountedCheck, counts: readonly Count[]): Promise<CountReceipt> {
    const { at, environment, accountId } = check;
    const scope = `${environment} ${accountId}`;
    const account = this.#account(this.#hash(scope));
    const keys = counts.map(
      ({ fact, text, window }) => `${window === '24h' ? 'd' : 'h'}${this.#hash(scope, fact, text)}`,
    );
    const retryKey = `r${this.#hash(scope, check.keyFamily, check.canonicalAddress)}`;
    const [countedAt] = account.entries.get(retryKey) ?? [];
    // Ten minutes from when it was counted, not from the last try: or an address tried each minute would count once a day.
    const isRetry = countedAt !== undefined && Math.abs(at - countedAt) < RETRY_MS;
    if (isRetry) {
      // What the first try was not counted under is one all the same.
      const numbers = keys.map((key) => Math.max(1, numberOf(account, key, at)));
      return { numbers, settle: async () => undefined, undo: async () => undefined };
    }
    this.#put(account, retryKey, [at]);
    for (const key of keys) addTo(account.pending, key, 1);
    let isOver = false;
    const end = (isCounted: boolean) => {
      if (isOver) return;
      isOver = true;
      for (const key of keys) {
        addTo(account.pending, key, -1);
        if (isCounted) this.#put(account, key, plusOne(account.entries.get(key), partOf(key, at)));
      }
      if (!isCounted) this.#remove(account, retryKey);
    };
    return {
      numbers: keys.map((key) => numberOf(account, key, at)),
      settle: async () => end(true),
      undo: async () => end(false),
    };
  }

  get stats(): { readonly octets: number; readonly forgotten: number } {
    return { octets: this.#size * ENTRY_OCTETS, forgotten: this.#forgotten };
  }

  /** Tells this installation's snapshots from those of another key. */
  get mark(): string {
    return this.#hash('snapshot');
  }

  /**
   * Every entry that still counts, as lines that `restore` reads; drops those that do not. Slice by slice, so that requests do
   * not wait for it: what is counted meanwhile may be in it, and may stand twice, the later line being the newer.
   */
  async *dump(now: number): AsyncGenerator<string> {
    for (const [id, account] of this.#accounts) {
      let lines = [`@${id}`];
      for (const [key, numbers] of account.entries) {
        const current = stillCounting(key, numbers, now);
        if (current.length > 0) lines.push(`${key} ${current.join(' ')}`);
        else this.#remove(account, key);
        if (lines.length < SLICE) continue;
        yield `${lines.join('\n')}\n`;
        lines = [];
        await setImmediate();
      }
      if (account.entries.size === 0 && account.pending.size === 0) this.#accounts.delete(id);
      else if (lines.length > 0) yield `${lines.join('\n')}\n`;
    }
  }

  /** Takes over what `dump` wrote; throws, with nothing taken over, at what is no such text. */
  restore(text: string, now: number): void {
    let account: Account | undefined;
    try {
      for (const line of text.split('\n')) {
        if (line === '') continue;
        if (line.startsWith('@')) {
          account = this.#account(line.slice(1));
          continue;
        }
        const [key = '', ...words] = line.split(' ');
        const numbers = words.map(Number);
        const isSound =
          /^[hdr][\w-]{12}$/.test(key) && numbers.length > 0 && numbers.every(Number.isSafeInteger);
        if (!account || !isSound) {
          throw new Error('it has a line that is no count');
        }
        const current = stillCounting(key, numbers, now).filter((_, i, all) => {
          const when = all[key.startsWith('r') ? i : i - (i % 2)] ?? 0;
          return when <= (key.startsWith('r') ? now + AHEAD_MS : partOf(key, now + AHEAD_MS));
        });
        if (current.length > 0) this.#put(account, key, current);
      }
    } catch (error) {
      this.#accounts.clear();
      this.#size = 0;
      throw error;
    }
  }

  /**
   * 72 bits. SHA-256 over a secret and the text: what is cut off leaves nothing to lengthen, and an HMAC for each text
   * would take five times as long, a tenth of a check.
   */
  #hash(...words: readonly string[]): string {
    return hash('sha256', [this.#secret, ...words].join('\n'), 'base64url').slice(0, 12);
  }

  #account(id: string): Account {
    let account = this.#accounts.get(id);
    if (!account) {
      const entries: Entries = new Map();
      account = { entries, oldest: entries.keys(), pending: new Map() };
      this.#accounts.set(id, account);
    }
    return account;
  }

  /** Last in the account's order. */
  #put(account: Account, key: string, numbers: readonly number[]): void {
    const { entries } = account;
    if (!entries.delete(key)) {
      if (this.#size >= this.#mostEntries && entries.size >= OWN_ENTRIES) this.#forgetOldest(account);
      this.#size += 1;
    }
    entries.set(key, numbers);
  }

  #forgetOldest(account: Account): void {
    const { value: oldest } = account.oldest.next();
    if (oldest === undefined) return;
    this.#remove(account, oldest);
    this.#forgotten += 1;
  }

  #remove({ entries }: Account, key: string): void {
    if (entries.delete(key)) this.#size -= 1;
  }
}

function addTo(pending: Map<string, number>, key: string, difference: 1 | -1): void {
  const number = (pending.get(key) ?? 0) + difference;
  if (number > 0) pending.set(key, number);
  else pending.delete(key);
}

function partOf(key: string, at: number): number {
  return Math.floor(at / PART_MS[key.startsWith('d') ? '24h' : '1h']);
}

function numberOf({ entries, pending }: Account, key: string, at: number): number {
  let sum = pending.get(key) ?? 0;
  const parts = stillCounting(key, entries.get(key) ?? [], at);
  for (let i = 1; i < parts.length; i += 2) sum += parts[i] ?? 0;
  return sum;
}

/** Counts once in `part`; in the newest one while the clock is set back. */
function plusOne(parts: readonly number[] = [], part: number): readonly number[] {
  const within = inWindow(parts, part);
  const newest = within.at(-2);
  if (newest === undefined || newest < part) return [...within, part, 1];
  return [...within.slice(0, -1), (within.at(-1) ?? 0) + 1];
}

/** The numbers of an entry that count at `at`; none where its time is over. */
function stillCounting(key: string, numbers: readonly number[], at: number): readonly number[] {
  if (key.startsWith('r')) return numbers.filter((countedAt) => Math.abs(at - countedAt) < RETRY_MS);
  return inWindow(numbers, partOf(key, at));
}

/** Nothing where the clock was ahead by a window or more when it was counted: counting begins anew. */
function inWindow(parts: readonly number[], part: number): readonly number[] {
  const newest = parts.at(-2) ?? part;
  if (newest - part >= PARTS) return [];
  let first = 0;
  while (first < parts.length && (parts[first] ?? 0) <= Math.max(part, newest) - PARTS) first += 2;
  return first === 0 ? parts : parts.slice(first);
}
